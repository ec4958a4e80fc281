/**
 * Applies entries that have waited together, in their order, in one transaction. What they need is read for all of
 * them, what they change is written for all of them: a few statements for a hundred packets. Only a session that
 * begins, or an element that begins anew, takes statements of its own.
 */
import type { Refusal } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { firstBegins } from './accounting-begins.ts'
import type {
  AddedEntry,
  Entry,
  PacketEntry,
  ReportedEntry,
  RestartEntry,
} from './accounting-entries.ts'
import { noSession, noSim, unknownElement } from './accounting-refusals.ts'
import { type AccountingPacket, decide, largest, later } from './accounting-rules.ts'
import { type AccountingState, readState } from './accounting-state.ts'
import type { Carriers } from './carriers.ts'
import { CountBatchStore } from './count-batch-store.ts'
import { Counts } from './counts.ts'
import { carrierOf, type Elements, type KnownElement } from './elements.ts'
import { type EndedSession, EndedStore } from './ended-store.ts'
import { FORGET_JOB, LOST_JOB } from './jobs.ts'
import type { Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import { beginTogether } from './session-begins.ts'
import { addTraffic, NO_TRAFFIC, newTraffic, type Session, type Traffic } from './session-rules.ts'
import { Sessions } from './sessions.ts'

export interface AccountingParts {
  readonly networks: Networks
  readonly carriers: Carriers
  readonly elements: Elements
  readonly wake: Wake
}

/** Undefined for an entry that was applied, or that had nothing to add. */
export type EntryOutcome = Refusal | undefined

export class AccountingBatch {
  readonly #tx: Tx
  readonly #parts: AccountingParts
  readonly #state: AccountingState
  readonly #sessions: Sessions
  readonly #counts = new Counts()
  readonly #changed = new Map<string, Session>()
  readonly #over: { session: Session; at: Date }[] = []
  readonly #remembered = new Map<string, EndedSession>()
  readonly #packets = new Map<string, number>()

  static async run(
    tx: Tx,
    parts: AccountingParts,
    entries: readonly Entry[],
  ): Promise<EntryOutcome[]> {
    const batch = new AccountingBatch(tx, parts, await readState(tx, parts.elements, entries))
    await batch.#beginTogether(entries)
    const outcomes: EntryOutcome[] = []
    for (const entry of entries) outcomes.push(await batch.#apply(entry))
    const now = entries.reduce((last, entry) => later(last, entry.now), new Date(0))
    await batch.#write(now)
    return outcomes
  }

  private constructor(tx: Tx, parts: AccountingParts, state: AccountingState) {
    this.#tx = tx
    this.#parts = parts
    this.#state = state
    this.#sessions = new Sessions(tx, parts.networks, (session, ended) => {
      state.deleteLive(session)
      if (ended !== undefined) state.setEnded(ended)
    })
  }

  /** Alone, one begins as any device does. */
  async #beginTogether(entries: readonly Entry[]): Promise<void> {
    const candidates = firstBegins(this.#state, entries)
    if (candidates.length < 2) return
    const { networks, wake } = this.#parts
    for (const session of await beginTogether(this.#tx, networks, candidates)) {
      this.#state.setLive(session)
    }
    this.#tx.afterCommit(() => wake(LOST_JOB))
  }

  #apply(entry: Entry): EntryOutcome | Promise<EntryOutcome> {
    switch (entry.type) {
      case 'packet':
        return this.#packet(entry)
      case 'restart':
        return this.#restart(entry)
      case 'added':
        return this.#added(entry)
      default:
        return this.#reported(entry)
    }
  }

  #added({ iccid, added, now }: AddedEntry): EntryOutcome {
    const sim = this.#state.simOfCard(iccid)
    if (sim === undefined) return noSim(iccid)
    const session = this.#state.live(sim.id)
    if (session === undefined) return noSession(iccid)
    this.#count(sim, session, addTraffic(session, added), now)
    return undefined
  }

  /** One that comes after the session's end adds nothing. */
  #reported({ iccid, sessionId, used, now }: ReportedEntry): EntryOutcome {
    const sim = this.#state.simOfCard(iccid)
    if (sim === undefined) return noSim(iccid)
    const session = this.#state.live(sim.id)
    if (session?.id === sessionId) this.#count(sim, session, used, now)
    return undefined
  }

  #packet(entry: PacketEntry): EntryOutcome | Promise<EntryOutcome> {
    const element = this.#heard(entry)
    if (element === undefined) return unknownElement()
    const sim = this.#state.simOf(entry, element)
    // Whoever is not registered has no session here, and asking again would not help the element.
    if (sim === undefined) return undefined
    const named = { name: element.name, acctSessionId: entry.acctSessionId }
    const carrier = carrierOf(element, entry.mccMnc)
    const packet: AccountingPacket = { ...entry.packet, element: named, carrier }
    const live = this.#state.live(sim.id)
    const ended = this.#state.ended(named, sim.id)
    const decision = decide(packet, live, ended)
    if (live !== undefined && (decision === 'count' || decision === 'bind' || decision === 'end')) {
      const session = {
        ...live,
        element: named,
        seenAt: later(live.seenAt ?? live.since, entry.now),
      }
      const counted = this.#count(sim, session, packet.used, packet.at)
      if (decision === 'end') this.#end(counted, packet.at)
      return undefined
    }
    if (ended !== undefined && decision === 'addEnded') {
      this.#addEnded(sim, ended, packet)
      return undefined
    }
    return decision === 'remember'
      ? this.#remember(sim, packet)
      : this.#begin(sim, packet, ended, entry.now)
  }

  #heard(entry: PacketEntry | RestartEntry): KnownElement | undefined {
    const element = this.#state.elementOf(entry)
    if (element === undefined) return undefined
    this.#packets.set(element.name, (this.#packets.get(element.name) ?? 0) + 1)
    return element
  }

  #count(sim: Sim, session: Session, used: Traffic, at: Date): Session {
    const added = newTraffic(session, used)
    this.#counts.add({ sim, carrier: session.carrier, network: session.network, added, at })
    const isNew = added.uplinkBytes + added.downlinkBytes > 0
    const countedAt = isNew ? later(session.countedAt, at) : session.countedAt
    const counted = { ...session, ...largest(session, used), countedAt }
    this.#state.setLive(counted)
    this.#changed.set(sim.id, counted)
    return counted
  }

  #end(session: Session, at: Date): void {
    this.#changed.delete(session.simId)
    this.#over.push({ session, at })
    this.#state.deleteLive(session)
    const { element } = session
    if (element !== undefined) {
      this.#state.setEnded({ ...session, element, endedAt: at, cause: 'stop' })
    }
  }

  #addEnded(sim: Sim, ended: EndedSession, packet: AccountingPacket): void {
    const added = newTraffic(ended, packet.used)
    const isStop = packet.kind === 'stop' && ended.cause !== 'stop'
    if (!isStop && added.uplinkBytes + added.downlinkBytes === 0) return
    const { carrier, network } = ended
    this.#counts.add({ sim, carrier, network, added, at: packet.at })
    this.#put({
      ...{ ...ended, ...largest(ended, packet.used) },
      cause: isStop ? 'stop' : ended.cause,
      endedAt: later(ended.endedAt, packet.at),
    })
  }

  #put(ended: EndedSession): void {
    const { element, simId } = ended
    this.#state.setEnded(ended)
    this.#remembered.set(`${element.name} ${simId} ${element.acctSessionId}`, ended)
  }

  /** It was over before it was known: what it has used counts where the SIM is now. */
  async #remember(sim: Sim, packet: AccountingPacket): Promise<EntryOutcome> {
    const network = await this.#parts.networks.of(this.#tx, sim)
    const key = network && { kind: network.kind, id: network.id }
    this.#rememberIn(sim, packet, key, packet.kind === 'stop' ? 'stop' : 'late')
    return undefined
  }

  #rememberIn(
    sim: Sim,
    { element, imei = '', carrier = '', ip, used, at }: AccountingPacket,
    network: EndedSession['network'],
    cause: EndedSession['cause'],
  ): void {
    this.#counts.add({ sim, carrier, network, added: used, at })
    const simId = sim.id
    this.#put({ ...used, element, simId, imei, carrier, ip, network, endedAt: at, cause })
  }

  async #begin(
    sim: Sim,
    packet: AccountingPacket,
    ended: EndedSession | undefined,
    now: Date,
  ): Promise<EntryOutcome> {
    await this.#flush(now)
    const { element, at, used } = packet
    const imei = packet.imei ?? ended?.imei ?? ''
    const carrier = packet.carrier ?? ended?.carrier ?? ''
    const device = { imei, carrier, element }
    const ip = packet.ip ?? ended?.ip
    const known: Traffic = ended ?? NO_TRAFFIC
    const { uplinkBytes, downlinkBytes } = known
    const begun = { uplinkBytes, downlinkBytes, at, ip }
    const admission = await this.#sessions.adopt(sim, device, begun, now)
    if (!admission.accepted) {
      await this.#refuse(sim, { ...packet, imei, carrier }, admission.reason, now)
      return undefined
    }
    if (ended !== undefined) {
      await new EndedStore(this.#tx).delete([ended])
      this.#state.deleteEnded(ended)
    }
    this.#tx.afterCommit(() => this.#parts.wake(LOST_JOB))
    this.#state.setLive(admission.session)
    this.#count(sim, admission.session, used, at)
    return undefined
  }

  /** The element holds a session that the SIM may not have: it is asked to end it, once. */
  async #refuse(
    sim: Sim,
    packet: AccountingPacket,
    reason: EndedSession['cause'],
    now: Date,
  ): Promise<void> {
    const { element, imei = '', carrier = '', ip, used, at } = packet
    this.#rememberIn(sim, packet, undefined, reason)
    if (ip === undefined) return
    const session: Session = {
      ...{ ...used, element, imei, carrier, ip, id: 0, simId: sim.id, iccid: sim.iccid },
      ...{ imsi: sim.imsis[0] ?? '', network: { kind: 'gateway', id: '' }, isIpFixed: false },
      ...{ since: at, countedAt: at, seenAt: now },
    }
    await this.#parts.networks.elements?.disconnect(this.#tx, session, reason, now)
  }

  async #restart(entry: RestartEntry): Promise<EntryOutcome> {
    const element = this.#heard(entry)
    if (element === undefined) return unknownElement()
    await this.#flush(entry.now)
    const { mark, at, now } = entry
    const marked = { name: element.name, acctSessionId: mark ?? '' }
    const store = new EndedStore(this.#tx)
    if (mark !== undefined && (await store.list([marked])).length > 0) return undefined
    await this.#sessions.endOfElement(element.name, at, 'element_restart', now)
    if (mark !== undefined) await store.mark(marked, now)
    return undefined
  }

  /** What later statements of the same transaction have to see. */
  async #flush(now: Date): Promise<void> {
    await new CountBatchStore(this.#tx).updateSessions([...this.#changed.values()])
    this.#changed.clear()
    if (this.#over.length > 0) {
      await this.#sessions.endTogether(this.#over.splice(0), now)
      this.#tx.afterCommit(() => this.#parts.wake(FORGET_JOB))
    }
    await new EndedStore(this.#tx).put([...this.#remembered.values()])
    this.#remembered.clear()
  }

  async #write(now: Date): Promise<void> {
    const { networks, carriers, elements, wake } = this.#parts
    const heard = [...this.#packets].map(([element, packets]) => ({ element, packets, at: now }))
    await Promise.all([
      this.#flush(now),
      this.#counts.write(this.#tx, networks, carriers, wake),
      ...(heard.length === 0 ? [] : [elements.heard(this.#tx, heard)]),
    ])
  }
}
