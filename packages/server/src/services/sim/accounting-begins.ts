/** Which sessions the packets of a batch begin, before any of them is applied. */
import type { Entry, PacketEntry } from './accounting-entries.ts'
import { decide } from './accounting-rules.ts'
import type { AccountingState } from './accounting-state.ts'
import { carrierOf } from './elements.ts'
import type { BeginCandidate } from './session-begins.ts'

/** The first packet of each SIM without a session, where it begins one that nobody knew of. */
export function firstBegins(state: AccountingState, entries: readonly Entry[]): BeginCandidate[] {
  // What an element has begun before it began anew is over again.
  if (entries.some(({ type }) => type === 'restart')) return []
  const seen = new Set<string>()
  return entries.flatMap((entry) => {
    if (entry.type !== 'packet') return []
    const candidate = candidateOf(state, entry)
    if (candidate === undefined || seen.has(candidate.sim.id)) return []
    seen.add(candidate.sim.id)
    return state.live(candidate.sim.id) === undefined && isBegin(state, entry, candidate)
      ? [candidate]
      : []
  })
}

function candidateOf(state: AccountingState, entry: PacketEntry): BeginCandidate | undefined {
  const known = state.elementOf(entry)
  const sim = known && state.simOf(entry, known)
  if (known === undefined || sim === undefined) return undefined
  const { imei = '', at, ip } = entry.packet
  const carrier = carrierOf(known, entry.mccMnc) ?? ''
  const element = { name: known.name, acctSessionId: entry.acctSessionId }
  return { sim, imei, carrier, element, at, ip, now: entry.now }
}

function isBegin(
  state: AccountingState,
  { packet }: PacketEntry,
  { sim, element, carrier }: BeginCandidate,
): boolean {
  if (state.ended(element, sim.id) !== undefined) return false
  return decide({ ...packet, element, carrier }, undefined, undefined) === 'begin'
}
