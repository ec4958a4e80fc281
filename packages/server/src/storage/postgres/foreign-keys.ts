/**
 * Which tables refer to which. A row that refers to one of another work needs that one first, so such inserts
 * keep the order of the works (docs/adr/0172). Each connection asks once: a table has its keys from its beginning.
 */
import { FOREIGN_KEYS, type ForeignKey } from '../foreign-keys.ts'
import { AllRows } from './asked.ts'
import type { Connection } from './connection.ts'

const known = new WeakMap<Connection, readonly ForeignKey[]>()

/** No row of these tables refers to a row of these tables. False while nothing is known. */
export function areApart(connection: Connection, tables: ReadonlySet<string>): boolean {
  const keys = known.get(connection)
  return keys?.every(({ child, parent }) => !(tables.has(child) && tables.has(parent))) ?? false
}

/** In the transaction that is under way; nobody waits for it. */
export function learnKeys(connection: Connection): void {
  if (known.has(connection)) return
  // The cast: these are the columns of the query.
  const learned = (rows: unknown[]) => known.set(connection, rows as ForeignKey[])
  connection.ask(FOREIGN_KEYS, new AllRows(learned, () => undefined))
}
