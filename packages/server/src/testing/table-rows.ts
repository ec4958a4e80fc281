/** Everything that a database holds, read past the server: to compare two of them row by row. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** As a server is started with it. */
export interface DatabasePlace {
  readonly data: string
  readonly database: string | undefined
}

type Row = Readonly<Record<string, unknown>>

export async function queryPlace({ data, database }: DatabasePlace, text: string): Promise<Row[]> {
  if (database === undefined) {
    const file = new DatabaseSync(join(data, 'kumoi.db'))
    try {
      return file.prepare(text).all()
    } finally {
      file.close()
    }
  }
  const connection = new pg.Client(database)
  await connection.connect()
  try {
    return (await connection.query(text)).rows
  } finally {
    await connection.end()
  }
}

/** The rows of each table as sorted text; of PostgreSQL also where its sequences are, and the indexes. */
export async function rowsOf(place: DatabasePlace): Promise<Map<string, string[]>> {
  const isFile = place.database === undefined
  const names = await queryPlace(place, isFile ? SQLITE_TABLES : POSTGRES_TABLES)
  const all = new Map<string, string[]>()
  for (const { name } of names) {
    const rows = await queryPlace(place, `SELECT * FROM "${name}"`)
    // How many numbers of a sequence are logged in advance is no content of it.
    const texts = rows.map(({ log_cnt: _, ...row }) => JSON.stringify(row))
    all.set(String(name), texts.sort())
  }
  const indexes = await queryPlace(place, isFile ? SQLITE_INDEXES : POSTGRES_INDEXES)
  all.set('indexes', indexes.map(({ made }) => String(made)).sort())
  return all
}

const SQLITE_TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema'`
const POSTGRES_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')`
const SQLITE_INDEXES = 'SELECT sql AS made FROM sqlite_schema'
const POSTGRES_INDEXES = `SELECT indexdef AS made FROM pg_indexes WHERE schemaname = 'public'`
