import { NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { Tx } from '../../storage/database.ts'
import { listRows } from '../../storage/listing.ts'
import type { SearchFields } from '../../storage/search.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import { tagsFromText, tagsToText } from '../../storage/tags.ts'
import type { Switch, SwitchId } from './switch-rules.ts'

interface SwitchRow {
  id: SwitchId
  account_id: AccountId
  zone: Zone
  name: string
  description: string
  tags: string
  icon_id: string | null
  default_route: string | null
  mask_length: number | null
  created_at: number
  modified_at: number
}

const SWITCH = raw(`id, account_id, zone, name, description, tags, icon_id, default_route,
  mask_length, created_at, modified_at`)

/** The switches of one account in one zone. */
export class SwitchStore {
  readonly #tx: Tx
  readonly #accountId: AccountId
  readonly #zone: Zone

  constructor(tx: Tx, accountId: AccountId, zone: Zone) {
    this.#tx = tx
    this.#accountId = accountId
    this.#zone = zone
  }

  async get(id: string): Promise<Switch> {
    const [found] = await this.listByIds([id])
    if (found !== undefined) return found
    throw new NotFound(
      `Switch ${id} does not exist in zone ${this.#zone}.`,
      `スイッチ ${id} はゾーン ${this.#zone} に存在しません。`,
    )
  }

  async listByIds(ids: readonly string[]): Promise<Switch[]> {
    if (ids.length === 0) return []
    const rows = await this.#tx.all<SwitchRow>(
      sql`SELECT ${SWITCH} FROM switch WHERE ${this.#own} AND id IN ${list(ids)}`,
    )
    return rows.map(toSwitch)
  }

  async list(
    query: SearchQuery,
    fields: SearchFields,
  ): Promise<{ readonly total: number; readonly switches: Switch[] }> {
    const own = { table: 'switch', columns: SWITCH, own: this.#own, fields }
    const { total, rows } = await listRows<SwitchRow>(this.#tx, own, query)
    return { total, switches: rows.map(toSwitch) }
  }

  async insert(made: Switch): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO switch (${SWITCH})
          VALUES (${made.id}, ${this.#accountId}, ${this.#zone}, ${made.name}, ${made.description},
                  ${tagsToText(made.tags)}, ${made.iconId ?? null},
                  ${made.userSubnet?.defaultRoute ?? null}, ${made.userSubnet?.maskLength ?? null},
                  ${made.createdAt}, ${made.modifiedAt})`,
    )
  }

  async update(changed: Switch): Promise<void> {
    await this.#tx.run(
      sql`UPDATE switch SET name = ${changed.name}, description = ${changed.description},
            tags = ${tagsToText(changed.tags)}, icon_id = ${changed.iconId ?? null},
            default_route = ${changed.userSubnet?.defaultRoute ?? null},
            mask_length = ${changed.userSubnet?.maskLength ?? null},
            modified_at = ${changed.modifiedAt}
          WHERE ${this.#own} AND id = ${changed.id}`,
    )
  }

  /** False while a gateway is connected to it. */
  async delete(id: SwitchId): Promise<boolean> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM switch WHERE ${this.#own} AND id = ${id}
            AND NOT EXISTS (SELECT 1 FROM gateway WHERE switch_id = ${id})`,
    )
    return deleted === 1
  }

  /** Those of the given switches that a gateway is connected to. */
  async listConnected(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#tx.all<{ switch_id: string }>(
      sql`SELECT switch_id FROM gateway
          WHERE account_id = ${this.#accountId} AND switch_id IN ${list(ids)}`,
    )
    return new Set(rows.map(({ switch_id }) => switch_id))
  }

  get #own(): Sql {
    return sql`account_id = ${this.#accountId} AND zone = ${this.#zone}`
  }
}

function toSwitch(row: SwitchRow): Switch {
  return {
    id: row.id,
    accountId: row.account_id,
    zone: row.zone,
    name: row.name,
    description: row.description,
    tags: tagsFromText(row.tags),
    iconId: row.icon_id ?? undefined,
    userSubnet:
      row.default_route === null || row.mask_length === null
        ? undefined
        : { defaultRoute: row.default_route, maskLength: row.mask_length },
    createdAt: new Date(row.created_at),
    modifiedAt: new Date(row.modified_at),
  }
}
