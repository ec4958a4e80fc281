import type { Tx } from './database.ts'
import { raw } from './sql.ts'

export interface ForeignKey {
  readonly child: string
  readonly parent: string
}

/** Which tables refer to which, on PostgreSQL. */
export const FOREIGN_KEYS = raw(`SELECT child.relname::text AS child, parent.relname::text AS parent
  FROM pg_constraint c
  JOIN pg_class child ON child.oid = c.conrelid
  JOIN pg_class parent ON parent.oid = c.confrelid
  WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace`)

/** The tables in an order in which they can be filled: each after those that it refers to. */
export async function foreignKeyOrder(tx: Tx, names: readonly string[]): Promise<string[]> {
  // SQLite can put the check off to the end of the transaction.
  if (tx.engine === 'sqlite') return [...names]
  const keys = await tx.all<ForeignKey>(FOREIGN_KEYS)
  const order = new Set<string>()
  const visit = (name: string) => {
    if (order.has(name)) return
    for (const { child, parent } of keys) if (child === name && parent !== name) visit(parent)
    order.add(name)
  }
  for (const name of names) visit(name)
  return [...order]
}
