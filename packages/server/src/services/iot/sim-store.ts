import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { ProjectSim } from './project-rules.ts'

interface SimRow {
  project_id: ItemId
  sim_id: ItemId
  device_id: string
  ip: number | null
  ip_set: number
  connected: number
}

const SIM = raw('project_id, sim_id, device_id, ip, ip_set, connected')

/** The SIMs of one project, which its caller has found in the account. */
export class ProjectSimStore {
  readonly #tx: Tx
  readonly #projectId: ItemId

  constructor(tx: Tx, projectId: ItemId) {
    this.#tx = tx
    this.#projectId = projectId
  }

  find(simId: ItemId): Promise<ProjectSim | undefined> {
    return findOne(this.#tx, sql`project_id = ${this.#projectId} AND sim_id = ${simId}`)
  }

  /** A device that is connected now. */
  findDevice(deviceId: string): Promise<ProjectSim | undefined> {
    const own = sql`project_id = ${this.#projectId} AND device_id = ${deviceId}`
    return findOne(this.#tx, sql`${own} AND connected = 1`)
  }

  /** Those that are connected. */
  async list(): Promise<ProjectSim[]> {
    const rows = await this.#tx.all<SimRow>(
      sql`SELECT ${SIM} FROM iot_sim WHERE project_id = ${this.#projectId} AND connected = 1
          ORDER BY sim_id`,
    )
    return rows.map(toSim)
  }

  async hasAny(): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT sim_id FROM iot_sim WHERE project_id = ${this.#projectId} AND connected = 1 LIMIT 1`,
    )
    return row !== undefined
  }

  /** False when the SIM is connected to another project. Connected to this one it stays as it is. */
  async connect(simId: ItemId, newDeviceId: string): Promise<boolean> {
    const elsewhere = sql`EXISTS (SELECT 1 FROM iot_sim AS other
      WHERE other.sim_id = ${simId} AND other.connected = 1
        AND other.project_id <> ${this.#projectId})`
    const again = await this.#tx.run(
      sql`UPDATE iot_sim SET connected = 1
          WHERE project_id = ${this.#projectId} AND sim_id = ${simId} AND NOT ${elsewhere}`,
    )
    if (again === 1) return true
    const first = await this.#tx.run(
      sql`INSERT INTO iot_sim (${SIM})
          VALUES (${this.#projectId}, ${simId}, ${newDeviceId}, NULL, 0, 1)
          ON CONFLICT DO NOTHING`,
    )
    return first === 1
  }

  /** False unless it is connected and has no address. */
  async disconnect(simId: ItemId): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE iot_sim SET connected = 0
          WHERE project_id = ${this.#projectId} AND sim_id = ${simId} AND connected = 1
            AND ip_set = 0`,
    )
    return updated === 1
  }

  /** False when another SIM of the project has or had the address. */
  async setIp(simId: ItemId, ip: number): Promise<boolean> {
    const free = sql`NOT EXISTS (SELECT 1 FROM iot_sim AS other
      WHERE other.project_id = ${this.#projectId} AND other.ip = ${ip}
        AND other.sim_id <> ${simId})`
    const updated = await this.#tx.run(
      sql`UPDATE iot_sim SET ip = ${ip}, ip_set = 1
          WHERE project_id = ${this.#projectId} AND sim_id = ${simId} AND connected = 1 AND ${free}`,
    )
    return updated === 1
  }

  /** The address is remembered. False when none was set. */
  async releaseIp(simId: ItemId): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE iot_sim SET ip_set = 0
          WHERE project_id = ${this.#projectId} AND sim_id = ${simId} AND connected = 1
            AND ip_set = 1`,
    )
    return updated === 1
  }

  /** The highest address that is or was in use, and the lowest after which one is free. */
  async highestIp(): Promise<number | undefined> {
    const row = await this.#tx.first<{ ip: number | null }>(
      sql`SELECT max(ip) AS ip FROM iot_sim WHERE project_id = ${this.#projectId}`,
    )
    return row?.ip ?? undefined
  }

  async hasIp(ip: number): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT ip FROM iot_sim WHERE project_id = ${this.#projectId} AND ip = ${ip}`,
    )
    return row !== undefined
  }

  /** The lowest address that nobody has though the one before it is somebody's. */
  async firstGap(): Promise<number | undefined> {
    const row = await this.#tx.first<{ ip: number }>(
      sql`SELECT a.ip + 1 AS ip FROM iot_sim AS a
          WHERE a.project_id = ${this.#projectId} AND a.ip IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM iot_sim AS b
                            WHERE b.project_id = a.project_id AND b.ip = a.ip + 1)
          ORDER BY a.ip LIMIT 1`,
    )
    return row?.ip
  }
}

/** Where a SIM is connected, whoever's it is: for the network's side. */
export function findConnection(tx: Tx, simId: ItemId): Promise<ProjectSim | undefined> {
  return findOne(tx, sql`sim_id = ${simId} AND connected = 1`)
}

/** The same for many, by SIM. */
export async function findConnections(
  tx: Tx,
  simIds: readonly ItemId[],
): Promise<ReadonlyMap<ItemId, ProjectSim>> {
  const rows = await tx.all<SimRow>(
    sql`SELECT ${SIM} FROM iot_sim WHERE sim_id IN ${list(simIds)} AND connected = 1`,
  )
  return new Map(rows.map((row) => [row.sim_id, toSim(row)]))
}

/** The number of the last message that the device has acknowledged, with all before it. */
export async function findAcknowledged(tx: Tx, deviceId: string): Promise<number> {
  const row = await tx.first<{ acknowledged: number }>(
    sql`SELECT acknowledged FROM iot_sim WHERE device_id = ${deviceId}`,
  )
  return row?.acknowledged ?? 0
}

/** Never back. */
export async function setAcknowledged(tx: Tx, deviceId: string, number: number): Promise<void> {
  await tx.run(
    sql`UPDATE iot_sim SET acknowledged = ${number}
        WHERE device_id = ${deviceId} AND acknowledged < ${number}`,
  )
}

/** The SIM is no more: nothing of it is remembered. */
export async function forgetSim(tx: Tx, simId: ItemId): Promise<void> {
  await tx.run(sql`DELETE FROM iot_sim WHERE sim_id = ${simId}`)
}

async function findOne(tx: Tx, where: Sql): Promise<ProjectSim | undefined> {
  const row = await tx.first<SimRow>(sql`SELECT ${SIM} FROM iot_sim WHERE ${where}`)
  return row && toSim(row)
}

function toSim(row: SimRow): ProjectSim {
  return {
    projectId: row.project_id,
    simId: row.sim_id,
    deviceId: row.device_id,
    ip: row.ip ?? undefined,
    isIpSet: row.ip_set === 1,
    isConnected: row.connected === 1,
  }
}
