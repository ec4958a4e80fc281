/** Counts the rows that a transaction changes, by table: for whoever wants to see what a call did. */
import type { Changes } from '../kernel/changes.ts'
import type { Database, RowCounter, Tx } from './database.ts'
import type { Sql } from './sql.ts'

const STATEMENT = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/i

export class ChangeCount implements RowCounter {
  readonly #rows: Record<string, number> = {}

  get changes(): Changes {
    return this.#rows
  }

  /** The same transaction; what it changes is counted here. */
  of(tx: Tx): Tx {
    tx.rowCounter = this
    return tx
  }

  countRows(query: Sql, rows: number): void {
    const table = rows > 0 ? STATEMENT.exec(query.chunks[0] ?? '')?.[1] : undefined
    if (table !== undefined) this.#rows[table] = (this.#rows[table] ?? 0) + rows
  }

  add(changes: Changes): void {
    for (const [table, rows] of Object.entries(changes)) {
      this.#rows[table] = (this.#rows[table] ?? 0) + rows
    }
  }
}

/** Every transaction of this database is counted, once it is committed. */
export function counting(database: Database, count: ChangeCount): Database {
  return {
    engine: database.engine,
    read: (work, waiter) => database.read(work, waiter),
    exclusive: (work) => database.exclusive(work),
    close: () => database.close(),
    async write(work, waiter) {
      // A transaction may be retried, so each run counts from nothing.
      let own = new ChangeCount()
      const result = await database.write((tx) => {
        own = new ChangeCount()
        return work(own.of(tx))
      }, waiter)
      count.add(own.changes)
      return result
    },
  }
}
