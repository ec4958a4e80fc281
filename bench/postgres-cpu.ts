/** The CPU time of a whole PostgreSQL server: each connection is a process of its own. */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

const TICK_SECONDS = 0.01

/** The process that starts all others. */
export async function postmasterOf(url: string): Promise<number> {
  const connection = new pg.Client(url)
  await connection.connect()
  const { rows } = await connection.query('SELECT pg_backend_pid() AS pid')
  const parent = Number(fieldsOf(rows[0].pid)?.[1])
  await connection.end()
  return parent
}

export function postgresSeconds(postmaster: number): number {
  // Those that have ended are in the last two figures of their parent.
  let ticks = sum(fieldsOf(postmaster)?.slice(11, 15))
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? fieldsOf(Number(name)) : undefined
    if (Number(fields?.[1]) === postmaster) ticks += sum(fields?.slice(11, 13))
  }
  return ticks * TICK_SECONDS
}

/** After the name, which may have blanks in it: the second is the parent, from the 12th on times. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

function sum(values: readonly string[] = []): number {
  return values.reduce((total, value) => total + Number(value), 0)
}
