/**
 * Backup and restore of a PostgreSQL database by its own programs, `pg_dump` and `pg_restore`. The dump is of an
 * exported snapshot, so that what is read here beside it (docs/operating.md) is of the same moment.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { StartError } from '../kernel/errors.ts'
import type { Database, Tx } from '../storage/database.ts'
import { raw, sql } from '../storage/sql.ts'
import { type CopiedDatabase, contentOf } from './copied-database.ts'
import { makePrivate } from './files.ts'
import type { Manifest } from './manifest.ts'

export interface PostgresPlace {
  readonly url: string
  /** What the programs find themselves and their settings by. */
  readonly environment: NodeJS.ProcessEnv
  open(): Promise<Database>
}

export async function dumpPostgres(place: PostgresPlace, to: string): Promise<CopiedDatabase> {
  const database = await place.open()
  try {
    return await database.read(async (tx) => {
      await checkProgram('pg_dump', tx, place)
      const { namespace, has_trigrams, snapshot } = await snapshotOf(tx)
      const content = await contentOf(tx).catch((error: Error) => {
        throw new StartError(`There is nothing to back up in the database: ${error.message}.`)
      })
      await run('pg_dump', place, [
        ...['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`],
        ...[`--schema="${namespace}"`, `--file=${to}`],
      ])
      await makePrivate(to)
      return { engine: 'postgres', ...content, namespace, hasTrigrams: has_trigrams }
    })
  } finally {
    await database.close()
  }
}

interface SnapshotRow {
  readonly namespace: string
  readonly has_trigrams: boolean
  readonly snapshot: string
}

async function snapshotOf(tx: Tx): Promise<SnapshotRow> {
  const row = await tx.first<SnapshotRow>(
    raw(`SELECT current_schema()::text AS namespace, pg_export_snapshot() AS snapshot,
           to_regclass('item_name_parts') IS NOT NULL AS has_trigrams`),
  )
  if (row === undefined) throw new Error('A SELECT without FROM has one row.')
  return row
}

/** Throws when the database is not empty, or cannot hold what is in the backup. */
export async function preparePostgres(place: PostgresPlace, manifest: Manifest): Promise<void> {
  const database = await place.open()
  try {
    await database.exclusive(async (tx) => {
      await checkProgram('pg_restore', tx, place)
      await checkEmpty(tx)
      const found = await tx.first<{ namespace: string }>(
        raw('SELECT current_schema()::text AS namespace'),
      )
      if (found?.namespace !== manifest.namespace) {
        throw new StartError(
          `The backup is of the schema ${manifest.namespace}, and the search path of this database begins with ${found?.namespace}.`,
        )
      }
      // Opening a database creates the table of its migrations; the dump brings its own.
      await tx.run(raw('DROP TABLE schema_migration'))
      if (manifest.hasTrigrams) await createTrigrams(tx)
    })
  } finally {
    await database.close()
  }
}

export function restorePostgres(
  place: PostgresPlace,
  dump: string,
  { namespace }: Manifest,
): Promise<void> {
  const rules = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  // Without the schema itself, which is there.
  return run('pg_restore', place, [...rules, `--schema=${namespace}`, dump])
}

async function checkEmpty(tx: Tx): Promise<void> {
  const found = await tx.first<{ name: string }>(
    raw(`SELECT relname::text AS name FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S')
           AND (relname <> 'schema_migration' OR EXISTS (SELECT 1 FROM schema_migration))
           AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
         LIMIT 1`),
  )
  if (found !== undefined) {
    throw new StartError(
      `The database is not empty (it has ${found.name}): restore into a new one.`,
    )
  }
}

async function createTrigrams(tx: Tx): Promise<void> {
  await tx.run(raw('CREATE EXTENSION IF NOT EXISTS pg_trgm')).catch((error: Error) => {
    throw new StartError(
      `The backup needs the extension pg_trgm, which cannot be created here (${error.message}): let an administrator of the database run CREATE EXTENSION pg_trgm.`,
    )
  })
}

async function checkProgram(name: string, tx: Tx, { environment }: PostgresPlace): Promise<void> {
  const printed = await outputOf(name, ['--version'], environment)
  const own = Number(/\) (\d+)/.exec(printed)?.[1])
  const row = await tx.first<{ number: string }>(
    sql`SELECT current_setting('server_version_num') AS number`,
  )
  const server = Math.floor(Number(row?.number) / 10_000)
  if (!(own >= server)) {
    throw new StartError(
      `${name} is of PostgreSQL ${own} and the database of ${server}: install its client programs (Debian: apt-get install postgresql-client-${server}).`,
    )
  }
}

async function run(
  name: string,
  { url, environment }: PostgresPlace,
  args: readonly string[],
): Promise<void> {
  const { address, password } = withoutPassword(url)
  await outputOf(name, [...args, `--dbname=${address}`], {
    ...environment,
    // Of several hosts the one that the server itself uses.
    PGTARGETSESSIONATTRS: 'read-write',
    LC_ALL: 'C',
    ...(password !== undefined && { PGPASSWORD: password }),
  })
}

/** Arguments of a process are visible to all users of the machine, its environment is not. */
function withoutPassword(url: string): { address: string; password?: string } {
  const [, before = '', password, after = ''] =
    /^([a-z]+:\/\/[^:@/?#]*):([^@/?#]*)(@.*)$/.exec(url) ?? []
  if (password === undefined) return { address: url }
  return { address: before + after, password: decodeURIComponent(password) }
}

async function outputOf(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(name, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  try {
    const [code, out, complaint] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ])
    if (code === 0) return out
    throw new StartError(`${name} failed: ${complaint.trim().split('\n')[0]}`)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `${name} cannot be run: install the client programs of PostgreSQL (Debian: apt-get install postgresql-client).`,
    )
  }
}
