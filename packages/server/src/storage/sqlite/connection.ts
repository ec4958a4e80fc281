/** A connection that keeps the statements it has prepared. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlRow } from '../database.ts'
import type { Sql } from '../sql.ts'

/** FULL: an answered write survives the loss of power, not only of the process. */
export const DURABLE = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL'] as const

/** Searches compile to many texts; past this the kept statements are let go. */
const MAX_PREPARED = 500

export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  /** By the chunks of fixed queries (sql.ts), which is quicker than by their text. */
  readonly #byChunks = new WeakMap<readonly string[], Prepared>()

  constructor(file: string, writable: boolean) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
    for (const pragma of DURABLE) this.execute(pragma)
    if (!writable) this.execute('PRAGMA query_only = ON')
  }

  /** A statement without values; prepared once, since the same few come with every transaction. */
  execute(text: string): void {
    this.#prepareText(text).statement.run()
  }

  all(query: Sql): unknown[] {
    const { statement, toRow } = this.#prepare(query)
    const rows: unknown[] = statement.all(...query.values)
    return rows.map((row) => toRow(row as SqlRow))
  }

  first(query: Sql): unknown {
    const { statement, toRow } = this.#prepare(query)
    const row: unknown = statement.get(...query.values)
    return row === undefined ? undefined : toRow(row as SqlRow)
  }

  /** Answers with the number of rows that were changed. */
  run(query: Sql): number {
    return Number(this.#prepare(query).statement.run(...query.values).changes)
  }

  runAll(query: Sql, rows: readonly SqlRow[]): void {
    const { statement } = this.#prepare(query)
    for (const row of rows) statement.run(...row)
  }

  close(): void {
    this.#database.close()
  }

  #prepare(query: Sql): Prepared {
    if (!query.isFixed) return this.#prepareText(query.chunks.join('?'))
    const known = this.#byChunks.get(query.chunks)
    if (known !== undefined) return known
    const prepared = this.#prepareText(query.chunks.join('?'))
    this.#byChunks.set(query.chunks, prepared)
    return prepared
  }

  #prepareText(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare(text)
    statement.setReturnArrays(true)
    const prepared = { statement, toRow: rowMaker(statement.columns().map(({ name }) => name)) }
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
    this.#prepared.set(text, prepared)
    return prepared
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly toRow: (values: SqlRow) => unknown
}

/**
 * Values to a row with names, in code made for this statement: half the cost of the engine's own rows,
 * which look up each name again and come out as slow objects. The names are those of our own source.
 */
function rowMaker(names: readonly string[]): Prepared['toRow'] {
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  // The cast: a function made from text has no type.
  return new Function('values', `return { ${members.join(', ')} }`) as Prepared['toRow']
}
