/**
 * What a backup is: a folder with the copied files, their checksums in the form of `sha256sum`, and `backup.json`,
 * which is written last. A folder without it is not a backup, so one that was interrupted is never restored.
 */
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { Engine } from '../storage/database.ts'
import type { CopiedDatabase } from './copied-database.ts'
import { checksumOf, writeFlushed } from './files.ts'

const MANIFEST = 'backup.json'
const CHECKSUMS = 'SHA256SUMS'
const FORMAT = 1

export interface Manifest extends Omit<CopiedDatabase, 'blobKeys'> {
  readonly takenAt: string
}

/** The file of the database inside a backup. */
export const DATABASE_FILES: Readonly<Record<Engine, string>> = {
  sqlite: 'kumoi.db',
  postgres: 'database.dump',
}

/** `names` are the files of the backup, relative to its folder. */
export async function writeManifest(
  folder: string,
  manifest: Manifest,
  names: readonly string[],
): Promise<void> {
  const lines: string[] = []
  for (const name of names) lines.push(`${await checksumOf(join(folder, name))}  ${name}\n`)
  await writeFlushed(join(folder, CHECKSUMS), lines.join(''))
  const checksums = await checksumOf(join(folder, CHECKSUMS))
  const text = JSON.stringify({ kumoi: 'backup', format: FORMAT, ...manifest, checksums }, null, 2)
  await writeFlushed(join(folder, MANIFEST), `${text}\n`)
}

/** Reads every file once: a damaged backup is refused before anything is written. */
export async function readManifest(
  folder: string,
): Promise<{ readonly manifest: Manifest; readonly names: readonly string[] }> {
  const { kumoi, format, checksums, ...manifest } = parseManifest(folder)
  if (kumoi !== 'backup') throw notOurs(folder, `its ${MANIFEST} is not one of a backup`)
  if (format !== FORMAT) {
    throw new StartError(
      `The backup ${folder} has format ${format}; this Kumoi knows format ${FORMAT}.`,
    )
  }
  if ((await checksumOrMissing(join(folder, CHECKSUMS))) !== checksums) {
    throw damaged(folder, CHECKSUMS)
  }
  const names: string[] = []
  for (const line of readFileSync(join(folder, CHECKSUMS), 'utf8').split('\n').filter(Boolean)) {
    const [checksum, name = ''] = line.split('  ')
    // A restore writes a file of this name: one from a stranger could name any on this machine.
    if (isAbsolute(name) || name.split('/').includes('..')) {
      throw notOurs(folder, `${CHECKSUMS} names ${name}, which is not in it`)
    }
    if ((await checksumOrMissing(join(folder, name))) !== checksum) throw damaged(folder, name)
    names.push(name)
  }
  return { manifest, names }
}

type Written = Manifest & Readonly<Record<'kumoi' | 'format' | 'checksums', unknown>>

function parseManifest(folder: string): Written {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch {
    throw notOurs(folder, `it has no ${MANIFEST}`)
  }
  try {
    const parsed: unknown = JSON.parse(text)
    // What is in it is compared with what this program writes before it is used.
    return Object(parsed) as Written
  } catch {
    throw damaged(folder, MANIFEST)
  }
}

async function checksumOrMissing(file: string): Promise<string | undefined> {
  return checksumOf(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined
    throw error
  })
}

function notOurs(folder: string, why: string): StartError {
  return new StartError(`${folder} is not a backup of Kumoi, or an unfinished one: ${why}.`)
}

function damaged(folder: string, name: string): StartError {
  return new StartError(`The backup ${folder} is damaged: ${name} is missing or not as it was.`)
}
