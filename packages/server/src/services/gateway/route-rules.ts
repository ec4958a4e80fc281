/** SIM routes: which SIM leads to which network. */
import { BadRequest } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import { type Cidr, overlaps, parseCidr } from '../../kernel/ipv4.ts'

export const SIM_ROUTES_MAX = 10_000

export interface SimRoute {
  readonly simId: ItemId
  readonly prefix: string
}

/** Sorted by their start, two networks overlap exactly when two neighbours do. */
export function checkSimRoutes(routes: readonly SimRoute[]): readonly SimRoute[] {
  const networks = routes.map(({ prefix }, index) => ({ index, cidr: network(prefix, index) }))
  networks.sort((a, b) => a.cidr.network - b.cidr.network || a.index - b.index)
  networks.forEach(({ index, cidr }, position) => {
    const next = networks[position + 1]
    if (next === undefined || !overlaps(cidr, next.cidr)) return
    const [first, second] = [index, next.index].sort((a, b) => a - b)
    throw new BadRequest(
      `sim_routes[${second}].prefix overlaps sim_routes[${first}].prefix.`,
      `sim_routes[${second}].prefix は sim_routes[${first}].prefix と重複しています。`,
    )
  })
  return routes
}

function network(prefix: string, index: number): Cidr {
  const cidr = parseCidr(prefix)
  if (cidr !== undefined) return cidr
  throw new BadRequest(
    `sim_routes[${index}].prefix must be a network such as 192.0.2.0/24, without host bits.`,
    `sim_routes[${index}].prefix は 192.0.2.0/24 のようなネットワーク（ホスト部は 0）でなければなりません。`,
  )
}
