/**
 * Sessions that elements report for the first time, begun together: what most of them need is read and written for all.
 * Whoever is not among them (refused, with a fixed address, where the nearest address is taken) begins alone.
 */
import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { poolWindows } from './address-rules.ts'
import { LogStore } from './log-store.ts'
import type { Network, Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import { type ElementSession, NO_TRAFFIC, refusalReason, type Session } from './session-rules.ts'
import { SessionStore } from './session-store.ts'

export interface BeginCandidate {
  readonly sim: Sim
  readonly imei: string
  readonly carrier: string
  readonly element: ElementSession
  readonly at: Date
  readonly ip: number | undefined
  readonly now: Date
}

interface Placed extends BeginCandidate {
  readonly network: Network
  readonly address: number
}

/** The SIMs have no session. */
export async function beginTogether(
  tx: Tx,
  networks: Networks,
  candidates: readonly BeginCandidate[],
): Promise<Session[]> {
  const live = new SessionStore(tx)
  const placed: Placed[] = []
  for (const [network, own] of await byNetwork(tx, networks, candidates)) {
    const addresses = own.map((one) => ({ ...one, network, address: addressOf(one, network) }))
    const distinct = [...new Map(addresses.map((one) => [one.address, one])).values()]
    const taken = await live.listTakenOf(
      network,
      distinct.map(({ address }) => address),
    )
    placed.push(...distinct.filter(({ address }) => !taken.has(address)))
  }
  if (placed.length === 0) return []
  const limits = new Map<string, number | undefined>()
  for (const { network, now } of placed) {
    if (!limits.has(network.id)) {
      limits.set(network.id, await networks.bandwidth?.(tx, network, now))
    }
  }
  const ids = await Promise.all(placed.map(() => tx.next('session')))
  const sessions = placed.map((one, index) =>
    toSession(one, ids[index] ?? 0, limits.get(one.network.id)),
  )
  await live.insertAll(sessions)
  await new LogStore(tx).insertAll(
    sessions.map(({ id, simId, imei, imsi, network, since: at }) => ({
      ...{ id, simId, imei, imsi, at, networkId: network.id, event: 'Created' as const },
    })),
  )
  return sessions
}

/** Those that may begin in a gateway, by the gateway; one that is met again is not asked for again. */
async function byNetwork(
  tx: Tx,
  networks: Networks,
  candidates: readonly BeginCandidate[],
): Promise<ReadonlyMap<Network, BeginCandidate[]>> {
  const known = new Map<string, Network | undefined>()
  const found = new Map<Network, BeginCandidate[]>()
  for (const one of candidates) {
    const { gatewayId, ip } = one.sim
    if (gatewayId === undefined || ip !== undefined) continue
    if (!known.has(gatewayId)) known.set(gatewayId, await networks.of(tx, one.sim))
    const network = known.get(gatewayId)
    if (network?.kind !== 'gateway' || refusalReason(one.sim, one, network) !== undefined) continue
    found.set(network, [...(found.get(network) ?? []), one])
  }
  return found
}

function addressOf({ ip, sim }: BeginCandidate, { pool }: Network): number {
  const [window] = poolWindows(pool, sim.id)
  return ip ?? window?.first ?? pool.network
}

function toSession(placed: Placed, id: number, bitsPerSecond: number | undefined): Session {
  const { sim, imei, carrier, element, network, address, at, now } = placed
  const simId: ItemId = sim.id
  return {
    ...{ id, simId, iccid: sim.iccid, imsi: sim.imsis[0] ?? '', imei, carrier, element },
    ...{ ...NO_TRAFFIC, network: { kind: network.kind, id: network.id } },
    ...{ ip: address, isIpFixed: false, since: at, countedAt: at, seenAt: now, bitsPerSecond },
  }
}
