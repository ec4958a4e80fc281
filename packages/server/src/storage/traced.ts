/** The same database, with every transaction seen by somebody else: for traces. */
import type { Tracing } from '../kernel/tracing.ts'
import type { Database } from './database.ts'

export function traced(database: Database, tracing: Tracing | undefined): Database {
  if (tracing === undefined) return database
  return {
    engine: database.engine,
    read: (work, waiter) => tracing.transaction('read', waiter, () => database.read(work, waiter)),
    write: (work, waiter) =>
      tracing.transaction('write', waiter, () => database.write(work, waiter)),
    exclusive: (work) => database.exclusive(work),
    load: () => database.load?.(),
    close: () => database.close(),
  }
}
