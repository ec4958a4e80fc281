/**
 * Refuses an embedded database that is damaged before anything is written to it. To SQLite an empty file is a
 * new database, and one that was cut off fails somewhere later.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { StartError } from '../kernel/errors.ts'
import type { Database } from '../storage/database.ts'
import { raw } from '../storage/sql.ts'

/** A larger one would take longer to read than a start may take; its length is checked alone. */
const READ_MAX_BYTES = 16 * 1024 * 1024
const HEADER_BYTES = 100

/** Before it is opened; a file that is not there will be created. */
export function checkDatabaseFile(file: string): void {
  const size = sizeOf(file)
  if (size === undefined) return
  if (size === 0) throw damaged(file, 'is empty')
  // What the write-ahead log holds may still have to be copied to the file.
  if (size >= lengthInHeader(file) || sizeOf(`${file}-wal`)) return
  throw damaged(file, 'is cut off: it is shorter than its header says')
}

/** Once it is open. */
export async function checkDatabaseContent(database: Database, file: string): Promise<void> {
  if ((sizeOf(file) ?? 0) > READ_MAX_BYTES) return
  const found = await database
    .read((tx) => tx.first<{ quick_check: string }>(raw('PRAGMA quick_check(1)')))
    .catch((error: unknown) => ({ quick_check: String(error) }))
  if (found?.quick_check !== 'ok') throw damaged(file, `is damaged (${found?.quick_check})`)
}

/** In bytes; 0 when the header does not say. See the file format of SQLite, 1.3. */
function lengthInHeader(file: string): number {
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  try {
    if (readSync(handle, header) < HEADER_BYTES) return HEADER_BYTES
  } finally {
    closeSync(handle)
  }
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92)
  const pageSize = header.readUInt16BE(16)
  return isCurrent ? header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize) : 0
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size
}

function damaged(file: string, what: string): StartError {
  return new StartError(
    `The database ${file} ${what}. Restore it from a backup, or move it away to begin with an empty world.`,
  )
}
