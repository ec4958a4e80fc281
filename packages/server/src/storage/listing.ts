/** One page of what a search finds in a table, and how many there are in all. */
import type { SearchQuery } from '../kernel/search-query.ts'
import type { Tx } from './database.ts'
import { compileSearch, type SearchFields } from './search.ts'
import { raw, type Sql, sql } from './sql.ts'

export interface Listing {
  readonly table: string
  readonly columns: Sql
  /** What the caller may see at all. */
  readonly own: Sql
  readonly fields: SearchFields
  /** For tables that keep a count; else the rows are counted. */
  readonly count?: ((where: Sql) => Promise<number>) | undefined
}

export interface Listed<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

export async function listRows<Row>(
  tx: Tx,
  { table, columns, own, fields, count }: Listing,
  query: SearchQuery,
): Promise<Listed<Row>> {
  const { where, orderBy } = compileSearch(query, fields, raw('id'))
  const from = sql`${raw(table)} WHERE ${own} AND ${where}`
  const counted =
    count === undefined
      ? (await tx.first<{ total: number }>(sql`SELECT count(*) AS total FROM ${from}`))?.total
      : await count(where)
  const rows = await tx.all<Row>(
    sql`SELECT ${columns} FROM ${from}
        ORDER BY ${orderBy} LIMIT ${query.count} OFFSET ${query.from}`,
  )
  return { total: counted ?? 0, rows }
}
