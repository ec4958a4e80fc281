/**
 * Empties the whole database. The tables are asked of the engine, not listed here, so that a new one
 * can never be forgotten.
 */
import type { Tx } from './database.ts'
import { raw } from './sql.ts'

/** These say what the database is, not what is in it. */
const KEPT: ReadonlySet<string> = new Set([
  'schema_migration',
  'sequence',
  'encryption_check',
  'replacement',
  'clock',
  // An authority gives out a few a week.
  'acme_account',
  'acme_certificate',
  'acme_challenge',
  // Those that are there stay, and learn by their next request that everything is another.
  'edge',
  'edge_feed',
  // The index of texts still has to hear of these, also of those that are gone.
  'item_text_waiting',
])

/** Each empty table that is left out spares the engine some new files: most worlds fill few of them. */
const FILLED = raw(`
  SELECT string_agg(quote_ident(relname), ', ') AS filled FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    AND relname NOT IN (${[...KEPT].map((name) => `'${name}'`).join(', ')})
    AND pg_relation_size(oid) > 0`)

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

/** Within `Database.replace`: to a reader that began before, a truncated table would be empty. */
export async function truncateAll(tx: Tx): Promise<void> {
  // A list that was counted before is another one from now on, even with the same number of rows.
  await tx.run(raw('UPDATE replacement SET count = count + 1'))
  const names = await tableNames(tx)
  if (tx.engine === 'postgres') {
    const { filled } = (await tx.first<{ filled: string | null }>(FILLED)) ?? {}
    if (filled) await tx.run(raw(`TRUNCATE ${filled} CASCADE`))
    return
  }
  // Foreign keys are checked when the transaction ends instead of after each statement.
  await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
  // A trigger costs more than the row; the index of texts is emptied as a whole.
  const triggers = await tx.all<{ name: string; make: string }>(raw(TRIGGERS))
  for (const { name } of triggers) await tx.run(raw(`DROP TRIGGER "${name}"`))
  for (const name of names) await tx.run(raw(`DELETE FROM "${name}"`))
  for (const { name } of await tx.all<{ name: string }>(raw(TEXT_INDEXES))) {
    await tx.run(raw(`INSERT INTO "${name}" ("${name}") VALUES ('delete-all')`))
  }
  for (const { make } of triggers) await tx.run(raw(make))
}

const TRIGGERS = `SELECT name, sql AS make FROM sqlite_schema WHERE type = 'trigger'`
const TEXT_INDEXES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'`
