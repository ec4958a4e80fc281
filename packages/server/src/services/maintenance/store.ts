import { NotFound } from '../../kernel/errors.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { Affected, Days, Maintenance } from './rules.ts'

interface MaintenanceRow {
  id: string
  zone: Zone
  start_at: number
  end_at: number
  title: string
  info_url: string
  service: string
}

interface ResourceRow {
  maintenance_id: string
  account_id: string
  resource_class: Affected['resourceClass']
  resource_id: string
}

const MAINTENANCE = raw('id, zone, start_at, end_at, title, info_url, service')

export interface Wanted {
  readonly days: Days
  /** Only those that touch resources of this account. */
  readonly accountId: string | undefined
}

/** Maintenances are everybody's; whose resources they touch is asked for by account. */
export class MaintenanceStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async get(id: string): Promise<Maintenance> {
    const found = await this.find(id)
    if (found === undefined) {
      throw new NotFound(`There is no maintenance ${id}.`, `メンテナンス ${id} はありません。`)
    }
    return found
  }

  async find(id: string): Promise<Maintenance | undefined> {
    const [found] = await this.#list(sql`id = ${id}`, sql``)
    return found
  }

  list(): Promise<Maintenance[]> {
    return this.#list(sql`1 = 1`, sql``)
  }

  async count(wanted: Wanted): Promise<number> {
    const row = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM maintenance WHERE ${conditionOf(wanted)}`,
    )
    return row?.total ?? 0
  }

  /** By start, then id. */
  search(wanted: Wanted, from: number, count: number): Promise<Maintenance[]> {
    return this.#list(conditionOf(wanted), sql`LIMIT ${count} OFFSET ${from}`)
  }

  async #list(where: Sql, limit: Sql): Promise<Maintenance[]> {
    const rows = await this.#tx.all<MaintenanceRow>(
      sql`SELECT ${MAINTENANCE} FROM maintenance WHERE ${where} ORDER BY start_at, id ${limit}`,
    )
    const resources = await this.#tx.all<ResourceRow>(
      sql`SELECT maintenance_id, account_id, resource_class, resource_id FROM maintenance_resource
          WHERE maintenance_id IN ${list(rows.map(({ id }) => id))}
          ORDER BY account_id, resource_class, resource_id`,
    )
    const affects = Map.groupBy(resources, ({ maintenance_id }) => maintenance_id)
    return rows.map((row) => toMaintenance(row, affects.get(row.id) ?? []))
  }

  /** False when there is one of this id. */
  async insert(one: Maintenance): Promise<boolean> {
    const inserted = await this.#tx.run(
      sql`INSERT INTO maintenance (${MAINTENANCE})
          VALUES (${one.id}, ${one.zone}, ${one.startAt}, ${one.endAt}, ${one.title},
                  ${one.infoUrl}, ${one.service})
          ON CONFLICT DO NOTHING`,
    )
    if (inserted === 1) await this.#insertAffected(one)
    return inserted === 1
  }

  async update(one: Maintenance): Promise<void> {
    await this.#tx.run(
      sql`UPDATE maintenance SET zone = ${one.zone}, start_at = ${one.startAt},
            end_at = ${one.endAt}, title = ${one.title}, info_url = ${one.infoUrl},
            service = ${one.service}
          WHERE id = ${one.id}`,
    )
    await this.#deleteAffected(one.id)
    await this.#insertAffected(one)
  }

  async delete(id: string): Promise<void> {
    await this.#deleteAffected(id)
    await this.#tx.run(sql`DELETE FROM maintenance WHERE id = ${id}`)
  }

  async #insertAffected({ id, affects }: Maintenance): Promise<void> {
    for (const { accountId, resourceClass, resourceId } of affects) {
      await this.#tx.run(
        sql`INSERT INTO maintenance_resource
              (maintenance_id, account_id, resource_class, resource_id)
            VALUES (${id}, ${accountId}, ${resourceClass}, ${resourceId})
            ON CONFLICT DO NOTHING`,
      )
    }
  }

  async #deleteAffected(id: string): Promise<void> {
    await this.#tx.run(sql`DELETE FROM maintenance_resource WHERE maintenance_id = ${id}`)
  }
}

/** It counts when it overlaps the days. */
function conditionOf({ days, accountId }: Wanted): Sql {
  const within = sql`start_at < ${days.to} AND end_at > ${days.from}`
  if (accountId === undefined) return within
  return sql`${within} AND id IN
    (SELECT maintenance_id FROM maintenance_resource WHERE account_id = ${accountId})`
}

function toMaintenance(row: MaintenanceRow, resources: readonly ResourceRow[]): Maintenance {
  return {
    id: row.id,
    zone: row.zone,
    startAt: new Date(row.start_at),
    endAt: new Date(row.end_at),
    title: row.title,
    infoUrl: row.info_url,
    service: row.service,
    affects: resources.map((one) => ({
      accountId: one.account_id,
      resourceClass: one.resource_class,
      resourceId: one.resource_id,
    })),
  }
}
