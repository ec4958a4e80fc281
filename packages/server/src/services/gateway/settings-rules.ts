/** The settings of a gateway: what may be stored, and how two versions of them are told apart. */
import { createHash } from 'node:crypto'
import { BadRequest, HashMismatch } from '../../kernel/errors.ts'
import { type Cidr, isPrivateIpv4, parseCidr, parseIpv4 } from '../../kernel/ipv4.ts'

export const STATIC_ROUTES_MAX = 1000
export const PRIVATE_ADDRESSES_MAX = 16
export const PRIVATE_MASK_MIN = 8
export const PRIVATE_MASK_MAX = 30

/** A member that was not sent is not there, so that what is returned is what was stored. */
export interface GatewaySettings {
  readonly internetConnection?: boolean
  readonly interDeviceCommunication?: boolean
  /** `null` when the interfaces were sent without a private one. */
  readonly privateInterface?: PrivateInterface | null
  readonly staticRoutes?: readonly StaticRoute[]
}

export interface PrivateInterface {
  readonly addresses: readonly string[]
  readonly maskLength: number
}

export interface StaticRoute {
  readonly prefix: string
  readonly nextHop: string
}

const AT = 'Appliance.Settings.MobileGateway'

/** The whole is replaced (docs/gateways.md); a stale hash refuses it, so that nobody's change is lost. */
export function withSettings(
  stored: GatewaySettings | undefined,
  sent: GatewaySettings | undefined,
  hash: string | undefined,
): GatewaySettings | undefined {
  if (hash !== undefined && hash !== settingsHash(stored)) {
    throw new HashMismatch(
      'Appliance.SettingsHash is not that of the stored settings: they have changed since.',
      'Appliance.SettingsHash が現在の設定と一致しません。設定は既に変更されています。',
    )
  }
  if (sent === undefined) return stored
  checkSettings(sent)
  return sent
}

/** MD5 tells versions apart here and protects nothing. */
export function settingsHash(settings: GatewaySettings | undefined): string | undefined {
  if (settings === undefined) return undefined
  return createHash('md5').update(canonical(settings)).digest('hex')
}

/** One text for equal settings, whatever the order in which their members came. */
function canonical(settings: GatewaySettings): string {
  const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = settings
  return JSON.stringify({
    internetConnection,
    interDeviceCommunication,
    privateInterface: privateInterface && [privateInterface.addresses, privateInterface.maskLength],
    staticRoutes: staticRoutes?.map(({ prefix, nextHop }) => [prefix, nextHop]),
  })
}

function checkSettings({ privateInterface, staticRoutes = [] }: GatewaySettings): void {
  if (privateInterface) checkPrivateInterface(privateInterface)
  staticRoutes.forEach(({ prefix, nextHop }, index) => {
    const at = `${AT}.StaticRoutes[${index}]`
    if (parseCidr(prefix) === undefined) {
      throw new BadRequest(
        `${at}.Prefix must be a network such as 192.0.2.0/24, without host bits.`,
        `${at}.Prefix は 192.0.2.0/24 のようなネットワーク（ホスト部は 0）でなければなりません。`,
      )
    }
    if (parseIpv4(nextHop) === undefined) {
      throw new BadRequest(
        `${at}.NextHop must be an IPv4 address.`,
        `${at}.NextHop は IPv4 アドレスでなければなりません。`,
      )
    }
  })
}

function checkPrivateInterface(wanted: PrivateInterface): void {
  const network = privateNetwork(wanted)
  wanted.addresses.forEach((text, index) => {
    const at = `${AT}.Interfaces[1].IPAddress[${index}]`
    const address = parseIpv4(text)
    if (address === undefined || !isPrivateIpv4(address)) {
      throw new BadRequest(
        `${at} must be a private IPv4 address.`,
        `${at} はプライベート IPv4 アドレスでなければなりません。`,
      )
    }
    const last = network.network + 2 ** (32 - network.prefixLength) - 1
    if (address <= network.network || address >= last) {
      throw new BadRequest(
        `${at} must be the address of a host in the network of the first one.`,
        `${at} は最初のアドレスのネットワーク内のホストアドレスでなければなりません。`,
      )
    }
  })
}

/** The network that the private interface is in. */
export function privateNetwork({ addresses, maskLength }: PrivateInterface): Cidr {
  const size = 2 ** (32 - maskLength)
  const first = parseIpv4(addresses[0] ?? '') ?? 0
  return { network: first - (first % size), prefixLength: maskLength }
}
