/** A transaction as the stores see it, on one connection. */
import pg from 'pg'
import { Batch } from '../../kernel/batch.ts'
import type { RowCounter, Sequence, SqlRow, Tx } from '../database.ts'
import { raw, type Sql, type SqlValue, sql } from '../sql.ts'
import { classify } from './errors.ts'

/** A larger document would hold up the event loop while it is written. */
const ROWS_PER_INSERT = 2000

export interface TxOptions {
  readonly client: pg.PoolClient
  readonly named: boolean
  /** Called before each statement; a promise holds it back. */
  readonly before?: (query: Sql) => Promise<void> | undefined
}

export class PostgresTx implements Tx {
  readonly engine = 'postgres'
  rowCounter?: RowCounter
  /** Run by whoever commits. */
  readonly effects: (() => void)[] = []
  /** Of the first statement that failed; those after it only say that the transaction is aborted. */
  failure: unknown
  readonly #options: TxOptions

  constructor(options: TxOptions) {
    this.#options = options
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    const { rows } = await this.#query(query)
    this.rowCounter?.countRows(query, rows.length)
    // The driver cannot know the columns, the store that wrote the query does.
    return rows as Row[]
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(query))[0]
  }

  async run(query: Sql): Promise<number> {
    const { rowCount } = await this.#query(query)
    this.rowCounter?.countRows(query, rowCount ?? 0)
    return rowCount ?? 0
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly SqlRow[],
  ): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const insert = raw(`INSERT INTO "${table}" (${names})
      SELECT ${names} FROM json_populate_recordset(NULL::"${table}", `)
    const toRecord = (row: SqlRow) =>
      Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))
    for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
      const records = rows.slice(at, at + ROWS_PER_INSERT).map(toRecord)
      await this.#query(sql`${insert}${JSON.stringify(records)}::text::json)`)
    }
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
    await this.#query(
      sql`SELECT setval('${name}', ${number}) FROM ${name} WHERE last_value < ${number}`,
    )
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect)
  }

  async #query(query: Sql): Promise<pg.QueryResult> {
    const { client, named, before } = this.#options
    const held = before?.(query)
    if (held !== undefined) await held
    try {
      const { text, name } = toStatement(query)
      return await submit(client, text, query.values, named ? name : undefined)
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }
}

/** One statement. Those that are submitted together are sent by one write, and answered in order. */
export function submit(
  client: pg.ClientBase,
  text: string,
  values?: readonly SqlValue[],
  name?: string,
): Promise<pg.QueryResult> {
  cork(client)
  return new Promise((resolve, reject) => {
    const settle: Settle = (error, result) =>
      settled.add(() => (error ? reject(classify(error)) : resolve(result)))
    const query = new (name === undefined ? Query : NamedQuery)(text, values, settle)
    query.name = name ?? ''
    client.query(query)
  })
}

/** After the answers of all connections were read. */
const settled = new Batch()

type Settle = (error: Error | null, result: pg.QueryResult) => void

/** The driver's own class, of which its types say little. A promise or an object with options would be copied. */
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly SqlValue[] | undefined,
  settle: Settle,
) => pg.Submittable & {
  name: string
  readonly _result: Record<string, object>
  _accumulateRows: boolean
  prepare(connection: pg.Connection): void
  handleRowDescription(message: object): void
}

/** By connection and the name of a statement. */
const columns = new WeakMap<pg.Connection, Map<string, object>>()
const { describe } = pg.Connection.prototype

/** Asks for the columns of a prepared statement once a connection: PostgreSQL never changes them. */
class NamedQuery extends Query {
  #columns: Map<string, object> | undefined

  override prepare(connection: pg.Connection): void {
    this.#columns = columns.get(connection) ?? new Map()
    columns.set(connection, this.#columns)
    const known = this.#columns.get(this.name)
    this._accumulateRows = known !== undefined
    Object.assign(this._result, known)
    if (known !== undefined) connection.describe = () => undefined
    super.prepare(connection)
    connection.describe = describe
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#columns?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Until what runs now has submitted all its statements. */
function cork(client: pg.ClientBase): void {
  // Not in the types of a pooled client.
  const { stream } = (client as unknown as { readonly connection: pg.Connection }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

const statements = new WeakMap<readonly string[], { text: string; name: string }>()
let names = 0

/** Only texts of our own source are prepared by name: those of searches are without number. */
function toStatement({ chunks, isFixed }: Sql): { text: string; name?: string } {
  const known = statements.get(chunks)
  if (known !== undefined) return known
  const text = chunks.reduce((before, chunk, index) => `${before}$${index}${chunk}`)
  if (!isFixed) return { text }
  names += 1
  const statement = { text, name: `kumoi_${names}` }
  statements.set(chunks, statement)
  return statement
}
