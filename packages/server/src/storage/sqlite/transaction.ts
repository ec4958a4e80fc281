/** A transaction as the stores see it, on a connection whose calls answer at once. */
import type { RowCounter, Sequence, SqlRow, Tx } from '../database.ts'
import { raw, type Sql, sql } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'
import { TakesLong } from './reader-thread.ts'

export class SqliteTx implements Tx {
  readonly engine = 'sqlite'
  rowCounter?: RowCounter
  /** Run by whoever commits. */
  readonly effects: (() => void)[] = []
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  async all<Row>(query: Sql): Promise<Row[]> {
    const rows = this.#connection.all(query)
    this.rowCounter?.countRows(query, rows.length)
    return rows as Row[]
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const row = this.#connection.first(query)
    if (row !== undefined) this.rowCounter?.countRows(query, 1)
    return row as Row | undefined
  }

  async run(query: Sql): Promise<number> {
    const changed = this.#connection.run(query)
    this.rowCounter?.countRows(query, changed)
    return changed
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly SqlRow[],
  ): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    this.#connection.runAll(raw(`INSERT INTO "${table}" (${names}) VALUES (${places})`), rows)
  }

  async next(sequence: Sequence): Promise<number> {
    // Nobody writes in between; RETURNING would take twice the time.
    const row = this.#connection.first(sql`SELECT next FROM sequence WHERE name = ${sequence}`)
    if (row === undefined) throw new Error(`There is no sequence ${sequence}.`)
    this.#connection.run(sql`UPDATE sequence SET next = next + 1 WHERE name = ${sequence}`)
    return (row as { next: number }).next
  }

  async reserve(sequence: Sequence, number: number): Promise<void> {
    this.#connection.run(
      sql`UPDATE sequence SET next = ${number + 1} WHERE name = ${sequence} AND next <= ${number}`,
    )
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect)
  }
}

/** On the event loop, where what takes long would block everybody. */
export class SqliteReadTx extends SqliteTx {
  offload(): never {
    throw new TakesLong()
  }
}
