import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { type Sql, sql } from '../../storage/sql.ts'
import type { Used } from './rules.ts'

/** A page's last row, after which the next one begins. */
export type After = Pick<Used, 'resourceId' | 'product'> | undefined

interface UsedRow {
  resource_id: string
  product: number
  used: number
  name: string | null
}

/** The usage of one account, summed by resource and product; in pages, since there may be a million. */
export class UsedStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  /** Seconds of use between the two times; less than one is none. */
  seconds(from: Date, until: Date, after: After, most: number): Promise<Used[]> {
    const begun = sql`CASE WHEN from_at > ${from} THEN from_at ELSE ${from} END`
    const ended = sql`CASE WHEN to_at IS NOT NULL AND to_at < ${until} THEN to_at ELSE ${until} END`
    return this.#page(
      sql`SELECT resource_id, product, sum(${ended} - ${begun}) AS used FROM usage_span
          WHERE account_id = ${this.#accountId} AND from_at < ${until}
            AND (to_at IS NULL OR to_at > ${from})`,
      after,
      most,
      1000,
    )
  }

  /** What was counted in the month, up to then. */
  quantities(month: Date, until: Date, after: After, most: number): Promise<Used[]> {
    return this.#page(
      sql`SELECT resource_id, product, sum(quantity) AS used FROM usage_count
          WHERE account_id = ${this.#accountId} AND month = ${month} AND from_at < ${until}`,
      after,
      most,
      1,
    )
  }

  /** The limit is inside, where it ends the walk along the index; names are joined to the page alone. */
  async #page(sums: Sql, after: After, most: number, per: number): Promise<Used[]> {
    const rest =
      after === undefined
        ? sql``
        : sql`AND (resource_id, product) > (${after.resourceId}, ${after.product})`
    const rows = await this.#tx.all<UsedRow>(
      sql`SELECT page.resource_id, page.product, page.used, metered_resource.name
          FROM (${sums} ${rest} GROUP BY resource_id, product
                ORDER BY resource_id, product LIMIT ${most}) AS page
          LEFT JOIN metered_resource ON metered_resource.resource_id = page.resource_id
          ORDER BY page.resource_id, page.product`,
    )
    return rows.map((row) => ({
      resourceId: row.resource_id,
      resourceName: row.name ?? '',
      product: row.product,
      used: Math.floor(row.used / per),
    }))
  }
}

/** Whether anything is used, or was since then. */
export async function isAnythingUsed(tx: Tx, since: Date): Promise<boolean> {
  const found = await tx.first(
    sql`SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM usage_span WHERE to_at IS NULL)
          OR EXISTS (SELECT 1 FROM usage_span WHERE to_at > ${since})
          OR EXISTS (SELECT 1 FROM usage_count WHERE month >= ${since})`,
  )
  return found !== undefined
}

/** When the use began that is the oldest of what was used since then; it may have begun before. */
export async function oldestUse(tx: Tx, since: Date): Promise<Date | undefined> {
  const row = await tx.first<{ oldest: number | null }>(
    sql`SELECT min(oldest) AS oldest FROM (
          SELECT min(from_at) AS oldest FROM usage_span WHERE to_at IS NULL
          UNION ALL SELECT min(from_at) AS oldest FROM usage_span WHERE to_at > ${since}
          UNION ALL SELECT min(month) AS oldest FROM usage_count WHERE month >= ${since}) AS uses`,
  )
  return row?.oldest == null ? undefined : new Date(row.oldest)
}
