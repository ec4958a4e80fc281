/**
 * Puts all rows of a snapshot in place of those that are there, within `Database.replace`: nobody reads
 * meanwhile, so that tables can be truncated and indexes dropped (docs/adr/0014-snapshots.md).
 */
import type { Tx } from '../storage/database.ts'
import { restartSequences } from '../storage/sequences.ts'
import { raw, type SqlValue } from '../storage/sql.ts'
import { tableNames, truncateAll } from '../storage/truncate.ts'
import type { SnapshotIndex, SnapshotTable } from './snapshot-file.ts'

/** A snapshot whose rows can be read in batches, as often as the transaction runs. */
interface RowSource {
  readonly index: Pick<SnapshotIndex, 'tables' | 'sequences'>
  rows(table: SnapshotTable): AsyncIterable<SqlValue[][]>
}

/** An index, or on PostgreSQL a foreign key too: made over all rows at once, it costs a fraction. */
interface Index {
  readonly table: string
  readonly drop: string
  readonly make: string
}

/** With fewer rows, keeping indexes up to date costs less than making them anew. */
export const LARGE_ROWS = 2000

export async function restore(tx: Tx, snapshot: RowSource): Promise<void> {
  const { sequences } = snapshot.index
  const tables = new Map(snapshot.index.tables.map((table) => [table.name, table]))
  const indexes = (await indexesOf(tx)).filter(
    ({ table }) => (tables.get(table)?.rows ?? 0) >= LARGE_ROWS,
  )
  // First of all: rows are deleted faster without them, too.
  for (const { drop } of indexes) await tx.run(raw(drop))
  await truncateAll(tx)
  for (const name of await foreignKeyOrder(tx, await tableNames(tx))) {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`The snapshot has no table ${name}.`)
    for await (const rows of snapshot.rows(table)) await tx.insertMany(name, table.columns, rows)
  }
  for (const { make } of indexes) await tx.run(raw(make))
  if (tx.engine === 'sqlite') await tx.run(raw(ALL_TEXTS))
  await restartSequences(tx, sequences)
}

/** See services/items/text-index-store.ts. */
const ALL_TEXTS =
  'INSERT OR IGNORE INTO item_text_waiting (id) SELECT CAST(id AS INTEGER) FROM item'

interface ForeignKey {
  readonly child: string
  readonly parent: string
}

/** Which tables refer to which, on PostgreSQL. */
const FOREIGN_KEYS = raw(`SELECT child.relname::text AS child, parent.relname::text AS parent
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

function indexesOf(tx: Tx): Promise<Index[]> {
  return tx.all<Index>(raw(tx.engine === 'sqlite' ? SQLITE_INDEXES : POSTGRES_INDEXES))
}

/** Those that a constraint made have no text of their own, and stay. */
const SQLITE_INDEXES = `
  SELECT tbl_name AS "table", 'DROP INDEX "' || name || '"' AS "drop", sql AS make
  FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`

const POSTGRES_INDEXES = `
  SELECT owner.relname::text AS "table", format('DROP INDEX %I', own.relname) AS "drop",
    pg_get_indexdef(own.oid) AS make
  FROM pg_index
  JOIN pg_class owner ON owner.oid = indrelid
  JOIN pg_class own ON own.oid = indexrelid
  WHERE owner.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = own.oid)
  UNION ALL
  SELECT owner.relname::text, format('ALTER TABLE %I DROP CONSTRAINT %I', owner.relname, conname),
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', owner.relname, conname,
      pg_get_constraintdef(pg_constraint.oid))
  FROM pg_constraint
  JOIN pg_class owner ON owner.oid = conrelid
  WHERE owner.relnamespace = current_schema()::regnamespace AND contype = 'f'`
