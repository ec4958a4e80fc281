import { japanTime } from '../../kernel/datetime.ts'
import { iconFromWire, iconToWire } from '../../kernel/icon.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { Static } from '../../kernel/type.ts'
import { zoneId } from '../../kernel/zone.ts'
import { defaultRoute } from './address-rules.ts'
import type { gatewayContract } from './contract.ts'
import {
  GATEWAY_CLASS,
  GATEWAY_SERVICE_CLASS,
  type Gateway,
  type GatewayChange,
  isAvailable,
} from './rules.ts'
import { settingsHash } from './settings-rules.ts'
import { settingsFromWire, settingsToWire } from './settings-wire.ts'
import type { Switch } from './switch-rules.ts'

type Patch = Static<(typeof gatewayContract)['gatewayUpdate']['body']>['Appliance']

/** What the shared line of every gateway carries. */
const BANDWIDTH_MBPS = 100
/** Past all ids that are made or given, so that it is nobody's. */
const SHARED_SWITCH_ID = '999999999999'

/** `network` is the switch that the private interface is connected to. */
export function gatewayToWire(gateway: Gateway, network: Switch | undefined, now: Date) {
  return spell(gateway, network, isAvailable(gateway, now))
}

/** The answer to a creation shows a gateway that is being made, also where that takes no time. */
export function newToWire(gateway: Gateway) {
  return spell(gateway, undefined, false)
}

/** Interface, States: after deletion there is no instance and no interface. */
export function deletedToWire(gateway: Gateway, now: Date) {
  return { ...gatewayToWire(gateway, undefined, now), Instance: null, Interfaces: [] }
}

function spell(gateway: Gateway, network: Switch | undefined, made: boolean) {
  return {
    ID: gateway.id,
    Class: GATEWAY_CLASS,
    Name: gateway.name,
    Description: gateway.description,
    Plan: { ID: gateway.planId },
    Settings: settingsToWire(gateway.settings),
    SettingsHash: settingsHash(gateway.settings) ?? null,
    Remark: {
      Servers: [{}],
      Switch: { Scope: 'shared' },
      Zone: { ID: zoneId(gateway.zone) },
      ...(made ? { MobileGateway: { GlobalAddress: formatIpv4(gateway.publicAddress) } } : {}),
    },
    Availability: made ? ('available' as const) : ('migrating' as const),
    Instance: made
      ? { Status: gateway.power, StatusChangedAt: japanTime(gateway.powerChangedAt) }
      : null,
    ServiceClass: GATEWAY_SERVICE_CLASS,
    CreatedAt: japanTime(gateway.createdAt),
    Icon: iconToWire(gateway.iconId),
    Switch: null,
    Interfaces: made
      ? [publicInterface(gateway), ...(network ? [privateInterface(gateway, network)] : [])]
      : [],
    Tags: [...gateway.tags],
  }
}

export function changeFromWire({
  Name,
  Description,
  Tags,
  Icon,
  Settings,
  ...rest
}: Patch): GatewayChange {
  return {
    name: Name,
    description: Description,
    tags: Tags,
    iconId: iconFromWire(Icon),
    settings: settingsFromWire(Settings?.MobileGateway ?? undefined),
    // Clients send an empty text for none.
    settingsHash: rest.SettingsHash || undefined,
  }
}

export function envelope(status: string) {
  return {
    ReturnCode: 0 as const,
    ResponseHeaders: { Status: status, Cause: null },
    Out: null,
  }
}

/** Every gateway is on the operator's one network: a switch that no account has. */
function publicInterface({ publicAddress, publicSubnet }: Gateway) {
  const route = defaultRoute(publicSubnet)
  const NetworkMaskLen = publicSubnet.prefixLength
  return {
    IPAddress: formatIpv4(publicAddress),
    UserIPAddress: null,
    HostName: null,
    Switch: {
      ID: SHARED_SWITCH_ID,
      Name: 'shared',
      Scope: 'shared',
      Subnet: {
        NetworkAddress: formatIpv4(publicSubnet.network),
        NetworkMaskLen,
        DefaultRoute: route,
        Internet: { BandWidthMbps: BANDWIDTH_MBPS },
      },
      UserSubnet: { DefaultRoute: route, NetworkMaskLen },
    },
  }
}

/** The address is that of the applied settings: the network does not know what is only stored. */
function privateInterface({ appliedSettings }: Gateway, { id, name, userSubnet }: Switch) {
  return {
    IPAddress: null,
    UserIPAddress: appliedSettings?.privateInterface?.addresses[0] ?? null,
    HostName: null,
    Switch: {
      ID: id,
      Name: name,
      Scope: 'user',
      Subnet: null,
      UserSubnet:
        userSubnet === undefined
          ? null
          : { DefaultRoute: userSubnet.defaultRoute, NetworkMaskLen: userSubnet.maskLength },
    },
  }
}
