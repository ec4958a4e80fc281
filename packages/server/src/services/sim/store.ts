import { NotFound } from '../../kernel/errors.ts'
import { type AccountId, type ItemId, parseId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { join, list, raw, sql } from '../../storage/sql.ts'
import type { Sim } from './rules.ts'

export interface SimRow {
  id: ItemId
  account_id: AccountId
  iccid: string
  imsis: string
  registered_at: number
  activated: number
  activated_at: number | null
  deactivated_at: number | null
  imei: string | null
  carriers: string | null
  gateway_id: string | null
  ip: number | null
}

export const SIM = raw(`id, account_id, iccid, imsis, registered_at, activated, activated_at,
  deactivated_at, imei, carriers, gateway_id, ip`)

/** The SIMs of one account. A store cannot see past the account it was made for. */
export class SimStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  /** `id` comes from a caller; what is not even an id belongs to nothing. */
  async find(id: string): Promise<Sim | undefined> {
    if (parseId(id) === undefined) return undefined
    const row = await this.#tx.first<SimRow>(
      sql`SELECT ${SIM} FROM sim WHERE account_id = ${this.#accountId} AND id = ${id}`,
    )
    return row && toSim(row)
  }

  async get(id: string): Promise<Sim> {
    const sim = await this.find(id)
    if (sim === undefined) {
      throw new NotFound(`There is no SIM ${id}.`, `SIM ${id} は存在しません。`)
    }
    return sim
  }

  /** In the order of their ids. */
  async listByIds(given: readonly string[]): Promise<Sim[]> {
    const ids = given.filter((id) => parseId(id) !== undefined)
    const rows = await this.#tx.all<SimRow>(
      sql`SELECT ${SIM} FROM sim WHERE account_id = ${this.#accountId} AND id IN ${list(ids)}
          ORDER BY id`,
    )
    return rows.map(toSim)
  }

  async listOfGateway(gatewayId: string, from: number, count: number): Promise<Sim[]> {
    const rows = await this.#tx.all<SimRow>(
      sql`SELECT ${SIM} FROM sim WHERE account_id = ${this.#accountId} AND gateway_id = ${gatewayId}
          ORDER BY id LIMIT ${count} OFFSET ${from}`,
    )
    return rows.map(toSim)
  }

  /** False when the card is claimed already. */
  async insert(sim: Sim): Promise<boolean> {
    const inserted = await this.#tx.run(
      sql`INSERT INTO sim (${SIM})
          VALUES (${sim.id}, ${this.#accountId}, ${sim.iccid}, ${sim.imsis.join('\n')},
                  ${sim.registeredAt}, ${sim.activated}, ${sim.activatedAt ?? null},
                  ${sim.deactivatedAt ?? null}, ${sim.imei ?? null}, ${carriersToText(sim)},
                  ${sim.gatewayId ?? null}, ${sim.ip ?? null})
          ON CONFLICT DO NOTHING`,
    )
    if (inserted === 1) await this.#insertImsis(sim)
    return inserted === 1
  }

  async #insertImsis({ id, imsis }: Sim): Promise<void> {
    if (imsis.length === 0) return
    const rows = [...new Set(imsis)].map((imsi) => sql`(${imsi}, ${id})`)
    await this.#tx.run(sql`INSERT INTO sim_imsi (imsi, sim_id) VALUES ${join(rows, ', ')}`)
  }

  /** All but the gateway and the address, which have statements of their own. */
  async update(sim: Sim): Promise<void> {
    await this.#tx.run(
      sql`UPDATE sim SET activated = ${sim.activated}, activated_at = ${sim.activatedAt ?? null},
            deactivated_at = ${sim.deactivatedAt ?? null}, imei = ${sim.imei ?? null},
            carriers = ${carriersToText(sim)}
          WHERE account_id = ${this.#accountId} AND id = ${sim.id}`,
    )
  }

  /** False when the address is taken in the SIM's gateway, or the SIM has one. */
  async setIp(sim: Sim, ip: number): Promise<boolean> {
    const free = sql`NOT EXISTS (SELECT 1 FROM sim AS other
      WHERE other.gateway_id = ${sim.gatewayId ?? null} AND other.ip = ${ip})`
    const updated = await this.#tx.run(
      sql`UPDATE sim SET ip = ${ip}
          WHERE account_id = ${this.#accountId} AND id = ${sim.id} AND ip IS NULL AND ${free}`,
    )
    return updated === 1
  }

  async clearIp(sim: Sim): Promise<void> {
    await this.#tx.run(
      sql`UPDATE sim SET ip = NULL WHERE account_id = ${this.#accountId} AND id = ${sim.id}`,
    )
  }

  async delete(sim: Sim): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM sim_imsi WHERE imsi IN ${list(sim.imsis)} AND sim_id = ${sim.id}`,
    )
    await this.#tx.run(
      sql`DELETE FROM sim WHERE account_id = ${this.#accountId} AND id = ${sim.id}`,
    )
  }

  /** False when the SIM is in a gateway already. */
  async joinGateway(id: ItemId, gatewayId: string): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE sim SET gateway_id = ${gatewayId}
          WHERE account_id = ${this.#accountId} AND id = ${id} AND gateway_id IS NULL`,
    )
    return updated === 1
  }

  /** Its address goes with it. False when it is not in this gateway. */
  async leaveGateway(id: ItemId, gatewayId: string): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE sim SET gateway_id = NULL, ip = NULL
          WHERE account_id = ${this.#accountId} AND id = ${id} AND gateway_id = ${gatewayId}`,
    )
    return updated === 1
  }

  async emptyGateway(gatewayId: string): Promise<void> {
    await this.#tx.run(
      sql`UPDATE sim SET gateway_id = NULL, ip = NULL
          WHERE account_id = ${this.#accountId} AND gateway_id = ${gatewayId}`,
    )
  }
}

/** All SIMs: for the network's side, which knows cards and no accounts. */
export async function findSim(tx: Tx, by: { iccid: string } | { id: string }) {
  const row = await tx.first<SimRow>(
    'iccid' in by
      ? sql`SELECT ${SIM} FROM sim WHERE iccid = ${by.iccid}`
      : sql`SELECT ${SIM} FROM sim WHERE id = ${by.id}`,
  )
  return row && toSim(row)
}

/** The same for many, by id. */
export async function findSims(tx: Tx, ids: readonly ItemId[]): Promise<ReadonlyMap<ItemId, Sim>> {
  const rows = await tx.all<SimRow>(sql`SELECT ${SIM} FROM sim WHERE id IN ${list(ids)}`)
  return new Map(rows.map((row) => [row.id, toSim(row)]))
}

/** In the order in which they were registered. */
export async function listSims(tx: Tx): Promise<Sim[]> {
  return (await tx.all<SimRow>(sql`SELECT ${SIM} FROM sim ORDER BY id`)).map(toSim)
}

export async function listIccids(tx: Tx, from: string, to: string): Promise<string[]> {
  const rows = await tx.all<{ iccid: string }>(
    sql`SELECT iccid FROM sim WHERE iccid >= ${from} AND iccid <= ${to} ORDER BY iccid`,
  )
  return rows.map(({ iccid }) => iccid)
}

function carriersToText({ carriers }: Sim): string | null {
  return carriers === undefined ? null : carriers.join('\n')
}

function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time)
}

export function toSim(row: SimRow): Sim {
  return {
    id: row.id,
    accountId: row.account_id,
    iccid: row.iccid,
    imsis: row.imsis === '' ? [] : row.imsis.split('\n'),
    registeredAt: new Date(row.registered_at),
    activated: row.activated === 1,
    activatedAt: toDate(row.activated_at),
    deactivatedAt: toDate(row.deactivated_at),
    imei: row.imei ?? undefined,
    carriers: row.carriers?.split('\n'),
    gatewayId: row.gateway_id ?? undefined,
    ip: row.ip ?? undefined,
  }
}
