/** What a gateway does with SIMs. The SIM's own row says where it is, so it is all written here. */
import { Conflict, NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { GatewayCountStore } from './gateway-count-store.ts'
import { LogStore } from './log-store.ts'
import type { Networks } from './networks.ts'
import { NO_TRAFFIC, type Traffic } from './session-rules.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SimStore } from './store.ts'
import { TrafficStore } from './traffic-store.ts'
import { logsToWire, simToWire } from './wire.ts'

/** The SIMs of one account in its gateways. */
export class GatewaySims {
  readonly #tx: Tx
  readonly #sims: SimStore
  readonly #sessions: Sessions
  readonly #networks: Networks

  constructor(tx: Tx, accountId: AccountId, networks: Networks) {
    this.#tx = tx
    this.#sims = new SimStore(tx, accountId)
    this.#sessions = new Sessions(tx, networks)
    this.#networks = networks
  }

  /** Refuses, in this order, a SIM that is not registered, one that is in a gateway, one too many. */
  async add(simId: string, gatewayId: string, limit: number, now: Date): Promise<void> {
    const sim = await this.#sims.find(simId)
    if (sim === undefined) {
      throw new NotFound(`SIM ${simId} is not registered.`, `SIM ${simId} は登録されていません。`)
    }
    if (!(await this.#sims.joinGateway(sim.id, gatewayId))) {
      throw new Conflict(
        `SIM ${simId} already belongs to a gateway.`,
        `SIM ${simId} はすでにゲートウェイに所属しています。`,
      )
    }
    if (!(await new GatewayCountStore(this.#tx, gatewayId).increase(limit))) {
      throw new Conflict(
        `Gateway ${gatewayId} has the most SIMs that it may have: ${limit}.`,
        `ゲートウェイ ${gatewayId} の SIM 数が上限 ${limit} に達しています。`,
      )
    }
    await this.#sessions.settle({ ...sim, gatewayId }, now)
  }

  /** Frees its address and its routes, and ends its session there. The strict policy wants no address set. */
  async remove(simId: string, gatewayId: string, now: Date, isStrict: boolean): Promise<void> {
    const sim = await this.#sims.find(simId)
    if (isStrict && sim?.gatewayId === gatewayId && sim.ip !== undefined) {
      throw new Conflict(
        `SIM ${simId} has a fixed address; release it first.`,
        `SIM ${simId} に固定 IP が設定されています。先に解除してください。`,
      )
    }
    if (sim === undefined || !(await this.#sims.leaveGateway(sim.id, gatewayId))) {
      throw new NotFound(
        `SIM ${simId} is not in gateway ${gatewayId}.`,
        `SIM ${simId} はゲートウェイ ${gatewayId} に所属していません。`,
      )
    }
    await new GatewayCountStore(this.#tx, gatewayId).decrease()
    await this.#networks.left(this.#tx, sim.id, gatewayId)
    await this.#sessions.settle({ ...sim, gatewayId: undefined, ip: undefined }, now)
  }

  /** The gateway is being deleted; it takes its routes with it. */
  async removeAll(gatewayId: string, now: Date): Promise<void> {
    await this.endSessions(gatewayId, now)
    await this.#sims.emptyGateway(gatewayId)
    await new GatewayCountStore(this.#tx, gatewayId).delete()
  }

  /** The gateway is going down. */
  endSessions(gatewayId: string, now: Date): Promise<void> {
    return this.#sessions.endAll({ kind: 'gateway', id: gatewayId }, now)
  }

  async has(simId: string, gatewayId: string): Promise<boolean> {
    return (await this.#sims.find(simId))?.gatewayId === gatewayId
  }

  async iccidsOf(simIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sims = await this.#sims.listByIds(simIds)
    return new Map(sims.map(({ id, iccid }) => [id, iccid]))
  }

  /** The detail objects of the wire, in the order of the SIMs' ids. */
  async list(
    gatewayId: string,
    from: number,
    count: number,
    now: Date,
  ): Promise<{ readonly total: number; readonly sims: object[] }> {
    const sims = await this.#sims.listOfGateway(gatewayId, from, count)
    const ids = sims.map(({ id }) => id)
    const sessions = await new SessionStore(this.#tx).listBySims(ids)
    const live = new Map(sessions.map((session) => [session.simId, session]))
    const traffic = await new TrafficStore(this.#tx).monthOfSims(ids, now)
    return {
      total: await new GatewayCountStore(this.#tx, gatewayId).get(),
      sims: sims.map((sim) => simToWire(sim, live.get(sim.id), traffic.get(sim.id) ?? NO_TRAFFIC)),
    }
  }

  /** As on the wire. */
  async sessionLog(gatewayId: string, query: SearchQuery): Promise<object[]> {
    return logsToWire(await new LogStore(this.#tx).listOfNetwork(gatewayId, query), query)
  }

  /** Of the calendar month in Japan. */
  monthTraffic(gatewayId: string, now: Date): Promise<Traffic> {
    return new TrafficStore(this.#tx).monthOfNetwork({ kind: 'gateway', id: gatewayId }, now)
  }
}
