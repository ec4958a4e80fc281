/** Which addresses of the operator's pool a gateway can have (docs/gateways.md). */
import { type Cidr, formatIpv4 } from '../../kernel/ipv4.ts'

/** The first two belong to the network itself and to its default route, the last is broadcast. */
export function firstHost(pool: Cidr): number {
  return pool.network + 2
}

export function lastHost(pool: Cidr): number {
  return pool.network + 2 ** (32 - pool.prefixLength) - 2
}

export function defaultRoute(pool: Cidr): string {
  return formatIpv4(pool.network + 1)
}

/**
 * Where the search for a free address begins. Ids are unique and counted up, so that concurrent
 * creations begin at different addresses and seldom meet.
 */
export function startingHost(pool: Cidr, id: string): number {
  return firstHost(pool) + (Number(id) % (lastHost(pool) - firstHost(pool) + 1))
}
