/** Counts the rows that a transaction changes, by table: for whoever wants to see what a call did. */
import type { Changes } from '../kernel/changes.ts'
import type { Database, Tx } from './database.ts'
import type { Sql } from './sql.ts'

const STATEMENT = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/i

export class ChangeCount {
  readonly #rows: Record<string, number> = {}

  get changes(): Changes {
    return this.#rows
  }

  /** The same transaction; what it changes is counted here. */
  of(tx: Tx): Tx {
    const count = async (query: Sql) => {
      const changed = await tx.run(query)
      const table = STATEMENT.exec(query.chunks[0] ?? '')?.[1]
      if (changed > 0 && table !== undefined) {
        this.#rows[table] = (this.#rows[table] ?? 0) + changed
      }
      return changed
    }
    return {
      engine: tx.engine,
      all: (query) => tx.all(query),
      first: (query) => tx.first(query),
      run: count,
      fill: (table, columns, rows) => tx.fill(table, columns, rows),
      next: (sequence) => tx.next(sequence),
      reserve: (sequence, number) => tx.reserve(sequence, number),
      afterCommit: (effect) => tx.afterCommit(effect),
    }
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
