/**
 * Numbered migrations, forward only, applied at start. `NNNN-name.sql` serves both engines in the
 * portable subset; `NNNN-name.sqlite.sql` and `.postgres.sql` are a pair for what cannot be said in it.
 *
 * A migration only adds, so that servers of the release before run on the migrated database, unless its name has
 * `.contract` in it: that one takes away what no release in use needs any more.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Database, DatabaseUnusable, type Engine, type Tx } from './database.ts'
import { raw, sql } from './sql.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
  readonly checksum: string
}

export const VERSIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migration (
  version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)`

const folder = new URL('migrations/', import.meta.url)

/** In the names of migrations that take something away. */
const CONTRACT = '.contract.'

interface AppliedRow {
  version: number
  name: string
  checksum: string
}

/** The newest that is applied, and the newest that this server knows. */
export async function schemaOf(tx: Tx): Promise<{ applied: number; known: number }> {
  const row = await tx.first<{ newest: number }>(
    raw('SELECT max(version) AS newest FROM schema_migration'),
  )
  return { applied: row?.newest ?? 0, known: readMigrations(tx.engine).at(-1)?.version ?? 0 }
}

/** Applies what is missing, all of it or nothing; answers with how many that were. */
export async function migrate(database: Database, now: Date): Promise<number> {
  const migrations = readMigrations(database.engine)
  // Of two processes that start together the second waits here and then finds nothing to do.
  return database.exclusive((tx) => applyMigrations(tx, migrations, now))
}

export async function applyMigrations(
  tx: Tx,
  migrations: readonly Migration[],
  now: Date,
): Promise<number> {
  await tx.run(raw(VERSIONS_TABLE))
  const missing = await missingMigrations(tx, migrations)
  for (const migration of missing) {
    for (const statement of migration.statements) await tx.run(raw(statement))
    await tx.run(
      sql`INSERT INTO schema_migration (version, name, checksum, applied_at)
            VALUES (${migration.version}, ${migration.name}, ${migration.checksum}, ${now})`,
    )
  }
  return missing.length
}

async function missingMigrations(tx: Tx, known: readonly Migration[]): Promise<Migration[]> {
  const applied = new Map(
    (await tx.all<AppliedRow>(raw('SELECT version, name, checksum FROM schema_migration'))).map(
      (row) => [row.version, row],
    ),
  )
  const newestKnown = Math.max(0, ...known.map(({ version }) => version))
  for (const { version, name } of applied.values()) {
    if (version > newestKnown && name.includes(CONTRACT)) {
      throw new DatabaseUnusable(
        `The database has schema ${version}, made by a newer Kumoi that took away what this one needs; it knows up to ${newestKnown}.`,
      )
    }
  }
  for (const { version, name, checksum } of known) {
    if (applied.has(version) && applied.get(version)?.checksum !== checksum) {
      throw new DatabaseUnusable(`Migration ${name} was applied in another form than this one.`)
    }
  }
  return known.filter(({ version }) => !applied.has(version))
}

/** Not one promise for each: the files are small, and every start of a process waits for them. */
export function readMigrations(engine: Engine): Migration[] {
  const other = engine === 'sqlite' ? '.postgres.sql' : '.sqlite.sql'
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && !file.endsWith(other))
    .sort()
  return files.map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return {
      version: Number(file.slice(0, 4)),
      name: file,
      statements: statementsOf(text, engine),
      checksum: createHash('sha256').update(text).digest('hex'),
    }
  })
}

function statementsOf(text: string, engine: Engine): string[] {
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  // Byte order and ASCII-only lower(), as SQLite has them, whatever the cluster's locale is.
  return engine === 'sqlite'
    ? statements
    : statements.map((statement) => statement.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"'))
}
