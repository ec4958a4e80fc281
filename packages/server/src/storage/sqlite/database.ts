/**
 * The embedded engine: one file, written by one connection through group commit and read by another,
 * so that a reader sees only what is committed (WAL). In memory there is one connection for both.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Database,
  DatabaseUnusable,
  type RowCount,
  type Sequence,
  type SqlRow,
  type Tx,
} from '../database.ts'
import { raw, type Sql, type SqlValue } from '../sql.ts'
import { type ForAll, SqliteLater } from '../sqlite-later.ts'
import { type Gate, Together } from '../sqlite-together.ts'
import { GroupCommit } from './group-commit.ts'
import { SqliteThread, TakesLong } from './reader-thread.ts'
import { SqliteSequences } from './sequences.ts'
import { SharedReads } from './shared-reads.ts'
import { SqliteTextIndex } from './text-index.ts'

/** FULL: an answered write survives the loss of power, not only of the process. */
export const DURABLE = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL'] as const

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #group: GroupCommit
  readonly #reads: SharedReads
  readonly #thread: SqliteThread | undefined

  /** `file` undefined keeps everything in memory. */
  constructor(file: string | undefined) {
    try {
      this.#writer = new SqliteConnection(file ?? ':memory:', true)
      this.#reader = file === undefined ? this.#writer : new SqliteConnection(file, false)
    } catch (error) {
      throw new DatabaseUnusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
    }
    this.#reads = new SharedReads(this.#reader)
    this.#thread = file === undefined ? undefined : new SqliteThread(file)
    const writer = this.#writer
    const told = {
      committing: () => {
        writer.flush()
        this.#reads.rest()
      },
      committed: () => this.#reads.outdate(),
      rolledBack: () => writer.forget(),
    }
    // In memory, reads are works, too, and want to see all that those before them did.
    const together = file === undefined ? undefined : new Together((table) => writer.parents(table))
    this.#group = new GroupCommit(writer, told, together)
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const thread = this.#thread
    // One connection has one transaction at a time: in memory that is the writer's.
    if (thread === undefined) {
      return this.#group.write(() => {
        // What others of its group have done is seen, all of it.
        this.#writer.flush()
        return work(new SqliteTx(this.#writer))
      })
    }
    return this.#reads.read(
      () => work(new SqliteReadTx(this.#reader)),
      () => thread.read(work),
    )
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let effects: (() => void)[] = []
    return this.#group.write(
      (gate) => {
        // Each run has its own: one that was given up may still be about to add to them.
        const own: typeof effects = []
        effects = own
        return work(new SqliteTx(this.#writer, own, gate))
      },
      () => {
        for (const effect of effects) effect()
      },
    )
  }

  replace<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // A reader goes on with what it began to see, and there is one writer at a time.
    return this.write(work)
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    // The data folder has one owner (owner-lock.ts), so there is nobody to wait for.
    return work()
  }

  async close(): Promise<void> {
    await this.#reads.end()
    await this.#thread?.close()
    await this.#group.write(async () => undefined)
    if (this.#reader !== this.#writer) this.#reader.close()
    this.#writer.close()
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly isWrite: boolean
  /** What the sequences have counted in memory has to be in the table first. */
  readonly isOfSequences: boolean
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

/** A connection that keeps the statements it has prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  /** By the chunks of fixed queries (sql.ts), which is quicker than by their text. */
  readonly #byChunks = new WeakMap<readonly string[], Prepared>()
  readonly sequences = new SqliteSequences({
    // The cast: the engine cannot know the columns.
    first: (query) => {
      const { statement, toRow } = this.#kept(query)
      const row: unknown = statement.get(...query.values)
      return row === undefined ? undefined : (toRow(row as SqlRow) as { next: number })
    },
    run: (query) => this.#kept(query).statement.run(...query.values),
  })
  readonly #later = new SqliteLater((query) => this.#kept(query).statement.run(...query.values))
  readonly #texts = new SqliteTextIndex({
    has: (query) => this.#kept(query).statement.get() !== undefined,
    run: (query) => this.#kept(query).statement.run(),
  })
  readonly #parents = new Map<string, ReadonlySet<string>>()
  #writes = 0

  constructor(file: string, writable: boolean) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
    for (const pragma of DURABLE) this.execute(pragma)
    if (!writable) this.execute('PRAGMA query_only = ON')
  }

  get writes(): number {
    return this.#writes
  }

  later(name: string, value: SqlValue, together: ForAll): void {
    this.#writes += 1
    this.#later.add(name, value, together)
  }

  /** The tables that foreign keys of this one refer to. */
  parents(table: string): ReadonlySet<string> {
    const known = this.#parents.get(table)
    if (known !== undefined) return known
    const listed = this.#database.prepare('SELECT "table" AS name FROM pragma_foreign_key_list(?)')
    const parents = new Set(listed.all(table).map(({ name }) => String(name)))
    this.#parents.set(table, parents)
    return parents
  }

  /** All that was kept in memory goes to its tables. */
  flush(): void {
    this.sequences.flush()
    this.#later.flush()
    this.#texts.flush()
  }

  forget(): void {
    this.sequences.forget()
    this.#later.forget()
  }

  /** For a statement that gives rows; one with RETURNING writes, too. */
  prepareRead(query: Sql): Prepared {
    const prepared = this.prepare(query)
    if (prepared.isWrite) this.#writes += 1
    return prepared
  }

  /** For a statement that may write. */
  prepareWrite(query: Sql): Prepared {
    this.#writes += 1
    return this.prepare(query)
  }

  /** A statement without values; prepared once, since the same few come with every request. */
  execute(text: string): void {
    this.#prepare(text).statement.run()
  }

  prepare(query: Sql): Prepared {
    const prepared = this.#kept(query)
    if (prepared.isOfSequences) this.sequences.flush()
    return prepared
  }

  #kept(query: Sql): Prepared {
    if (!query.isFixed) return this.#prepare(query.chunks.join('?'))
    const known = this.#byChunks.get(query.chunks)
    if (known !== undefined) return known
    const prepared = this.#prepare(query.chunks.join('?'))
    this.#byChunks.set(query.chunks, prepared)
    return prepared
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare(text)
    statement.setReturnArrays(true)
    const prepared = {
      statement,
      isWrite: !/^\s*SELECT\b/i.test(text),
      isOfSequences: /\bsequence\b/i.test(text),
      toRow: rowMaker(statement.columns().map(({ name }) => name)),
    }
    if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear()
    this.#prepared.set(text, prepared)
    return prepared
  }

  close(): void {
    this.#database.close()
  }
}

/** Searches compile to many texts; past this the kept statements are let go. */
const MOST_PREPARED = 500

export class SqliteTx implements Tx {
  readonly engine = 'sqlite'
  count?: RowCount
  readonly #connection: SqliteConnection
  readonly #effects: (() => void)[]
  readonly #gate: Gate | undefined

  constructor(connection: SqliteConnection, effects: (() => void)[] = [], gate?: Gate) {
    this.#connection = connection
    this.#effects = effects
    this.#gate = gate
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  async all<Row>(query: Sql): Promise<Row[]> {
    const stop = this.#gate?.look(query)
    if (stop !== undefined) await stop
    const { statement, toRow } = this.#connection.prepareRead(query)
    const rows: unknown[] = statement.all(...query.values)
    this.count?.told(query, rows.length)
    return rows.map((row) => toRow(row as SqlRow)) as Row[]
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const stop = this.#gate?.look(query)
    if (stop !== undefined) await stop
    const { statement, toRow } = this.#connection.prepareRead(query)
    const row: unknown = statement.get(...query.values)
    if (row === undefined) return undefined
    this.count?.told(query, 1)
    return toRow(row as SqlRow) as Row
  }

  async run(query: Sql): Promise<number> {
    const stop = this.#gate?.insert(query)
    if (stop !== undefined) await stop
    const { changes } = this.#connection.prepareWrite(query).statement.run(...query.values)
    this.#gate?.inserted(query, Number(changes))
    this.count?.told(query, Number(changes))
    return Number(changes)
  }

  async later(name: string, value: SqlValue, together: ForAll): Promise<void> {
    const stop = this.#gate?.wish()
    if (stop !== undefined) await stop
    this.#connection.later(name, value, together)
  }

  async fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    const stop = this.#gate?.other()
    if (stop !== undefined) await stop
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    const insert = this.#connection.prepareWrite(
      raw(`INSERT INTO "${table}" (${names}) VALUES (${places})`),
    )
    for (const row of rows) insert.statement.run(...row)
  }

  async next(sequence: Sequence): Promise<number> {
    const stop = this.#gate?.number()
    if (stop !== undefined) await stop
    return this.#connection.sequences.take(sequence)
  }

  async reserve(sequence: Sequence, number: number): Promise<void> {
    const stop = this.#gate?.other()
    if (stop !== undefined) await stop
    this.#connection.sequences.reserve(sequence, number)
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }
}

/** Of those who would keep others waiting when they take long. */
export class SqliteReadTx extends SqliteTx {
  mayTakeLong(): never {
    throw new TakesLong()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
