/** `backup FOLDER` and `restore FOLDER`, with the settings of the server whose state it is. */
import { join, resolve } from 'node:path'
import { type Backup, type BackupSource, takeBackup } from '../backup/backup.ts'
import { dumpPostgres, type PostgresPlace } from '../backup/postgres.ts'
import { type Restored, restoreBackup } from '../backup/restore.ts'
import { copySqlite } from '../backup/sqlite.ts'
import { type Config, readConfig } from '../config.ts'
import { RunningClock } from '../kernel/clock.ts'
import { StartError } from '../kernel/errors.ts'
import { takeOwnership } from '../storage/sqlite/owner-lock.ts'
import { makeFolder } from './data-folder.ts'

type Command = 'backup' | 'restore'

const HELP: Readonly<Record<Command, string>> = {
  backup: `Usage: kumoi backup FOLDER [settings]

Copies the state of a server, which may be running, into an empty folder: the database, the contents of files,
and the secrets of the data folder. The settings are those that the server is started with: --data, --database,
--key-file and so on, as flags, KUMOI_* variables or a config file.
`,
  restore: `Usage: kumoi restore FOLDER [settings]

Puts a backup into an empty data folder and, with --database, into an empty database. The settings are those that
the restored server will be started with.
`,
}

export async function runBackupCommand(
  command: Command,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const [given, ...settings] = args
  if (given === undefined || given === '--help' || given === '-h') return [HELP[command]]
  if (given.startsWith('-')) {
    throw new StartError(`The folder comes first, as in: kumoi ${command} FOLDER --data DIR.`)
  }
  const config = readConfig(settings, environment)
  if (config === 'help') return [HELP[command]]
  const { dataFolder } = config
  if (dataFolder === undefined) throw new StartError('With --memory there is nothing on the disk.')
  const folder = resolve(given)
  const place = { folder, dataFolder, database: postgresPlace(config, environment) }
  return command === 'backup' ? backUp(config, place) : restore(config, place)
}

interface Place {
  /** Of the backup. */
  readonly folder: string
  readonly dataFolder: string
  readonly database: PostgresPlace | undefined
}

async function backUp(config: Config, { folder, dataFolder, database }: Place): Promise<string[]> {
  const { s3 } = config
  const source: BackupSource = {
    engine: database === undefined ? 'sqlite' : 'postgres',
    copyDatabase: (to) =>
      database === undefined
        ? copySqlite(join(dataFolder, 'kumoi.db'), to)
        : dumpPostgres(database, to),
    contentFolder: s3 === undefined ? join(dataFolder, 'blobs', 'content') : undefined,
    dataFolder,
    secrets: secretsOf(config),
  }
  const backup = await takeBackup(source, folder, new RunningClock().now())
  return [`${folder}: schema ${backup.schema}, contents of ${backup.contents} files.`].concat(
    absentLines(config, backup),
  )
}

/** What the data folder holds, unless the settings name another place for it. */
function secretsOf({ keyFile, operatorToken, networkToken, tls }: Config): string[] {
  return [
    ...(keyFile === undefined ? ['encryption.key'] : []),
    ...(operatorToken === undefined ? ['operator.token'] : []),
    ...(networkToken === undefined ? ['network.token'] : []),
    ...(tls === undefined ? ['tls/ca.pem', 'tls/ca.key'] : []),
  ]
}

function absentLines({ keyFile, s3 }: Config, { secrets }: Backup): string[] {
  return [
    ...(secrets.length > 0 ? [`It holds secrets (${secrets.join(', ')}): keep it private.`] : []),
    ...(keyFile !== undefined ? [`It does not hold the key file ${keyFile}: keep a copy.`] : []),
    ...(s3 !== undefined ? [`It does not hold the contents in the bucket ${s3.bucket}.`] : []),
  ]
}

async function restore(config: Config, { folder, ...place }: Place): Promise<string[]> {
  let lock: ReturnType<typeof takeOwnership> | undefined
  const target = {
    ...place,
    makeFolder(path: string) {
      makeFolder(path)
      // No server may start in it before all is there.
      lock = takeOwnership(path)
    },
  }
  try {
    return restoredLines(config, await restoreBackup(folder, target))
  } finally {
    lock?.release()
  }
}

function restoredLines(
  { dataFolder, keyFile }: Config,
  { names, schema, takenAt }: Restored,
): string[] {
  const needsKey = keyFile === undefined && !names.includes('encryption.key')
  return [
    `Restored into ${dataFolder}: schema ${schema}, as of ${takenAt}.`,
    ...(needsKey ? ['Start with --key-file: the backup does not hold the key.'] : []),
  ]
}

function postgresPlace(
  { database }: Config,
  environment: NodeJS.ProcessEnv,
): PostgresPlace | undefined {
  if (database === undefined) return undefined
  const { url } = database
  return {
    url,
    environment,
    /** Without limits: a dump may take hours. No state outlives a transaction: PgBouncer may lie between. */
    async open() {
      const { PostgresDatabase } = await import('../storage/postgres/database.ts')
      const limits = { size: 2, waitMs: 10_000, statementMs: 0, lockMs: 0, idleInTransactionMs: 0 }
      return PostgresDatabase.connect({ url, ...limits, hasPooler: true, replaceable: true })
    },
  }
}
