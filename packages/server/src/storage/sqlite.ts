/**
 * The embedded engine: one file, written by one connection through group commit and read by another,
 * so that a reader sees only what is committed (WAL). In memory there is one connection for both.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Database, DatabaseUnusable, type Sequence, type SqlRow, type Tx } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { raw, type Sql, sql } from './sql.ts'

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #group: GroupCommit
  #reading: Promise<unknown> = Promise.resolve()

  /** `file` undefined keeps everything in memory. */
  constructor(file: string | undefined) {
    try {
      this.#writer = new SqliteConnection(file ?? ':memory:', true)
      this.#reader = file === undefined ? this.#writer : new SqliteConnection(file, false)
    } catch (error) {
      throw new DatabaseUnusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
    }
    this.#group = new GroupCommit(this.#writer)
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // One connection has one transaction at a time: in memory that is the writer's.
    if (this.#reader === this.#writer)
      return this.#group.write(() => work(new SqliteTx(this.#writer)))
    const result = this.#reading.then(() => this.#readNow(work))
    this.#reading = result.catch(() => undefined)
    return result
  }

  async #readNow<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#reader.execute('BEGIN')
    try {
      return await work(new SqliteTx(this.#reader))
    } finally {
      this.#reader.execute('COMMIT')
    }
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = []
    const value = await this.#group.write(() => work(new SqliteTx(this.#writer, effects)))
    for (const effect of effects) effect()
    return value
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
    await this.#reading
    await this.#group.write(async () => undefined)
    if (this.#reader !== this.#writer) this.#reader.close()
    this.#writer.close()
  }
}

/** A connection that keeps the statements it has prepared. */
class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(file: string, writable: boolean) {
    this.#database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
    this.execute('PRAGMA journal_mode = WAL')
    // FULL: an answered write survives the loss of power, not only of the process.
    this.execute('PRAGMA synchronous = FULL')
    if (!writable) this.execute('PRAGMA query_only = ON')
  }

  /** A statement without values; prepared once, since the same few come with every request. */
  execute(text: string): void {
    this.#prepare(text).run()
  }

  prepare(query: Sql): StatementSync {
    return this.#prepare(query.chunks.join('?'))
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare(text)
    if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear()
    this.#prepared.set(text, statement)
    return statement
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
    return this.#connection.prepare(query).all(...query.values) as Row[]
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return this.#connection.prepare(query).get(...query.values) as Row | undefined
  }

  async run(query: Sql): Promise<number> {
    return Number(this.#connection.prepare(query).run(...query.values).changes)
  }

  async fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    const insert = this.#connection.prepare(
      raw(`INSERT INTO "${table}" (${names}) VALUES (${places})`),
    )
    for (const row of rows) insert.run(...row)
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
