/**
 * What the network makes of a gateway. It knows the applied settings alone; what is only stored does
 * not exist for it (docs/gateways.md).
 */
import { type Cidr, overlaps, parseCidr } from '../../kernel/ipv4.ts'
import type { InterfaceNumber } from './monitor-rules.ts'
import { type Gateway, isUp } from './rules.ts'
import { type PrivateInterface, privateNetwork, type StaticRoute } from './settings-rules.ts'

export interface GatewayNetwork {
  readonly isUp: boolean
  /** Devices without a fixed IP get an address from here. */
  readonly pool: Cidr
  readonly internetConnection: boolean
  readonly interDeviceCommunication: boolean
  /** Only a connected interface carries anything. */
  readonly privateInterface: PrivateInterface | undefined
  readonly staticRoutes: readonly StaticRoute[]
}

/** The first that leaves the networks behind the private interface reachable is taken. */
const POOLS: readonly Cidr[] = [
  '10.64.0.0/10',
  '172.16.0.0/12',
  '10.0.0.0/10',
  '192.168.0.0/16',
].map(known)
/** A route for more than this (a default route, say) leads to everything else, not to a place. */
const PLACE_PREFIX_MIN = 8

export function networkOf(gateway: Gateway, now: Date): GatewayNetwork {
  const applied = gateway.appliedSettings ?? {}
  return {
    isUp: isUp(gateway, now),
    pool: poolOf(gateway),
    internetConnection: applied.internetConnection ?? false,
    interDeviceCommunication: applied.interDeviceCommunication ?? false,
    privateInterface:
      gateway.switchId === undefined ? undefined : (applied.privateInterface ?? undefined),
    staticRoutes: applied.staticRoutes ?? [],
  }
}

/** With the internet shut off, what devices send and get passes through the private interface. */
export function carryingInterface(network: GatewayNetwork): InterfaceNumber {
  return network.privateInterface !== undefined && !network.internetConnection ? 1 : 0
}

function poolOf({ appliedSettings }: Gateway): Cidr {
  const { privateInterface, staticRoutes = [] } = appliedSettings ?? {}
  const taken = [
    ...(privateInterface ? [privateNetwork(privateInterface)] : []),
    ...staticRoutes.map(({ prefix }) => known(prefix)),
  ].filter(({ prefixLength }) => prefixLength >= PLACE_PREFIX_MIN)
  const free = POOLS.find((pool) => !taken.some((network) => overlaps(pool, network)))
  return free ?? known('10.64.0.0/10')
}

function known(text: string): Cidr {
  const cidr = parseCidr(text)
  if (cidr === undefined) throw new Error(`${text} is not a network.`)
  return cidr
}
