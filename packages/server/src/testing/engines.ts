/**
 * The engines that store tests run on, each test with a database of its own. The test command starts
 * one PostgreSQL server for all files; a file that is run alone starts its own.
 */
import { after } from 'node:test'
import { openMemory } from '../start/storage.ts'
import type { Database, Engine } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { PostgresDatabase, type PostgresOptions } from '../storage/postgres/database.ts'
import { raw } from '../storage/sql.ts'
import { EMPTY, newDatabaseUrl, newTemplateCopyUrl } from './postgres-databases.ts'
import { startPostgres } from './postgres-server.ts'

export interface TestEngine {
  readonly name: Engine
  /** A new, migrated database. */
  open(): Promise<Database>
}

/** Tests begin on this day, unless they say otherwise. */
export const TEST_NOW = new Date('2026-04-01T00:00:00+09:00')

export const onSqlite: TestEngine = {
  name: 'sqlite',
  open: () => openMemory(TEST_NOW),
}

const server = await postgresUrl()

/** For tests of the way there; undefined without a server. */
export const postgresServerUrl = server

const onPostgres: TestEngine[] =
  server === undefined
    ? []
    : [
        {
          name: 'postgres',
          open: () => openFree(server),
        },
      ]

/**
 * One database that several clouds open, as several processes do, perhaps as a role without any
 * privilege; undefined without a server.
 */
export const sharedPostgres =
  server === undefined
    ? undefined
    : async (owner?: string): Promise<TestEngine> => {
        const url = await newDatabaseUrl(server, owner)
        return { name: 'postgres', open: () => openPostgres(url) }
      }

export const engines: readonly TestEngine[] = [onSqlite, ...onPostgres]

async function postgresUrl(): Promise<string | undefined> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return given === '' ? undefined : given
  const started = await startPostgres()
  if (started !== undefined) process.once('exit', () => started.stop())
  return started?.url
}

/** Settings as the server has them by default, but for the wait: on a busy machine a test is slow, not wrong. */
export const POSTGRES_LIMITS: Omit<PostgresOptions, 'url'> = {
  size: 10,
  waitMs: 30_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 30_000,
  hasPooler: false,
  replaceable: true,
}

const connect = (url: string) => PostgresDatabase.connect({ url, ...POSTGRES_LIMITS })

async function openPostgres(url: string): Promise<Database> {
  const database = await connect(url)
  await migrate(database, TEST_NOW)
  return database
}

/**
 * Databases of tests that have ended stay open, connections and all: a test that empties one needs a tenth
 * of the time that a new one would take. Only the test runner has an end at which they can be closed.
 */
const free: PostgresDatabase[] = []
const closeAll: (() => Promise<void>)[] = []
const isReused = process.env.NODE_TEST_CONTEXT !== undefined
if (isReused) after(() => Promise.all(closeAll.map((close) => close())))

async function openFree(serverUrl: string): Promise<Database> {
  const used = free.pop()
  if (used !== undefined) {
    // Alone: what the last test left under way has ended before.
    await used.exclusive((tx) => tx.run(raw(EMPTY)))
    return used
  }
  const database = await connect(await newTemplateCopyUrl(serverUrl, migrateAt))
  if (!isReused) return database
  closeAll.push(database.close.bind(database))
  database.close = async () => {
    if (!free.includes(database)) free.push(database)
  }
  return database
}

async function migrateAt(url: string): Promise<void> {
  await (await openPostgres(url)).close()
}
