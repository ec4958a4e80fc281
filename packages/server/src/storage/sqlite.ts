/**
 * The embedded engine: one file, written by one connection through group commit and read by another,
 * so that a reader sees only what is committed (WAL). In memory there is one connection for both.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Database, DatabaseUnusable, type Sequence, type SqlRow, type Tx } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { SharedReads } from './shared-reads.ts'
import { raw, type Sql, sql } from './sql.ts'

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #group: GroupCommit
  readonly #reads: SharedReads

  /** `file` undefined keeps everything in memory. */
  constructor(file: string | undefined) {
    try {
      this.#writer = new SqliteConnection(file ?? ':memory:', true)
      this.#reader = file === undefined ? this.#writer : new SqliteConnection(file, false)
    } catch (error) {
      throw new DatabaseUnusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
    }
    this.#reads = new SharedReads(this.#reader)
    this.#group = new GroupCommit(this.#writer, () => this.#reads.outdate())
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // One connection has one transaction at a time: in memory that is the writer's.
    if (this.#reader === this.#writer)
      return this.#group.write(() => work(new SqliteTx(this.#writer)))
    return this.#reads.read(() => work(new SqliteTx(this.#reader)))
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = []
    const value = await this.#group.write(() => work(new SqliteTx(this.#writer, effects)))
    for (const effect of effects) effect()
    return value
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    // The data folder has one owner (owner-lock.ts), so there is nobody to wait for.
    return work()
  }

  async close(): Promise<void> {
    await this.#reads.end()
    await this.#group.write(async () => undefined)
    if (this.#reader !== this.#writer) this.#reader.close()
    this.#writer.close()
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

/** A connection that keeps the statements it has prepared. */
class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  /** By the chunks of fixed queries (sql.ts), which is quicker than by their text. */
  readonly #byChunks = new WeakMap<readonly string[], Prepared>()

  constructor(file: string, writable: boolean) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
    this.execute('PRAGMA journal_mode = WAL')
    // FULL: an answered write survives the loss of power, not only of the process.
    this.execute('PRAGMA synchronous = FULL')
    if (!writable) this.execute('PRAGMA query_only = ON')
  }

  /** A statement without values; prepared once, since the same few come with every request. */
  execute(text: string): void {
    this.#prepare(text).statement.run()
  }

  prepare(query: Sql): Prepared {
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
    const prepared = { statement, toRow: rowMaker(statement.columns().map(({ name }) => name)) }
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

class SqliteTx implements Tx {
  readonly engine = 'sqlite'
  readonly #connection: SqliteConnection
  readonly #effects: (() => void)[]

  constructor(connection: SqliteConnection, effects: (() => void)[] = []) {
    this.#connection = connection
    this.#effects = effects
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  async all<Row>(query: Sql): Promise<Row[]> {
    const { statement, toRow } = this.#connection.prepare(query)
    const rows: unknown[] = statement.all(...query.values)
    return rows.map((row) => toRow(row as SqlRow)) as Row[]
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const { statement, toRow } = this.#connection.prepare(query)
    const row: unknown = statement.get(...query.values)
    return row === undefined ? undefined : (toRow(row as SqlRow) as Row)
  }

  async run(query: Sql): Promise<number> {
    return Number(this.#connection.prepare(query).statement.run(...query.values).changes)
  }

  async fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    const insert = this.#connection.prepare(
      raw(`INSERT INTO "${table}" (${names}) VALUES (${places})`),
    )
    for (const row of rows) insert.statement.run(...row)
  }

  async next(sequence: Sequence): Promise<number> {
    const row = await this.first<{ taken: number }>(
      sql`UPDATE sequence SET next = next + 1 WHERE name = ${sequence} RETURNING next - 1 AS taken`,
    )
    if (row === undefined) throw new Error(`There is no sequence ${sequence}.`)
    return row.taken
  }

  async reserve(sequence: Sequence, number: number): Promise<void> {
    await this.run(
      sql`UPDATE sequence SET next = ${number + 1} WHERE name = ${sequence} AND next <= ${number}`,
    )
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
