/** A connection that keeps the statements it has prepared. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlRow } from '../database.ts'
import type { Sql } from '../sql.ts'

/** FULL: an answered write survives the loss of power, not only of the process. */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  // At 16 MiB. Sooner, it would mostly copy pages that the next creations change again.
  'PRAGMA wal_autocheckpoint = 4000',
  // What a savepoint could take back is kept in memory.
  'PRAGMA temp_store = MEMORY',
  // 16 MiB, as far as it is used: the upper pages of the indexes of a large account.
  'PRAGMA cache_size = -16384',
]

/** Searches compile to many texts; past this the kept statements are let go. */
const MAX_PREPARED = 500

export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  /** By the chunks of fixed queries (sql.ts), which is quicker than by their text. */
  readonly #byChunks = new WeakMap<readonly string[], Prepared>()

  #writes = 0

  constructor(file: string, writable: boolean, content?: Uint8Array) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
    if (content !== undefined) this.#database.deserialize(content)
    for (const pragma of PRAGMAS) this.execute(pragma)
    if (!writable) this.execute('PRAGMA query_only = ON')
  }

  /** Counts up with each statement that may have changed something. */
  get writes(): number {
    return this.#writes
  }

  /** A statement without values; prepared once, since the same few come with every transaction. */
  execute(text: string): void {
    this.#prepareText(text).statement.run()
  }

  all(query: Sql): unknown[] {
    const { statement, toRow } = this.#count(this.#prepare(query))
    const rows: unknown[] = statement.all(...query.values)
    return rows.map((row) => toRow(row as SqlRow))
  }

  first(query: Sql): unknown {
    const { statement, toRow } = this.#count(this.#prepare(query))
    const row: unknown = statement.get(...query.values)
    return row === undefined ? undefined : toRow(row as SqlRow)
  }

  /** Answers with the number of rows that were changed. */
  run(query: Sql): number {
    return Number(this.#count(this.#prepare(query)).statement.run(...query.values).changes)
  }

  runAll(query: Sql, rows: readonly SqlRow[]): void {
    const { statement } = this.#count(this.#prepare(query))
    for (const row of rows) statement.run(...row)
  }

  /** All that is committed; undefined on releases of Node that cannot do it. */
  serialize(): Uint8Array | undefined {
    return this.#database.serialize?.()
  }

  close(): void {
    this.#database.close()
  }

  #count(prepared: Prepared): Prepared {
    if (!prepared.isWrite) return prepared
    // On a full disk SQLite has ended the transaction itself; what follows would be committed alone.
    if (!this.#database.isTransaction) throw new Error('The transaction has been rolled back.')
    this.#writes += 1
    return prepared
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
    const isWrite = !/^\s*SELECT\b/i.test(text)
    const prepared = {
      statement,
      isWrite,
      toRow: rowMaker(statement.columns().map(({ name }) => name)),
    }
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
    this.#prepared.set(text, prepared)
    return prepared
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly isWrite: boolean
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
