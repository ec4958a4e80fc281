/**
 * The engine for more than one process: PostgreSQL, or anything that speaks its protocol and its
 * serializable isolation. The stores' SQL is the same as for the embedded engine.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { pause } from '../kernel/clock.ts'
import { Unavailable } from '../kernel/errors.ts'
import {
  type Database,
  DatabaseUnusable,
  type RowCount,
  type Sequence,
  type SqlRow,
  type Tx,
} from './database.ts'
import { VERSIONS_TABLE } from './migrate.ts'
import { raw, type Sql, type SqlValue, sql } from './sql.ts'

/** Serialization failure and deadlock: the engine asks for the same transaction once more. */
const RETRY_STATES: ReadonlySet<string> = new Set(['40001', '40P01'])
const MOST_ATTEMPTS = 12
const CONNECTIONS = 10
/** The number of the advisory lock: the letters "kumo". */
const ALONE = 0x6b756d6f
/**
 * Every transaction begins by passing the gate: together with all others, or, to replace everything,
 * alone (docs/adr/0156). The lock is taken before the first look at the data, and any table would do.
 */
const GATE = {
  shared: 'LOCK TABLE schema_migration IN ACCESS SHARE MODE',
  alone: 'LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE',
}

export class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #pool: postgres.Sql
  /** The last of the transactions that wait for their turn to run again. */
  #collided: Promise<unknown> = Promise.resolve()

  constructor(url: string) {
    this.#pool = postgres(url, {
      max: CONNECTIONS,
      connect_timeout: 5,
      onnotice: () => undefined,
      connection: { application_name: 'kumoi' },
      types: { integers: SAFE_INTEGERS },
    })
  }

  /** Fails with one sentence when the server cannot be reached or the credentials are wrong. */
  static async connect(url: string): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(url)
    try {
      // The gate has to be there before the first transaction, that of the migrations included.
      await database.#pool.unsafe(`SELECT pg_advisory_xact_lock(${ALONE}); ${VERSIONS_TABLE}`)
    } catch (error) {
      await database.close()
      throw new DatabaseUnusable(`The database cannot be used: ${describe(error)}.`)
    }
    return database
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact('ISOLATION LEVEL REPEATABLE READ READ ONLY', GATE.shared, work, [])
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write(GATE.shared, work)
  }

  replace<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write(GATE.alone, work)
  }

  async #write<T>(gate: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(gate, work)
    } catch (error) {
      if (!wantsRetry(error)) throw error
    }
    // Those that have collided go one by one, so that they do not collide with each other again.
    const turn = this.#collided.then(() => this.#insist(gate, work))
    this.#collided = turn.catch(() => undefined)
    return turn
  }

  async #insist<T>(gate: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 2; ; attempt += 1) {
      try {
        return await this.#attempt(gate, work)
      } catch (error) {
        if (!wantsRetry(error)) throw error
        if (attempt === MOST_ATTEMPTS) throw tooBusy(error)
        await pause(attempt * attempt)
      }
    }
  }

  async #attempt<T>(gate: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = []
    const value = await this.#transact('ISOLATION LEVEL SERIALIZABLE', gate, work, effects)
    for (const effect of effects) effect()
    return value
  }

  async #transact<T>(
    options: string,
    gate: string,
    work: (tx: Tx) => Promise<T>,
    effects: (() => void)[],
  ): Promise<T> {
    try {
      // The driver's own type unwraps arrays of promises; the box keeps T as it is.
      const box = await this.#pool.begin(options, async (connection) => {
        // Not waited for: it goes out together with the first statement, which fails if it does.
        void connection.unsafe(gate).execute()
        return { value: await work(new PostgresTx(connection, effects)) }
      })
      return box.value
    } catch (error) {
      throw isUnreachable(error) ? unavailable(error) : error
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.#pool.reserve()
    try {
      await connection`SELECT pg_advisory_lock(${ALONE})`
      return await work()
    } finally {
      await connection`SELECT pg_advisory_unlock(${ALONE})`
      connection.release()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end({ timeout: 5 })
  }
}

class PostgresTx implements Tx {
  readonly engine = 'postgres'
  count?: RowCount
  readonly #connection: postgres.TransactionSql
  readonly #effects: (() => void)[]

  constructor(connection: postgres.TransactionSql, effects: (() => void)[]) {
    this.#connection = connection
    this.#effects = effects
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    // A plain array of rows: the driver's own carries more, and the store knows the columns.
    const rows = [...(await this.#send(query))] as Row[]
    this.count?.told(query, rows.length)
    return rows
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const rows = await this.#send(query)
    this.count?.told(query, rows.length > 0 ? 1 : 0)
    return rows[0] as Row | undefined
  }

  async run(query: Sql): Promise<number> {
    const result = await this.#send(query)
    this.count?.told(query, result.count)
    return result.count
  }

  async later(
    _name: string,
    value: SqlValue,
    together: (values: SqlValue[]) => Sql,
  ): Promise<void> {
    await this.run(together([value]))
  }

  async fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    if (rows.length < ROWS_TO_COPY) {
      const from = raw(`INSERT INTO "${table}" (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::"${table}", `)
      await this.run(sql`${from}${JSON.stringify(asObjects(columns, rows))}::text::json)`)
      return
    }
    const copy = await this.#connection.unsafe(`COPY "${table}" (${names}) FROM STDIN`).writable()
    await pipeline(Readable.from(copyText(rows)), copy)
  }

  async next(sequence: Sequence): Promise<number> {
    const row = await this.first<{ taken: number }>(
      sql`SELECT nextval(${`${sequence}_sequence`}::text::regclass) AS taken`,
    )
    if (row === undefined) throw new Error(`There is no sequence ${sequence}.`)
    return row.taken
  }

  async reserve(sequence: Sequence, number: number): Promise<void> {
    const name = raw(`${sequence}_sequence`)
    await this.run(
      sql`SELECT setval('${name}', ${number}) FROM ${name} WHERE last_value < ${number}`,
    )
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }

  #send(query: Sql) {
    return this.#connection.unsafe(textOf(query), [...query.values], PREPARED)
  }
}

const PREPARED = { prepare: true }
const texts = new WeakMap<readonly string[], string>()

/** Fixed queries (sql.ts) are put together once. */
function textOf({ chunks, isFixed }: Sql): string {
  const known = isFixed ? texts.get(chunks) : undefined
  if (known !== undefined) return known
  const text = chunks.reduce((all, chunk, index) => `${all}$${index}${chunk}`)
  if (isFixed) texts.set(chunks, text)
  return text
}

function asObjects(columns: readonly string[], rows: readonly SqlRow[]) {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  )
}

/** The text form of COPY, in pieces of some rows: tabs between values, and what is not plain escaped. */
function* copyText(rows: readonly SqlRow[]): Generator<string> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    yield some.map((row) => `${row.map(copyValue).join('\t')}\n`).join('')
  }
}

/** A COPY of a few rows waits 40 ms for the socket (Nagle's algorithm), an INSERT does not. */
const ROWS_TO_COPY = 1000
const ROWS_AT_ONCE = 1000
const NOT_PLAIN = /[\\\t\n\r]/
const EACH_NOT_PLAIN = /[\\\t\n\r]/g
const COPY_ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
}

function copyValue(value: SqlValue): string {
  if (value === null) return String.raw`\N`
  if (typeof value === 'number') return String(value)
  // Most need nothing, and looking is three times as fast as replacing nothing.
  if (!NOT_PLAIN.test(value)) return value
  return value.replaceAll(EACH_NOT_PLAIN, (character) => COPY_ESCAPES[character] ?? character)
}

/** 64-bit integers and sums come as numbers; one that a number cannot hold is a fault of ours. */
const SAFE_INTEGERS = {
  to: 20,
  from: [20, 1700],
  serialize: (value: number) => String(value),
  parse: (text: string) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer.`)
    return value
  },
}

function wantsRetry(error: unknown): boolean {
  return error instanceof postgres.PostgresError && RETRY_STATES.has(error.code)
}

/** The server is away, or going or coming: the same call may succeed soon. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|57P0)/.test(code)
}

function tooBusy(cause: unknown): Unavailable {
  return new Unavailable(
    'Too many requests change the same thing at once.',
    '同じ対象への変更が集中しています。',
    { cause },
  )
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The database does not answer.', 'データベースが応答しません。', { cause })
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.message.replace(/\.$/, '')
}
