/**
 * Empties the whole database. The tables are asked of the engine, not listed here, so that a new one
 * can never be forgotten.
 */
import type { Tx } from './database.ts'
import { raw } from './sql.ts'

/** These say what the database is, not what is in it. */
const KEPT: ReadonlySet<string> = new Set(['schema_migration', 'sequence', 'encryption_check'])

export async function tableNames(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    tx.engine === 'sqlite'
      ? // Not what an index of texts keeps for itself.
        raw(`SELECT name FROM pragma_table_list
             WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`)
      : raw('SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()'),
  )
  return rows
    .map(({ name }) => name)
    .filter((name) => !KEPT.has(name))
    .sort()
}

export async function wipe(tx: Tx): Promise<void> {
  const names = await tableNames(tx)
  if (tx.engine === 'postgres') {
    await tx.run(raw(`TRUNCATE ${names.map((name) => `"${name}"`).join(', ')}`))
    return
  }
  // Foreign keys are checked when the transaction ends instead of after each statement.
  await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
  for (const name of names) await tx.run(raw(`DELETE FROM "${name}"`))
}
