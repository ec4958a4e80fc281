/** Opens what keeps the state, brings its schema up to date, and closes it again. */
import { join } from 'node:path'
import type { Config, DatabaseConfig, S3Config } from '../config.ts'
import { RunningClock } from '../kernel/clock.ts'
import type { Storage } from '../parts.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { FileBlobs } from '../storage/blobs/file-system.ts'
import { MemoryBlobs } from '../storage/blobs/memory.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { sql } from '../storage/sql.ts'
import { SqliteDatabase } from '../storage/sqlite/database.ts'
import { takeOwnership } from '../storage/sqlite/owner-lock.ts'
import { makeFolder } from './data-folder.ts'
import { checkDatabaseContent, checkDatabaseFile } from './database-check.ts'

export async function openStorage(
  {
    dataFolder,
    database: server,
    s3,
    mode,
  }: Pick<Config, 'dataFolder' | 'database' | 's3' | 'mode'>,
  now: Date,
): Promise<Storage> {
  if (dataFolder !== undefined) makeFolder(dataFolder)
  const isEmbedded = dataFolder !== undefined && server === undefined
  const lock = isEmbedded ? takeOwnership(dataFolder) : undefined
  const file = isEmbedded ? join(dataFolder, 'kumoi.db') : undefined
  const isMemory = file === undefined && server === undefined
  const database = isMemory ? await openMemory(now) : await openDatabase(file, server, mode)
  const close = async () => {
    await database.close()
    lock?.release()
  }
  try {
    if (file !== undefined) await checkDatabaseContent(database, file)
    if (!isMemory) await migrate(database, now)
    const openBlobs = async (name: string) =>
      dataFolder === undefined ? new MemoryBlobs() : FileBlobs.open(join(dataFolder, name))
    return {
      database,
      blobs: s3 === undefined ? await openBlobs('blobs') : await openS3(s3),
      snapshots: await openBlobs('snapshots'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The schema after all migrations, without anything in it, as the first database in memory had it. */
let migrated: Uint8Array | undefined

/**
 * A migrated database in memory. Tests open many of them in one process, and a copy of the schema takes a
 * twentieth of the time of the migrations.
 */
export async function openMemory(now: Date): Promise<Database> {
  const database = new SqliteDatabase(undefined, migrated)
  if (migrated === undefined) {
    await migrate(database, now)
    migrated = database.serialize()
  } else {
    await database.write((tx) => tx.run(sql`UPDATE schema_migration SET applied_at = ${now}`))
  }
  return database
}

/** Loaded only where it is used. Its signatures live by the machine's time, as the service does. */
async function openS3(s3: S3Config): Promise<Blobs> {
  const { S3Blobs } = await import('../storage/blobs/s3.ts')
  const machine = new RunningClock()
  return new S3Blobs({ ...s3, now: () => machine.now() })
}

async function openDatabase(
  file: string | undefined,
  server: DatabaseConfig | undefined,
  mode: Config['mode'],
): Promise<Database> {
  if (file !== undefined) checkDatabaseFile(file)
  if (server === undefined) return new SqliteDatabase(file)
  // Loaded only where it is used: the driver costs every start memory and time.
  const { PostgresDatabase } = await import('../storage/postgres/database.ts')
  return PostgresDatabase.connect({ ...server, replaceable: mode === 'dev' })
}
