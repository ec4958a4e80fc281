/** What entries that are applied together need to know, read at once for all of them. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import type { Entry, PacketEntry, RestartEntry } from './accounting-entries.ts'
import { type Elements, elementOf, type KnownElement } from './elements.ts'
import { type EndedSession, EndedStore } from './ended-store.ts'
import type { Sim } from './rules.ts'
import type { ElementSession, Session } from './session-rules.ts'
import { SessionStore } from './session-store.ts'
import { findSims } from './store.ts'
import { findSubscribers, padded, type Subscribers } from './subscriber-store.ts'

export class AccountingState {
  readonly #elements: readonly KnownElement[]
  readonly #subscribers: Subscribers
  /** Of packets that name no SIM. */
  readonly #bySession: ReadonlyMap<string, Sim>
  readonly #live: Map<ItemId, Session>
  readonly #ended: Map<string, EndedSession>

  constructor(parts: {
    readonly elements: readonly KnownElement[]
    readonly subscribers: Subscribers
    readonly bySession: ReadonlyMap<string, Sim>
    readonly live: Map<ItemId, Session>
    readonly ended: Map<string, EndedSession>
  }) {
    this.#elements = parts.elements
    this.#subscribers = parts.subscribers
    this.#bySession = parts.bySession
    this.#live = parts.live
    this.#ended = parts.ended
  }

  elementOf({ element }: PacketEntry | RestartEntry): KnownElement | undefined {
    return elementOf(this.#elements, element)
  }

  simOfCard(iccid: string): Sim | undefined {
    return this.#subscribers.byIccid.get(iccid)
  }

  simOf({ subscriber: { imsi, number }, acctSessionId }: PacketEntry, { name }: KnownElement) {
    const { byImsi, byMsisdn } = this.#subscribers
    if (imsi !== undefined) return byImsi.get(imsi)
    if (number !== undefined) return byImsi.get(number) ?? byMsisdn.get(number)
    return this.#bySession.get(keyOf({ name, acctSessionId }))
  }

  live(simId: ItemId): Session | undefined {
    return this.#live.get(simId)
  }

  setLive(session: Session): void {
    this.#live.set(session.simId, session)
  }

  deleteLive({ simId }: Pick<Session, 'simId'>): void {
    this.#live.delete(simId)
  }

  ended(element: ElementSession, simId: ItemId): EndedSession | undefined {
    return this.#ended.get(keyOf(element, simId))
  }

  setEnded(session: EndedSession): void {
    this.#ended.set(keyOf(session.element, session.simId), session)
  }

  deleteEnded({ element, simId }: EndedSession): void {
    this.#ended.delete(keyOf(element, simId))
  }
}

export async function readState(
  tx: Tx,
  elementsPort: Elements,
  entries: readonly Entry[],
): Promise<AccountingState> {
  const packets = entries.filter((entry) => entry.type === 'packet')
  const fromElements = entries.filter(
    (entry) => entry.type === 'packet' || entry.type === 'restart',
  )
  const keys = fromElements.map(({ element }) => element)
  const [elements, subscribers] = await Promise.all([
    keys.length === 0 ? [] : elementsPort.find(tx, keys),
    findSubscribers(tx, wanted(entries)),
  ])
  const sessionsOf = new Map<PacketEntry, ElementSession>()
  for (const packet of packets) {
    const name = elementOf(elements, packet.element)?.name
    if (name !== undefined) sessionsOf.set(packet, { name, acctSessionId: packet.acctSessionId })
  }
  const bySession = await simsBySession(tx, sessionsOf)
  const sims = [
    ...[subscribers.byIccid, subscribers.byImsi, subscribers.byMsisdn, bySession].flatMap((map) => [
      ...map.values(),
    ]),
  ]
  const sessions = await new SessionStore(tx).listBySims(padded(sims.map(({ id }) => id)))
  const live = new Map(sessions.map((session) => [session.simId, session]))
  const known = new Set(sessions.map(({ element }) => element && keyOf(element)))
  const others = [...sessionsOf.values()].filter((one) => !known.has(keyOf(one)))
  const rows = await new EndedStore(tx).list(others)
  const ended = new Map(rows.map((row) => [keyOf(row.element, row.simId), row]))
  return new AccountingState({ elements, subscribers, bySession, live, ended })
}

function wanted(entries: readonly Entry[]) {
  const iccids: string[] = []
  const imsis: string[] = []
  const msisdns: string[] = []
  for (const entry of entries) {
    if (entry.type === 'added' || entry.type === 'reported') iccids.push(entry.iccid)
    if (entry.type !== 'packet') continue
    const { imsi, number } = entry.subscriber
    if (imsi !== undefined) imsis.push(imsi)
    else if (number !== undefined) {
      imsis.push(number)
      msisdns.push(number)
    }
  }
  return { iccids, imsis, msisdns }
}

/** An element may leave out the SIM once it has named the session. */
async function simsBySession(
  tx: Tx,
  sessionsOf: ReadonlyMap<PacketEntry, ElementSession>,
): Promise<ReadonlyMap<string, Sim>> {
  const nameless = [...sessionsOf].flatMap(
    ([
      {
        subscriber: { imsi, number },
      },
      session,
    ]) => (imsi === undefined && number === undefined ? [session] : []),
  )
  if (nameless.length === 0) return new Map()
  const known = [
    ...(await new EndedStore(tx).list(nameless)),
    ...(await new SessionStore(tx).listByElements(nameless)),
  ]
  const sims = await findSims(
    tx,
    known.map(({ simId }) => simId),
  )
  return new Map(
    known.flatMap(({ element, simId }) => {
      const sim = sims.get(simId)
      return element === undefined || sim === undefined ? [] : [[keyOf(element), sim] as const]
    }),
  )
}

function keyOf({ name, acctSessionId }: ElementSession, simId = ''): string {
  return `${name} ${simId} ${acctSessionId}`
}
