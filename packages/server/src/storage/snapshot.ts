/**
 * All rows of all tables as text, and back. The tables and sequences are asked of the engine, so that
 * a new one can never be forgotten, and the text is the same for both engines (docs/adr/0071).
 */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Blobs } from './blobs/blobs.ts'
import type { Database, Tx } from './database.ts'
import { applyMigrations, readMigrations } from './migrate.ts'
import { restoreRows } from './restore.ts'
import { readSequences } from './sequences.ts'
import type { BlobContent, RowContent, TableContent } from './snapshot-file.ts'
import { raw, type SqlValue } from './sql.ts'
import { SqliteDatabase } from './sqlite/database.ts'
import { tableNames } from './truncate.ts'

/** The rows; the contents of files are kept elsewhere and come with `readBlobs`. */
export function takeSnapshot(database: Database): Promise<RowContent> {
  return database.read(async (tx) => {
    const tables: TableContent[] = []
    for (const name of await tableNames(tx)) tables.push(await readTable(tx, name))
    // After the rows: PostgreSQL's sequences move outside of transactions, and only forward.
    return { migrations: await appliedMigrations(tx), tables, sequences: await readSequences(tx) }
  })
}

/** Undefined when they hold more than so many bytes. */
export async function readBlobs(blobs: Blobs, most: number): Promise<BlobContent[] | undefined> {
  const all = await blobs.list()
  if (all.reduce((sum, { bytes }) => sum + bytes, 0) > most) return undefined
  const contents: BlobContent[] = []
  for (const { key } of all) {
    const stream = await blobs.read(key)
    // One that has gone meanwhile belongs to no row any more.
    if (stream !== undefined)
      contents.push({ key, content: (await buffer(stream)).toString('base64') })
  }
  return contents
}

/** A key is never used for another content, so those that are there stay as they are. */
export async function writeBlobs(blobs: Blobs, contents: readonly BlobContent[]): Promise<void> {
  const there = new Set((await blobs.list()).map(({ key }) => key))
  for (const { key, content } of contents) {
    if (!there.has(key)) await blobs.write(key, Readable.from([Buffer.from(content, 'base64')]))
  }
}

/** What came after the snapshot was taken belongs to nobody once it is loaded. */
export async function keepBlobs(blobs: Blobs, contents: readonly BlobContent[]): Promise<void> {
  const kept = new Set(contents.map(({ key }) => key))
  for (const { key } of await blobs.list()) if (!kept.has(key)) await blobs.delete(key)
}

/** Everything is replaced in one transaction, in which `also` runs too. */
export async function loadSnapshot(
  database: Database,
  content: RowContent,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  await database.exclusive(async (tx) => {
    await restoreRows(tx, content)
    await also(tx)
  })
}

/** Brings an older snapshot to today's schema, by the same migrations that a database goes through. */
export async function upgradeSnapshot(content: RowContent, now: Date): Promise<RowContent> {
  const all = await readMigrations('sqlite')
  const then = all.filter(({ version }) => content.migrations.includes(version))
  const scratch = new SqliteDatabase(undefined)
  try {
    await scratch.write((tx) => applyMigrations(tx, then, now))
    await loadSnapshot(scratch, content, async () => undefined)
    await scratch.write((tx) => applyMigrations(tx, all, now))
    return await takeSnapshot(scratch)
  } finally {
    await scratch.close()
  }
}

export async function knownMigrations(database: Database): Promise<number[]> {
  return (await readMigrations(database.engine)).map(({ version }) => version)
}

async function appliedMigrations(tx: Tx): Promise<number[]> {
  const rows = await tx.all<{ version: number }>(
    raw('SELECT version FROM schema_migration ORDER BY version'),
  )
  return rows.map(({ version }) => version)
}

async function readTable(tx: Tx, name: string): Promise<TableContent> {
  const rows = await tx.all<Record<string, SqlValue>>(raw(`SELECT * FROM ${quote(name)}`))
  const columns = Object.keys(rows[0] ?? {})
  return { name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
}

function quote(name: string): string {
  return `"${name}"`
}
