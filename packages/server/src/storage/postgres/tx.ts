/** A transaction as the stores see it, over whatever takes its statements. */
import type { RowCount, Sequence, SqlRow, Tx } from '../database.ts'
import { raw, type Sql, type SqlValue, sql } from '../sql.ts'
import { AllRows, type Asked, type Asks, ChangedRows, FirstRow } from './asked.ts'
import { copyText } from './copy-text.ts'

/** Beginning a COPY costs more than it saves for fewer. */
const ROWS_TO_COPY = 1000

export class PostgresTx implements Tx {
  readonly engine = 'postgres'
  count?: RowCount
  readonly #asks: Asks
  readonly #effects: (() => void)[]
  /** Nothing else can be asked for while rows are on their way. */
  #copying: Promise<unknown> | undefined

  constructor(asks: Asks, effects: (() => void)[] = []) {
    this.#asks = asks
    this.#effects = effects
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  all<Row>(query: Sql): Promise<Row[]> {
    const { count } = this
    return new Promise<unknown[]>((resolve, reject) => {
      const told = (rows: unknown[]) => {
        count?.told(query, rows.length)
        resolve(rows)
      }
      this.#ask(query, new AllRows(count === undefined ? resolve : told, reject))
    }) as Promise<Row[]>
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    const { count } = this
    return new Promise<unknown>((resolve, reject) => {
      const told = (row: unknown) => {
        count?.told(query, row === undefined ? 0 : 1)
        resolve(row)
      }
      this.#ask(query, new FirstRow(count === undefined ? resolve : told, reject))
    }) as Promise<Row | undefined>
  }

  async run(query: Sql): Promise<number> {
    const changed = await this.#run(query)
    this.count?.told(query, changed)
    return changed
  }

  /** It has the transaction for itself, so there is nobody to share with. */
  async later(
    _name: string,
    value: SqlValue,
    together: (values: readonly SqlValue[]) => Sql,
  ): Promise<void> {
    await this.#run(together([value]))
  }

  async fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    if (rows.length < ROWS_TO_COPY) {
      const from = raw(`INSERT INTO "${table}" (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::"${table}", `)
      await this.#run(sql`${from}${JSON.stringify(asObjects(columns, rows))}::text::json)`)
      return
    }
    const copied = new Promise((resolve, reject) => {
      const asked = new ChangedRows(resolve, reject)
      const text = `COPY "${table}" (${names}) FROM STDIN`
      this.#asks.copy(text, copyText(rows), asked).catch(reject)
    })
    this.#copying = copied
    await copied.finally(() => {
      this.#copying = undefined
    })
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
    await this.#run(
      sql`SELECT setval('${name}', ${number}) FROM ${name} WHERE last_value < ${number}`,
    )
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect)
  }

  #run(query: Sql): Promise<number> {
    return new Promise((resolve, reject) => this.#ask(query, new ChangedRows(resolve, reject)))
  }

  #ask(query: Sql, asked: Asked): void {
    if (this.#copying === undefined) this.#asks.ask(query, asked)
    else {
      const next = () => this.#ask(query, asked)
      this.#copying.then(next, next)
    }
  }
}

function asObjects(columns: readonly string[], rows: readonly SqlRow[]) {
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  )
}
