/**
 * The network's side of SIMs: what a network element, the operator or a simulated fleet calls. Each
 * call is a transaction of its own, so a plane needs neither a database nor a store.
 */
import { japanMonth } from '../../kernel/datetime.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { Meter } from '../metering/public.ts'
import { simTrafficOf } from '../pricing/public.ts'
import { ACCOUNT_TRAFFIC_JOB } from './account-traffic-job.ts'
import { AccountTrafficStore } from './account-traffic-store.ts'
import { Accounting } from './accounting.ts'
import type { Carriers } from './carriers.ts'
import { type Elements, NO_ELEMENTS } from './elements.ts'
import { type Fleet, FleetStore } from './fleet-store.ts'
import { FORGET_JOB, PACK_JOB } from './jobs.ts'
import type { Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import type { Device, Session, Traffic } from './session-rules.ts'
import { type Admission, Sessions } from './sessions.ts'
import { countSteps } from './step-counts.ts'
import { findSim, listIccids } from './store.ts'
import type { Step } from './traffic-rules.ts'

export class Devices {
  readonly #database: Database
  /** For whatever else reports what sessions have used. */
  readonly accounting: Accounting
  readonly #networks: Networks
  readonly #carriers: Carriers
  readonly #wake: Wake
  readonly #elements: Elements

  constructor(
    database: Database,
    networks: Networks,
    carriers: Carriers,
    wake: Wake = () => undefined,
    elements: Elements = NO_ELEMENTS,
  ) {
    this.#database = database
    this.#networks = networks
    this.#carriers = carriers
    this.#wake = wake
    this.#elements = elements
    this.accounting = new Accounting(database, { networks, carriers, elements, wake })
  }

  /** The same, in the transactions of another: a job's, which are counted. */
  in(database: Database): Devices {
    return new Devices(database, this.#networks, this.#carriers, this.#wake, this.#elements)
  }

  attach(iccid: string, device: Device, now: Date): Promise<Admission> {
    return this.#database.write((tx) => {
      tx.afterCommit(() => this.#wake(FORGET_JOB))
      return this.#sessions(tx).attach(iccid, device, now)
    })
  }

  /** Without a session there is nothing to end, and that is well. */
  detach(iccid: string, now: Date): Promise<void> {
    return this.#database.write(async (tx) =>
      this.#sessions(tx).end(await getSim(tx, iccid), 'detach', now),
    )
  }

  /** These bytes more than so far. */
  addTraffic(iccid: string, added: Traffic, now: Date): Promise<void> {
    return this.accounting.submit({ type: 'added', iccid, added, now })
  }

  /**
   * What this session has used since it began. May come twice, late or after the session's end: then
   * it adds nothing. `sessionId` is the one that the admission gave.
   */
  report(iccid: string, sessionId: number, used: Traffic, at: Date): Promise<void> {
    return this.accounting.submit({ type: 'reported', iccid, sessionId, used, now: at })
  }

  /** The same for steps that are over, the oldest first; those that were counted add nothing. */
  reportSteps(iccid: string, sessionId: number, steps: readonly Step[]): Promise<void> {
    return this.#database.write(async (tx) => {
      const sim = await getSim(tx, iccid)
      const session = await this.#sessions(tx).find(sim)
      if (session?.id !== sessionId) return
      const open = steps.filter(({ at }) => at >= session.countedAt.getTime())
      for (const month of Map.groupBy(open, ({ at }) => japanMonth(new Date(at))).values()) {
        const added = await countSteps(tx, this.#networks, session, month)
        await this.#meter(tx, sim, session, added, new Date(month[0]?.at ?? 0))
        await this.#addToAccount(tx, sim, month)
      }
    })
  }

  findSession(iccid: string): Promise<Session | undefined> {
    return this.#database.read(async (tx) => {
      const sim = await findSim(tx, { iccid })
      return sim && this.#sessions(tx).find(sim)
    })
  }

  carrierNames(): Promise<string[]> {
    return this.#database.read(async (tx) =>
      (await this.#carriers.list(tx)).map(({ name }) => name),
    )
  }

  fleets(): Promise<Fleet[]> {
    return this.#database.read((tx) => new FleetStore(tx).list())
  }

  /** The cards of a fleet that are registered; the others have nothing to attach with. */
  fleetIccids({ iccidFrom, iccidTo }: Fleet): Promise<string[]> {
    return this.#database.read((tx) => listIccids(tx, iccidFrom, iccidTo))
  }

  fleetDriven(fleet: Fleet, at: Date): Promise<void> {
    return this.#database.write((tx) => new FleetStore(tx).setDriven(fleet, at))
  }

  /** One record a SIM, carrier and month, however many reports there are. */
  async #meter(tx: Tx, sim: Sim, { carrier }: Session, added: Traffic, at: Date): Promise<void> {
    const carriers = await this.#carriers.list(tx)
    const product = simTrafficOf(carriers.findIndex(({ name }) => name === carrier))
    const use = { accountId: sim.accountId, resourceId: sim.id, product }
    await new Meter(tx).add(use, added.uplinkBytes + added.downlinkBytes, at)
    tx.afterCommit(() => this.#wake(PACK_JOB))
  }

  async #addToAccount(tx: Tx, sim: Sim, steps: readonly Step[]): Promise<void> {
    const counted = steps.filter(
      ({ uplinkBytes, downlinkBytes }) => uplinkBytes + downlinkBytes > 0,
    )
    if (counted.length === 0) return
    await new AccountTrafficStore(tx, sim.accountId).add(sim.id, counted)
    tx.afterCommit(() => this.#wake(ACCOUNT_TRAFFIC_JOB))
  }

  #sessions(tx: Tx): Sessions {
    return new Sessions(tx, this.#networks)
  }
}

async function getSim(tx: Tx, iccid: string): Promise<Sim> {
  const sim = await findSim(tx, { iccid })
  if (sim === undefined) {
    throw new NotFound(
      `No SIM with the ICCID ${iccid} is registered.`,
      `ICCID ${iccid} の SIM は登録されていません。`,
    )
  }
  return sim
}
