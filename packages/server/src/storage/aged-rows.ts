/** Rows that go when they are old: the oldest by an index, and a bounded number in one transaction. */
import type { Database, Tx } from './database.ts'
import { raw, type SqlValue, sql } from './sql.ts'

/** A bound on how long others wait for one transaction. */
export const ROWS_AT_ONCE = 500

/** Names of our own source. */
export interface AgedRows {
  readonly table: string
  /** The columns that tell a row from others. */
  readonly key: string
  /** The column that says how old it is. */
  readonly time: string
  /** Only these ever go. */
  readonly where?: string
}

export async function oldestOf<Stored extends SqlValue>(
  tx: Tx,
  { table, time, where = '1 = 1' }: AgedRows,
): Promise<Stored | undefined> {
  const row = await tx.first<{ oldest: Stored | null }>(
    raw(`SELECT min(${time}) AS oldest FROM ${table} WHERE ${where}`),
  )
  return row?.oldest ?? undefined
}

/** Answers with how many that were. */
export function deleteOlder(
  tx: Tx,
  { table, key, time, where = '1 = 1' }: AgedRows,
  before: SqlValue | Date,
  most: number,
): Promise<number> {
  return tx.run(
    sql`${raw(`DELETE FROM ${table} WHERE (${key}) IN
          (SELECT ${key} FROM ${table} WHERE ${where} AND ${time} < `)}${before}
        ${raw(`ORDER BY ${time}`)} LIMIT ${most})`,
  )
}

/** Transaction by transaction until nothing is left, so that requests go on in between. */
export async function inBatches(
  database: Database,
  deleteSome: (tx: Tx, most: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0
  while (!signal?.aborted) {
    const some = await database.write((tx) => deleteSome(tx, ROWS_AT_ONCE))
    deleted += some
    if (some === 0) break
  }
  return deleted
}
