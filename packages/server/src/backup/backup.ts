/**
 * Takes a backup of a server that may be running. The database is copied first, then the contents of files that the
 * copy refers to: a content is on the disk before the row that names it is committed. One that is deleted between the
 * two is missing, and then the database is copied again; what was copied before is not deleted by anybody.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { CopiedDatabase } from './copied-database.ts'
import { copyFlushed, emptyFolder, isEmptyFolder } from './files.ts'
import { DATABASE_FILES, writeManifest } from './manifest.ts'

/** A content is deleted an hour after its upload at the earliest, so a second attempt is rare and a third rarer. */
const ATTEMPTS = 5

export interface BackupSource {
  readonly engine: CopiedDatabase['engine']
  /** Replaces what is there. */
  copyDatabase(to: string): Promise<CopiedDatabase>
  /** Where the contents of files are; undefined when they are in a bucket. */
  readonly contentFolder: string | undefined
  readonly dataFolder: string
  /** Files of the data folder that a restored server needs. */
  readonly secrets: readonly string[]
}

export interface Backup {
  readonly schema: number
  readonly contents: number
  /** Those of the secrets that were there. */
  readonly secrets: readonly string[]
}

/** When it fails, nothing is left in the folder. */
export async function takeBackup(source: BackupSource, folder: string, now: Date): Promise<Backup> {
  if (!(await isEmptyFolder(folder))) throw new StartError(`${folder} is not empty.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const { blobKeys, ...copied } = await copyWithContents(source, folder)
    const secrets: string[] = []
    for (const name of source.secrets) {
      const isThere = await copyFlushed(join(source.dataFolder, name), join(folder, name))
      if (isThere) secrets.push(name)
    }
    const contents = source.contentFolder === undefined ? [] : blobKeys.map(contentName)
    const names = [DATABASE_FILES[source.engine], ...secrets, ...contents]
    await writeManifest(folder, { ...copied, takenAt: now.toISOString() }, names)
    return { schema: copied.schema, contents: contents.length, secrets }
  } catch (error) {
    await emptyFolder(folder)
    throw error
  }
}

/** The file of a content inside a backup. */
function contentName(key: string): string {
  return `blobs/${key}`
}

async function copyWithContents(source: BackupSource, folder: string): Promise<CopiedDatabase> {
  const copied = new Set<string>()
  for (let attempt = 1; ; attempt += 1) {
    const database = await source.copyDatabase(join(folder, DATABASE_FILES[source.engine]))
    const missing = await copyContents(source, database.blobKeys, folder, copied)
    if (missing.length === 0) {
      const needed = new Set(database.blobKeys)
      for (const key of copied) if (!needed.has(key)) await rm(join(folder, contentName(key)))
      return database
    }
    if (attempt === ATTEMPTS) {
      throw new StartError(
        `The database refers to contents of files that are not in ${source.contentFolder}: ${missing.join(', ')}. Give --data as the server has it; a content that is lost has to be uploaded again, or its file deleted.`,
      )
    }
  }
}

/** Answers with the keys of those that are not there. */
async function copyContents(
  { contentFolder }: BackupSource,
  keys: readonly string[],
  folder: string,
  copied: Set<string>,
): Promise<string[]> {
  if (contentFolder === undefined) return []
  const missing: string[] = []
  for (const key of keys) {
    if (copied.has(key)) continue
    const isThere = await copyFlushed(join(contentFolder, key), join(folder, contentName(key)))
    if (isThere) copied.add(key)
    else missing.push(key)
  }
  return missing
}
