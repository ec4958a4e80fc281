/** Counts the rows that a transaction changes, by table: for whoever wants to see what a call did. */
import type { Changes } from '../kernel/changes.ts'
import type { Database, Sequence, SqlRow, Tx } from './database.ts'
import type { Sql } from './sql.ts'

const STATEMENT = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/i

export class ChangeCount {
  readonly #rows: Record<string, number> = {}

  get changes(): Changes {
    return this.#rows
  }

  /** The same transaction; what it changes is counted here. */
  of(tx: Tx): Tx {
    return new CountingTx(tx, this)
  }

  count(query: Sql, rows: number): void {
    const table = rows > 0 ? tableOf(query) : undefined
    if (table !== undefined) this.#rows[table] = (this.#rows[table] ?? 0) + rows
  }

  add(changes: Changes): void {
    for (const [table, rows] of Object.entries(changes)) {
      this.#rows[table] = (this.#rows[table] ?? 0) + rows
    }
  }
}

class CountingTx implements Tx {
  readonly engine: Tx['engine']
  readonly #tx: Tx
  readonly #count: ChangeCount

  constructor(tx: Tx, count: ChangeCount) {
    this.engine = tx.engine
    this.#tx = tx
    this.#count = count
  }

  /** A statement with RETURNING gives the rows that it changed. */
  async all<Row>(query: Sql): Promise<Row[]> {
    const rows = await this.#tx.all<Row>(query)
    this.#count.count(query, rows.length)
    return rows
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const row = await this.#tx.first<Row>(query)
    this.#count.count(query, row === undefined ? 0 : 1)
    return row
  }

  async run(query: Sql): Promise<number> {
    const rows = await this.#tx.run(query)
    this.#count.count(query, rows)
    return rows
  }

  fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void> {
    return this.#tx.fill(table, columns, rows)
  }

  next(sequence: Sequence): Promise<number> {
    return this.#tx.next(sequence)
  }

  reserve(sequence: Sequence, number: number): Promise<void> {
    return this.#tx.reserve(sequence, number)
  }

  afterCommit(effect: () => void): void {
    this.#tx.afterCommit(effect)
  }
}

const tables = new WeakMap<readonly string[], string | undefined>()

function tableOf({ chunks, isFixed }: Sql): string | undefined {
  if (isFixed && tables.has(chunks)) return tables.get(chunks)
  const table = STATEMENT.exec(chunks[0] ?? '')?.[1]
  if (isFixed) tables.set(chunks, table)
  return table
}

/** Every transaction of this database is counted, once it is committed. */
export function counting(database: Database, count: ChangeCount): Database {
  return {
    engine: database.engine,
    read: (work) => database.read(work),
    replace: (work) => database.replace(work),
    alone: (work) => database.alone(work),
    close: () => database.close(),
    async write(work) {
      // A collided transaction runs again, so each run counts from nothing.
      let own = new ChangeCount()
      const result = await database.write((tx) => {
        own = new ChangeCount()
        return work(own.of(tx))
      })
      count.add(own.changes)
      return result
    },
  }
}
