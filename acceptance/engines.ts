/** The engines that the same acceptance tests run on: the flags that a server is started with. */
import pg from 'pg'

export interface AcceptanceEngine {
  readonly name: string
  /** Flags for a database of its own. */
  flags(): Promise<string[]>
}

const server = process.env.TEST_POSTGRES_URL

if (!server)
  console.log('TEST_POSTGRES_URL is not set (npm test sets it): no acceptance on PostgreSQL.')

let made = 0

async function newDatabase(serverUrl: string): Promise<string> {
  made += 1
  const name = `acceptance_${process.pid}_${made}`
  const connection = new pg.Client(serverUrl)
  await connection.connect()
  await connection.query(`CREATE DATABASE ${name}`)
  await connection.end()
  return serverUrl.replace(/\/[^/]*$/, `/${name}`)
}

export const engines: readonly AcceptanceEngine[] = [
  { name: 'sqlite', flags: async () => [] },
  ...(server
    ? [{ name: 'postgres', flags: async () => ['--database', await newDatabase(server)] }]
    : []),
]
