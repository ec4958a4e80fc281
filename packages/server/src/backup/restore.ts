/**
 * Puts a backup into an empty place. All that can be refused is refused before the first byte is written, and the
 * database comes last: a restore that was interrupted leaves nothing that a server would start with.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../kernel/errors.ts'
import type { Engine } from '../storage/database.ts'
import { readMigrations } from '../storage/migrate.ts'
import { copyFlushed, emptyFolder, isEmptyFolder } from './files.ts'
import { DATABASE_FILES, type Manifest, readManifest } from './manifest.ts'
import { type PostgresPlace, preparePostgres, restorePostgres } from './postgres.ts'

export interface RestoreTarget {
  readonly dataFolder: string
  /** Undefined for the embedded store. */
  readonly database: PostgresPlace | undefined
  /** Creates it, for its owner alone. */
  makeFolder(folder: string): void
}

export interface Restored extends Manifest {
  /** Files besides the database, as they are named in the backup. */
  readonly names: readonly string[]
}

export async function restoreBackup(folder: string, target: RestoreTarget): Promise<Restored> {
  const { dataFolder, database } = target
  const { manifest, names } = await readManifest(folder)
  checkManifest(manifest, database === undefined ? 'sqlite' : 'postgres')
  if (!(await isEmptyFolder(dataFolder))) {
    throw new StartError(`The data folder ${dataFolder} is not empty: restore into a new one.`)
  }
  if (database !== undefined) await preparePostgres(database, manifest)
  try {
    target.makeFolder(dataFolder)
    const others = names.filter((name) => name !== DATABASE_FILES[manifest.engine])
    for (const name of others) {
      await copyFlushed(join(folder, name), join(dataFolder, placeOf(name)))
    }
    await restoreDatabase(folder, target, manifest)
    return { ...manifest, names: others }
  } catch (error) {
    await emptyFolder(dataFolder)
    throw error
  }
}

async function restoreDatabase(
  folder: string,
  { dataFolder, database }: RestoreTarget,
  manifest: Manifest,
): Promise<void> {
  const name = DATABASE_FILES[manifest.engine]
  if (database !== undefined) return restorePostgres(database, join(folder, name), manifest)
  const draft = join(dataFolder, `${name}.restored`)
  await copyFlushed(join(folder, name), draft)
  await rename(draft, join(dataFolder, name))
}

function checkManifest({ engine, schema }: Manifest, target: Engine): void {
  if (engine !== target) {
    throw new StartError(
      engine === 'sqlite'
        ? 'The backup is of the embedded store: restore it without --database.'
        : 'The backup is of a PostgreSQL database: restore it with --database.',
    )
  }
  const newest = Math.max(...readMigrations(engine).map(({ version }) => version))
  if (schema > newest) {
    throw new StartError(
      `The backup has schema ${schema}, made by a newer Kumoi; this one knows up to ${newest}.`,
    )
  }
}

/** The contents of files are a level deeper in a data folder (storage/blobs/file-system.ts). */
function placeOf(name: string): string {
  return name.replace(/^blobs\//, 'blobs/content/')
}
