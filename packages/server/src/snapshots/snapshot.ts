/**
 * All rows of all tables as a file, and back. The tables and sequences are asked of the engine, so that
 * a new one can never be forgotten, and the file is the same for both engines (docs/adr/0014-snapshots.md).
 * Rows go through in pages, so that neither the memory nor the event loop is taken up by a large world.
 */
import { Readable } from 'node:stream'
import { yieldToEventLoop } from '../kernel/clock.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { MemoryBlobs } from '../storage/blobs/memory.ts'
import type { Database, Tx } from '../storage/database.ts'
import { applyMigrations, readMigrations } from '../storage/migrate.ts'
import { readSequences } from '../storage/sequences.ts'
import { raw } from '../storage/sql.ts'
import { SqliteDatabase } from '../storage/sqlite/database.ts'
import { tableNames } from '../storage/truncate.ts'
import { restore } from './restore.ts'
import {
  indexSnapshot,
  readBlob,
  readRows,
  type SnapshotHead,
  type SnapshotIndex,
  type SnapshotTable,
  toLine,
} from './snapshot-file.ts'
import { readTable } from './table-pages.ts'

/** The contents of files hold more bytes than a snapshot takes. */
export class SnapshotTooLarge extends Error {}

/** Contents of files that go into the snapshot, up to so many bytes together. */
interface Files {
  readonly blobs: Blobs
  readonly bytesMax: number
}

/** Writes the snapshot to `target` as it is read; answers with its bytes. */
export function takeSnapshot(
  database: Database,
  head: SnapshotHead,
  files: Files,
  target: { readonly blobs: Blobs; readonly key: string },
): Promise<number> {
  return database.read((tx) => {
    tx.offload?.()
    const content = Readable.from(snapshotPieces(tx, head, files), { objectMode: false })
    return target.blobs.write(target.key, content)
  })
}

async function* snapshotPieces(tx: Tx, head: SnapshotHead, files: Files): AsyncGenerator<Buffer> {
  const migrations = await appliedMigrations(tx)
  yield Buffer.from(toLine({ ...head, migrations }))
  let lines = 2
  for (const name of await tableNames(tx)) {
    let columns: string[] | undefined
    for await (const page of readTable(tx, name)) {
      const isFirst = columns === undefined
      columns ??= Object.keys(page[0] ?? {})
      const order = columns
      const rows = page.map((row) => toLine(order.map((column) => row[column] ?? null)))
      yield Buffer.from((isFirst ? toLine({ table: name, columns }) : '') + rows.join(''))
      lines += rows.length
      await yieldToEventLoop()
    }
    if (columns === undefined) yield Buffer.from(toLine({ table: name, columns: [] }))
    lines += 1
  }
  // After the rows: PostgreSQL's sequences move outside of transactions, and only forward.
  const sequences = await readSequences(tx)
  for (const { name, next } of sequences) yield Buffer.from(toLine({ sequence: name, next }))
  lines += sequences.length
  // After the rows, too: what they name is there, and what came since does no harm.
  for (const key of await keysOf(files)) {
    const content = await files.blobs.read(key)
    // One that has gone meanwhile belongs to no row any more.
    if (content === undefined) continue
    yield* blobPieces(key, content)
    lines += 1
  }
  yield Buffer.from(toLine({ lines }))
}

async function keysOf({ blobs, bytesMax }: Files): Promise<string[]> {
  const all = await blobs.list()
  if (all.reduce((sum, { bytes }) => sum + bytes, 0) > bytesMax) throw new SnapshotTooLarge()
  return all.map(({ key }) => key)
}

/** `{"blob":"…","content":"…"}` in base64, piece by piece. */
async function* blobPieces(key: string, content: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"blob":${JSON.stringify(key)},"content":"`)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk])
    // Three bytes are four letters: only whole threes can be written one after the other.
    const whole = bytes.length - (bytes.length % 3)
    yield Buffer.from(bytes.toString('base64', 0, whole))
    rest = bytes.subarray(whole)
  }
  yield Buffer.from(`${rest.toString('base64')}"}\n`)
}

/** A snapshot that is kept as a blob, checked. */
export class StoredSnapshot {
  readonly #blobs: Blobs
  readonly #key: string
  readonly index: SnapshotIndex

  private constructor(blobs: Blobs, key: string, index: SnapshotIndex) {
    this.#blobs = blobs
    this.#key = key
    this.index = index
  }

  /** Undefined when there is none; throws SnapshotBroken when it cannot be read. */
  static async open(blobs: Blobs, key: string): Promise<StoredSnapshot | undefined> {
    const content = await blobs.read(key)
    return content && new StoredSnapshot(blobs, key, await indexSnapshot(content))
  }

  async *rows({ range }: SnapshotTable): ReturnType<typeof readRows> {
    const content = range && (await this.#blobs.read(this.#key, range))
    if (content !== undefined) yield* readRows(content)
  }

  /** A key is never used for another content, so those that are there stay as they are. */
  async writeFiles(files: Blobs): Promise<void> {
    const there = new Set((await files.list()).map(({ key }) => key))
    for (const { key, range } of this.index.blobs) {
      const line = there.has(key) ? undefined : await this.#blobs.read(this.#key, range)
      if (line !== undefined) await files.write(key, Readable.from([await readBlob(line)]))
    }
  }

  /** What came after the snapshot was taken belongs to nobody once it is loaded. */
  async deleteOtherFiles(files: Blobs): Promise<void> {
    const kept = new Set(this.index.blobs.map(({ key }) => key))
    for (const { key } of await files.list()) if (!kept.has(key)) await files.delete(key)
  }
}

/** Everything is replaced in one transaction, in which `also` runs too. */
export async function loadSnapshot(
  database: Database,
  snapshot: StoredSnapshot,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  await database.exclusive(async (tx) => {
    await restore(tx, snapshot)
    await also(tx)
  })
}

/** Brings the rows of an older snapshot to today's schema, by the same migrations that a database goes through. */
export async function upgradeSnapshot(
  snapshot: StoredSnapshot,
  now: Date,
): Promise<StoredSnapshot> {
  const { head, migrations } = snapshot.index
  const all = readMigrations('sqlite')
  const then = all.filter(({ version }) => migrations.includes(version))
  const scratch = new SqliteDatabase(undefined)
  try {
    await scratch.write((tx) => applyMigrations(tx, then, now))
    await loadSnapshot(scratch, snapshot, async () => undefined)
    await scratch.write((tx) => applyMigrations(tx, all, now))
    const target = { blobs: new MemoryBlobs(), key: 'upgraded' }
    await takeSnapshot(scratch, head, { blobs: new MemoryBlobs(), bytesMax: 0 }, target)
    const upgraded = await StoredSnapshot.open(target.blobs, target.key)
    if (upgraded === undefined) throw new Error('The upgraded snapshot is missing.')
    return upgraded
  } finally {
    await scratch.close()
  }
}

export function knownMigrations(database: Database): number[] {
  return readMigrations(database.engine).map(({ version }) => version)
}

async function appliedMigrations(tx: Tx): Promise<number[]> {
  const rows = await tx.all<{ version: number }>(
    raw('SELECT version FROM schema_migration ORDER BY version'),
  )
  return rows.map(({ version }) => version)
}
