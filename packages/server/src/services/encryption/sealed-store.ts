import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { Tx } from '../../storage/database.ts'
import { join, raw, type Sql, type SqlValue, sql } from '../../storage/sql.ts'

export interface SealedRow {
  /** The values of the key's columns. */
  readonly key: readonly SqlValue[]
  readonly stored: string
}

/** Reads and writes the values of one column, whichever slice it belongs to. */
export class SealedStore {
  readonly #tx: Tx
  readonly #table: Sql
  readonly #column: Sql
  readonly #key: readonly string[]

  constructor(tx: Tx, { table, column, key }: SealedColumn) {
    this.#tx = tx
    this.#table = raw(table)
    this.#column = raw(column)
    this.#key = key
  }

  /** In the order of the key. */
  async page(after: SealedRow | undefined, limit: number): Promise<SealedRow[]> {
    const key = raw(this.#key.join(', '))
    const isLater = after && sql`AND (${key}) > (${values(after.key)})`
    const rows = await this.#tx.all<Record<string, SqlValue>>(
      sql`SELECT ${key}, ${this.#column} AS stored FROM ${this.#table}
          WHERE ${this.#column} IS NOT NULL ${isLater ?? raw('')} ORDER BY ${key} LIMIT ${limit}`,
    )
    return rows.map((row) => ({
      key: this.#key.map((name) => row[name] ?? null),
      stored: String(row.stored),
    }))
  }

  /** 0 when somebody else has changed it meanwhile. */
  replace({ key, stored }: SealedRow, resealed: string): Promise<number> {
    const isRow = this.#key.map((name, index) => sql`${raw(name)} = ${key[index] ?? null}`)
    return this.#tx.run(
      sql`UPDATE ${this.#table} SET ${this.#column} = ${resealed}
          WHERE ${join(isRow, ' AND ')} AND ${this.#column} = ${stored}`,
    )
  }
}

function values(key: readonly SqlValue[]): Sql {
  return join(
    key.map((value) => sql`${value}`),
    ', ',
  )
}
