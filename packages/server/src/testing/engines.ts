/**
 * The engines that store tests run on, each test with a database of its own. The test command starts
 * one PostgreSQL server for all files; a file that is run alone starts its own.
 */
import pg from 'pg'
import { openMemory } from '../start/storage.ts'
import type { Database, Engine } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { PostgresDatabase, type PostgresOptions } from '../storage/postgres/database.ts'
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
          async open() {
            return connect(await newMigratedUrl(server))
          },
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

/** Settings as the server has them by default. */
export const POSTGRES_LIMITS: Omit<PostgresOptions, 'url'> = {
  size: 10,
  waitMs: 5000,
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

let made = 0

/** An empty database of its own on the tests' server; `owner` becomes a role without any privilege. */
export async function newDatabaseUrl(serverUrl: string, owner?: string): Promise<string> {
  const connection = new pg.Client(serverUrl)
  await connection.connect()
  if (owner !== undefined) await connection.query(`CREATE ROLE ${owner} LOGIN`)
  const url = await createDatabase(
    connection,
    serverUrl,
    owner === undefined ? '' : `OWNER ${owner}`,
  )
  await connection.end()
  if (owner !== undefined) url.username = owner
  return url.href
}

/** All tests of a run copy one database whose migrations have been applied: that takes a fifth of the time. */
const TEMPLATE = 'kumoi_template'

async function newMigratedUrl(serverUrl: string): Promise<string> {
  const connection = new pg.Client(serverUrl)
  await connection.connect()
  // Ends with the connection.
  await connection.query('SELECT pg_advisory_lock(1)')
  const { rowCount } = await connection.query(
    `SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}'`,
  )
  if (rowCount === 0) {
    const first = await createDatabase(connection, serverUrl)
    await (await openPostgres(first.href)).close()
    await connection.query(`ALTER DATABASE ${first.pathname.slice(1)} RENAME TO ${TEMPLATE}`)
  }
  const url = await createDatabase(connection, serverUrl, `TEMPLATE ${TEMPLATE}`)
  await connection.end()
  return url.href
}

async function createDatabase(connection: pg.Client, serverUrl: string, how = ''): Promise<URL> {
  made += 1
  const url = new URL(serverUrl)
  url.pathname = `test_${process.pid}_${made}`
  await connection.query(`CREATE DATABASE ${url.pathname.slice(1)} ${how}`)
  return url
}
