/**
 * The session engine: one set of rules for any network element. A device is let in or refused with a
 * reason, gets its address, and its session ends when its condition ends. Whatever changes a SIM calls
 * `settle` afterwards, which brings the live session in line with what now holds (docs/adr/0020-session-engine.md).
 */
import type { Tx } from '../../storage/database.ts'
import { later } from './accounting-rules.ts'
import { firstFree, poolWindows } from './address-rules.ts'
import { type EndedSession, EndedStore } from './ended-store.ts'
import type { LogEntry } from './log-rules.ts'
import { LogStore } from './log-store.ts'
import type { Network, Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import {
  type Device,
  ELEMENT_CAUSES,
  type EndCause,
  fixedIp,
  isOutdated,
  isRepeated,
  type NetworkKey,
  NO_TRAFFIC,
  type Reason,
  refusalReason,
  type Session,
  type Traffic,
} from './session-rules.ts'
import { SessionStore } from './session-store.ts'
import { findSim } from './store.ts'

export type Admission =
  | { readonly accepted: true; readonly session: Session }
  | { readonly accepted: false; readonly reason: Reason }

/** A session that its element has begun, as it reports it. */
export interface Begun extends Traffic {
  readonly at: Date
  /** The address that the element says the device has. */
  readonly ip: number | undefined
}

/** `ended` is what is remembered of a session of an element. */
type OnEnd = (session: Session, ended: EndedSession | undefined) => void

export class Sessions {
  readonly #tx: Tx
  readonly #networks: Networks
  readonly #onEnd: OnEnd
  readonly #live: SessionStore
  readonly #log: LogStore

  /** `onEnd` hears of each session that ends, also of one that another had to give way to. */
  constructor(tx: Tx, networks: Networks, onEnd: OnEnd = () => undefined) {
    this.#tx = tx
    this.#networks = networks
    this.#onEnd = onEnd
    this.#live = new SessionStore(tx)
    this.#log = new LogStore(tx)
  }

  find(sim: Pick<Sim, 'id'>): Promise<Session | undefined> {
    return this.#live.find(sim.id)
  }

  /** A device asks to be let in. One that is let in again gets a new session for its old one. */
  async attach(iccid: string, device: Device, now: Date): Promise<Admission> {
    const admission = await this.#admit(iccid, device, now)
    if (!admission.accepted) {
      await this.#log.insertRefusal({ iccid, ...device, reason: admission.reason, at: now })
    }
    return admission
  }

  async #admit(iccid: string, device: Device, now: Date): Promise<Admission> {
    const sim = await findSim(this.#tx, { iccid })
    if (sim === undefined) return { accepted: false, reason: 'not_registered' }
    return this.#admitSim(sim, device, { ...NO_TRAFFIC, at: now, ip: undefined }, now)
  }

  async #admitSim(sim: Sim, device: Device, begun: Begun, now: Date): Promise<Admission> {
    const network = await this.#networks.of(this.#tx, sim)
    const reason = refusalReason(sim, device, network)
    if (network === undefined || reason !== undefined) {
      return { accepted: false, reason: reason ?? 'no_network' }
    }
    await this.end(sim, 'attached_again', now)
    const session = await this.#begin(sim, device, network, begun, now)
    // A network without a free address is as good as none.
    return session === undefined
      ? { accepted: false, reason: 'no_network' }
      : { accepted: true, session }
  }

  /**
   * An element asks for the device with this card; `key` is how it names the SIM. A question that is repeated, before
   * the element has begun the session, gets the same answer.
   */
  async authorize(
    sim: Sim | undefined,
    key: string,
    device: Device,
    now: Date,
  ): Promise<Admission> {
    const live = sim && (await this.#live.find(sim.id))
    if (sim !== undefined && live !== undefined && isRepeated(live, device)) {
      const network = await this.#networks.of(this.#tx, sim)
      const isAllowed = refusalReason(sim, device, network) === undefined
      if (isAllowed && network !== undefined && !isOutdated(live, sim, network)) {
        return { accepted: true, session: live }
      }
    }
    const admission: Admission =
      sim === undefined
        ? { accepted: false, reason: 'not_registered' }
        : await this.#admitSim(sim, device, { ...NO_TRAFFIC, at: now, ip: undefined }, now)
    if (!admission.accepted) {
      const { reason } = admission
      await this.#log.insertRefusal({ iccid: sim?.iccid ?? key, ...device, reason, at: now })
    }
    return admission
  }

  /** An element has begun a session without asking, or goes on with one; a refusal is kept. */
  async adopt(sim: Sim, device: Device, begun: Begun, now: Date): Promise<Admission> {
    const admission = await this.#admitSim(sim, device, begun, now)
    if (!admission.accepted) {
      const { reason } = admission
      await this.#log.insertRefusal({ iccid: sim.iccid, ...device, reason, at: now })
    }
    return admission
  }

  /** Sessions that their elements have ended, at the times that these say. */
  async endTogether(ended: readonly { session: Session; at: Date }[], now: Date): Promise<void> {
    await this.#live.deleteAll(ended.map(({ session }) => session))
    const ids = await Promise.all(ended.map(() => this.#tx.next('session')))
    await this.#log.insertAll(
      ended.map(({ session, at }, index) => deletedEntry(session, ids[index] ?? 0, at)),
    )
    const rows = ended.flatMap(({ session, at }) => {
      const { element } = session
      const isNamed = element !== undefined && element.acctSessionId !== ''
      return isNamed
        ? [{ ...session, element, endedAt: later(at, now), cause: 'stop' as const }]
        : []
    })
    await new EndedStore(this.#tx).put(rows)
  }

  /** Those that no element was heard of since then. */
  async endLost(before: Date, most: number, now: Date): Promise<number> {
    const lost = await this.#live.listUnseen(before, most)
    for (const session of lost) await this.#end(session, 'lost', now)
    return lost.length
  }

  /** Ends the session of this SIM, if it has one. */
  async end(sim: Pick<Sim, 'id'>, cause: EndCause, now: Date): Promise<void> {
    const session = await this.#live.find(sim.id)
    if (session !== undefined) await this.#end(session, cause, now)
  }

  /** The network is down or gone. */
  async endAll(network: NetworkKey, now: Date): Promise<void> {
    for (const session of await this.#live.listOf(network)) {
      await this.#end(session, 'gateway_down', now)
    }
  }

  /** The element has begun anew, or is gone: what it had begun until then is over. */
  async endOfElement(name: string, before: Date, cause: EndCause, now: Date): Promise<void> {
    for (const session of await this.#live.listOfElement(name, before)) {
      await this.#end(session, cause, now)
    }
  }

  /** Drops the session; the device comes back by itself. */
  async reconnect(sim: Sim, now: Date): Promise<void> {
    const session = await this.#live.find(sim.id)
    if (session !== undefined) await this.#again(sim, session, 'reconnect', now)
  }

  /** After a change of the SIM: its session goes on, begins anew, or ends. */
  async settle(sim: Sim, now: Date): Promise<void> {
    const session = await this.#live.find(sim.id)
    if (session === undefined) return
    const network = await this.#networks.of(this.#tx, sim)
    const reason = refusalReason(sim, session, network)
    if (network === undefined || reason !== undefined) {
      return this.#end(session, reason ?? 'no_network', now)
    }
    if (isOutdated(session, sim, network)) await this.#again(sim, session, 'address_changed', now)
  }

  /** A device behind an element comes back by an attach of its own; the others do so here. */
  async #again(sim: Sim, session: Session, cause: EndCause, now: Date): Promise<void> {
    await this.#end(session, cause, now)
    if (session.element !== undefined) return
    const network = await this.#networks.of(this.#tx, sim)
    if (network === undefined || refusalReason(sim, session, network) !== undefined) return
    const begun = { ...NO_TRAFFIC, at: now, ip: undefined }
    await this.#begin(sim, session, network, begun, now)
  }

  async #begin(
    sim: Sim,
    { imei, carrier, element }: Device,
    network: Network,
    { at, ip, uplinkBytes, downlinkBytes }: Begun,
    now: Date,
  ): Promise<Session | undefined> {
    const { id: simId, iccid, imsis } = sim
    const id = await this.#tx.next('session')
    const fixed = fixedIp(sim, network)
    // Only an element limits it.
    const bitsPerSecond = element && (await this.#networks.bandwidth?.(this.#tx, network, now))
    const session = await this.#insert(network, fixed, ip, {
      ...{ id, simId, iccid, imei, carrier, imsi: imsis[0] ?? '', since: at, countedAt: at },
      ...{ uplinkBytes, downlinkBytes, element, seenAt: element && now, bitsPerSecond },
      network: { kind: network.kind, id: network.id },
      isIpFixed: fixed !== undefined,
    })
    if (session === undefined) return undefined
    await this.#log.insert({
      ...{ id, simId, imei, imsi: session.imsi, at },
      networkId: network.id,
      event: 'Created',
    })
    return session
  }

  async #insert(
    network: Network,
    fixed: number | undefined,
    given: number | undefined,
    draft: Omit<Session, 'ip'>,
  ): Promise<Session | undefined> {
    if (fixed !== undefined) {
      const session = { ...draft, ip: fixed }
      await this.#displace(network, session)
      return (await this.#live.insert(session)) ? session : undefined
    }
    if (given !== undefined && (await this.#live.listTaken(network, given, given)).size === 0) {
      const session = { ...draft, ip: given }
      if (await this.#live.insert(session)) return session
    }
    for (const window of poolWindows(network.pool, draft.simId)) {
      const taken = await this.#live.listTaken(network, window.first, window.last)
      const ip = firstFree(window, taken)
      if (ip === undefined) continue
      const session = { ...draft, ip }
      if (await this.#live.insert(session)) return session
    }
    return undefined
  }

  /** A fixed address goes before a given one: who was given it reconnects and gets another. */
  async #displace(network: Network, session: Session): Promise<void> {
    const holder = await this.#live.findByAddress(network, session.ip)
    if (holder === undefined) return
    const sim = await findSim(this.#tx, { id: holder.simId })
    if (sim !== undefined) await this.#again(sim, holder, 'address_changed', session.since)
  }

  async #end(session: Session, cause: EndCause, now: Date): Promise<void> {
    await this.#live.delete(session)
    await this.#endAtElement(session, cause, now)
    await this.#log.insert(deletedEntry(session, await this.#tx.next('session'), now))
  }

  async #endAtElement(session: Session, cause: EndCause, now: Date): Promise<void> {
    const { element } = session
    // One that the element has not named yet is not known by any later packet either.
    const isNamed = element !== undefined && element.acctSessionId !== ''
    // Of one that is lost, a packet that comes after the last one that was heard is new.
    const endedAt = (cause === 'lost' ? session.seenAt : undefined) ?? now
    const ended = isNamed ? { ...session, element, endedAt, cause } : undefined
    if (ended !== undefined) await new EndedStore(this.#tx).put([ended])
    this.#onEnd(session, ended)
    if (element === undefined) return
    const isOurs = !ELEMENT_CAUSES.some((own) => own === cause)
    if (isOurs) await this.#networks.elements?.disconnect(this.#tx, session, cause, now)
  }
}

function deletedEntry({ simId, network, imsi }: Session, id: number, at: Date): LogEntry {
  return { id, simId, networkId: network.id, event: 'Deleted', imei: undefined, imsi, at }
}
