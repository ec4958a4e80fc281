/** A transaction as the stores see it, on one connection. */
import type pg from 'pg'
import type { RowCounter, Sequence, SqlRow, Tx } from '../database.ts'
import { raw, type Sql, sql } from '../sql.ts'
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
    const [row] = await this.all<Row>(query)
    return row
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
    for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
      const records = toRecords(columns, rows.slice(at, at + ROWS_PER_INSERT))
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
      return await submit(client, toConfig(query, named))
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }
}

/** One statement. Those that are submitted together go out together, and are answered in order. */
export function submit(
  client: pg.ClientBase,
  config: pg.QueryConfig | string,
): Promise<pg.QueryResult> {
  return client.query(config).catch((error: unknown) => {
    throw classify(error)
  })
}

interface Statement {
  readonly text: string
  readonly name: string
}

/** Only texts of our own source are prepared by name: those of searches are without number. */
const statements = new WeakMap<readonly string[], Statement>()
let names = 0

function toConfig({ chunks, values, isFixed }: Sql, named: boolean): pg.QueryConfig {
  // pg only reads them.
  const parameters = values as unknown[]
  if (!isFixed) return { text: toText(chunks), values: parameters }
  let statement = statements.get(chunks)
  if (statement === undefined) {
    names += 1
    statement = { text: toText(chunks), name: `kumoi_${names}` }
    statements.set(chunks, statement)
  }
  return named ? { ...statement, values: parameters } : { text: statement.text, values: parameters }
}

function toText(chunks: readonly string[]): string {
  return chunks.reduce((text, chunk, index) => `${text}$${index}${chunk}`)
}

function toRecords(columns: readonly string[], rows: readonly SqlRow[]): object[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  )
}
