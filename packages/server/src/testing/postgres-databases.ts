/** Databases on the tests' PostgreSQL server: new ones, copies of a migrated one, and emptied ones. */
import pg from 'pg'

let made = 0

/** An empty database of its own on the tests' server; `owner` becomes a role without any privilege. */
export async function newDatabaseUrl(serverUrl: string, owner?: string): Promise<string> {
  return using(serverUrl, async (connection) => {
    if (owner !== undefined) await connection.query(`CREATE ROLE ${owner} LOGIN`)
    const url = await create(connection, serverUrl, owner === undefined ? '' : `OWNER ${owner}`)
    if (owner !== undefined) url.username = owner
    return url.href
  })
}

/** All tests of a run copy one database whose migrations have been applied: that takes a fifth of the time. */
const TEMPLATE = 'kumoi_template'

/** A copy of the template, which the first who asks has to migrate. */
export function newTemplateCopyUrl(
  serverUrl: string,
  migrate: (url: string) => Promise<void>,
): Promise<string> {
  return using(serverUrl, async (connection) => {
    // Ends with the connection.
    await connection.query('SELECT pg_advisory_lock(1)')
    const { rowCount } = await connection.query(
      `SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}'`,
    )
    if (rowCount === 0) {
      const first = await create(connection, serverUrl)
      await migrate(first.href)
      await using(first.href, (template) => template.query(KEEP_ROWS))
      await connection.query(`ALTER DATABASE ${first.pathname.slice(1)} RENAME TO ${TEMPLATE}`)
    }
    return (await create(connection, serverUrl, `TEMPLATE ${TEMPLATE}`)).href
  })
}

/** Copies the rows that migrations have made into the schema `initial`. */
const KEEP_ROWS = `
DO $$
DECLARE name text;
BEGIN
  CREATE SCHEMA initial;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('CREATE TABLE initial.%I AS TABLE public.%I', name, name);
  END LOOP;
END $$`

/** Makes a copy of the template what it was when it was new. */
export const EMPTY = `
DO $$
DECLARE name text;
BEGIN
  -- Neither triggers nor foreign keys: all tables are emptied.
  SET LOCAL session_replication_role = replica;
  FOR name IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
  LOOP
    EXECUTE format('DELETE FROM public.%I', name);
    EXECUTE format('INSERT INTO public.%I TABLE initial.%I', name, name);
  END LOOP;
  PERFORM setval(format('public.%I', sequencename)::regclass, start_value, false)
  FROM pg_sequences WHERE schemaname = 'public';
END $$`

async function create(connection: pg.Client, serverUrl: string, how = ''): Promise<URL> {
  made += 1
  const url = new URL(serverUrl)
  url.pathname = `test_${process.pid}_${made}`
  await connection.query(`CREATE DATABASE ${url.pathname.slice(1)} ${how}`)
  return url
}

async function using<T>(url: string, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client(url)
  await connection.connect()
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
