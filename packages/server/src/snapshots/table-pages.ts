/** Reads a whole table in pages by its primary key, each of which begins where the one before has ended. */
import type { Tx } from '../storage/database.ts'
import { list, raw, type Sql, type SqlValue, sql } from '../storage/sql.ts'

const PAGE_ROWS = 1000

type Row = Record<string, SqlValue>

/** Nothing for a table without rows. One without a key is read as a whole: only small ones may have none. */
export async function* readTable(tx: Tx, name: string): AsyncGenerator<Row[]> {
  const table = raw(quote(name))
  const key = await primaryKey(tx, name)
  if (key.length === 0) {
    const rows = await tx.all<Row>(sql`SELECT * FROM ${table}`)
    if (rows.length > 0) yield rows
    return
  }
  const columns = raw(key.map(quote).join(', '))
  let after: Sql = sql``
  for (;;) {
    const page = await tx.all<Row>(
      sql`SELECT * FROM ${table} ${after} ORDER BY ${columns} LIMIT ${PAGE_ROWS}`,
    )
    const last = page.at(-1)
    if (last !== undefined) yield page
    if (last === undefined || page.length < PAGE_ROWS) return
    after = sql`WHERE (${columns}) > ${list(key.map((column) => last[column] ?? null))}`
  }
}

async function primaryKey(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    tx.engine === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`
      : sql`SELECT attname::text AS name FROM pg_index
            JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
            WHERE indrelid = to_regclass(${quote(table)}) AND indisprimary
            ORDER BY array_position(indkey::int2[], attnum)`,
  )
  return rows.map(({ name }) => name)
}

function quote(name: string): string {
  return `"${name}"`
}
