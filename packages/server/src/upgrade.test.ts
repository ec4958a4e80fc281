/**
 * A database of an older schema, with what a server had written, is migrated by the start of this one, which serves
 * what was there. The rows are those of a server of today, put into the tables of then.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { DEMO_KEY, smallDemoWorld } from './services/operator/demo-world.ts'
import { foreignKeyOrder } from './snapshots/restore.ts'
import { readTable } from './snapshots/table-pages.ts'
import type { Database, Tx } from './storage/database.ts'
import { applyMigrations, readMigrations } from './storage/migrate.ts'
import { PostgresDatabase } from './storage/postgres/database.ts'
import { readSequences, restartSequences } from './storage/sequences.ts'
import { raw, sql } from './storage/sql.ts'
import { SqliteDatabase } from './storage/sqlite/database.ts'
import { tableNames } from './storage/truncate.ts'
import { basic, TEST_WORLD } from './testing/cloud.ts'
import { POSTGRES_LIMITS, postgresServerUrl, TEST_NOW } from './testing/engines.ts'
import { newDatabaseUrl } from './testing/postgres-databases.ts'
import { type ServerProcess, serverFolder, startProcess } from './testing/server-process.ts'
import { type DatabasePlace, queryPlace } from './testing/table-rows.ts'

/** Later ones change tables, drop some, and copy rows from one to another. */
const OLD_SCHEMA = 100

const PATHS = [
  '/api/cloud/1.1/auth-status',
  '/api/cloud/1.1/commonserviceitem',
  '/api/cloud/1.1/appliance',
  '/api/cloud/1.1/switch',
  '/api/system/1.0/bill/by-contract/900000099001',
  '/api/webaccel/1.0/site',
]

/** Without what goes on by itself: the traffic of the fleet, and the bill that a job makes of the usage. */
const { fleet: _fleet, site_usage: _usage, accounts, ...RESOURCES } = smallDemoWorld(TEST_NOW)

async function answersOf({ origin }: ServerProcess): Promise<Record<string, unknown>> {
  const headers = { authorization: basic(DEMO_KEY.token, DEMO_KEY.secret) }
  const answers: Record<string, unknown> = {}
  for (const path of PATHS) {
    const answer = await fetch(`${origin}/cloud/zone/is1a${path}`, { headers })
    // The time of the answer is its own.
    const { ResponsedAt: _, ...body } = Object(await answer.json())
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(body)}`)
    answers[path] = body
  }
  return answers
}

async function stop({ child }: ServerProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
}

const flagsOf = ({ data, database }: DatabasePlace) => [
  ...['--data', data],
  ...(database === undefined ? [] : ['--database', database]),
]

const open = ({ data, database: url }: DatabasePlace): Promise<Database> | Database =>
  url === undefined
    ? new SqliteDatabase(join(data, 'kumoi.db'))
    : PostgresDatabase.connect({ url, ...POSTGRES_LIMITS })

async function using<T>(place: DatabasePlace, work: (database: Database) => Promise<T>) {
  const database = await open(place)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Fills a new database of the old schema with what both schemas have in common. */
async function copyToOldSchema(from: DatabasePlace, to: DatabasePlace): Promise<void> {
  await using(from, (source) =>
    using(to, (target) =>
      target.exclusive(async (tx) => {
        const migrations = readMigrations(tx.engine)
        const old = migrations.filter(({ version }) => version <= OLD_SCHEMA)
        await applyMigrations(tx, old, TEST_NOW)
        if (tx.engine === 'sqlite') await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
        await source.read((read) => copyRows(read, tx))
        await insertOldRows(tx)
      }),
    ),
  )
}

async function copyRows(from: Tx, to: Tx): Promise<void> {
  const known = new Set(await tableNames(from))
  const names = (await foreignKeyOrder(to, await tableNames(to))).filter((name) => known.has(name))
  for (const name of [...names, 'encryption_check']) {
    const columns = await columnsOf(to, name)
    for await (const rows of readTable(from, name)) {
      const shared = columns.filter((column) => column in (rows[0] ?? {}))
      const values = rows.map((row) => shared.map((column) => row[column] ?? null))
      await to.insertMany(name, shared, values)
    }
  }
  await restartSequences(to, await readSequences(from))
}

async function columnsOf(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    tx.engine === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table})`
      : sql`SELECT column_name::text AS name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ${table}`,
  )
  return rows.map(({ name }) => name)
}

/** What the old schema could hold and the new one cannot. */
async function insertOldRows(tx: Tx): Promise<void> {
  const columns = ['delivery_id', 'place', 'outcome', 'response_code', 'at']
  await tx.insertMany('iot_attempt', columns, [
    [7, 1, 'refused', 500, 1000],
    [7, 1, 'refused', 500, 2000],
    [7, 2, 'delivered', 200, 3000],
  ])
  await tx.run(sql`INSERT INTO rate_slot (account_id, slot, taken_at) VALUES ('1', 1, 1)`)
}

for (const engine of ['sqlite', 'postgres'] as const) {
  const skip =
    engine === 'postgres' && postgresServerUrl === undefined && 'there is no PostgreSQL server'

  const place = async (folder: string): Promise<DatabasePlace> => ({
    data: join(folder, 'data'),
    database: engine === 'sqlite' ? undefined : await newDatabaseUrl(postgresServerUrl ?? ''),
  })

  /** A server with the demo world, its answers, and where it left its data. */
  const writeToday = async (t: TestContext) => {
    const world = { ...RESOURCES, accounts: [...TEST_WORLD.accounts, ...accounts] }
    const folder = serverFolder(t, world)
    const today = await place(folder)
    const server = await startProcess(t, folder, flagsOf(today))
    const answers = await answersOf(server)
    await stop(server)
    return { today, answers }
  }

  describe(`a database of schema ${OLD_SCHEMA} on ${engine}`, { skip }, () => {
    test('is migrated by the start, and what was in it is served', async (t) => {
      const { today, answers } = await writeToday(t)
      // Its world declares nothing of what is compared: what got lost is not declared again.
      const folder = serverFolder(t)
      const old = await place(folder)
      mkdirSync(old.data)
      cpSync(join(today.data, 'encryption.key'), join(old.data, 'encryption.key'))
      await copyToOldSchema(today, old)
      const versions = 'SELECT max(version) AS newest FROM schema_migration'
      assert.ok(Number((await queryPlace(old, versions))[0]?.newest) <= OLD_SCHEMA)

      const server = await startProcess(t, folder, flagsOf(old))
      assert.deepEqual(await answersOf(server), answers)
      const body = { CommonServiceItem: { Name: 'new', Provider: { Class: 'esme' } } }
      const made = await server.ask('POST', '/commonserviceitem', body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      await stop(server)
      assert.deepEqual(await queryPlace(old, versions), await queryPlace(today, versions))
      const attempts = await queryPlace(old, 'SELECT place, at FROM iot_attempt ORDER BY place')
      assert.deepEqual(
        attempts.map((row) => [Number(row.place), Number(row.at)]),
        [
          [1, 1000],
          [2, 3000],
        ],
      )
    })
  })
}
