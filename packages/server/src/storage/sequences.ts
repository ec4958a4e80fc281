/** Where the sequences stand: rows of a table on the one engine, objects of their own on the other. */
import type { Tx } from './database.ts'
import { raw, sql } from './sql.ts'

export interface SequenceState {
  readonly name: string
  /** The number that is given out next. */
  readonly next: number
}

const SUFFIX = '_sequence'

export async function readSequences(tx: Tx): Promise<SequenceState[]> {
  if (tx.engine === 'sqlite') {
    return tx.all<SequenceState>(raw('SELECT name, next FROM sequence ORDER BY name'))
  }
  const states: SequenceState[] = []
  for (const name of await postgresNames(tx)) {
    const row = await tx.first<{ next: number }>(
      raw(`SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END AS next FROM "${name}"`),
    )
    states.push({ name: name.slice(0, -SUFFIX.length), next: row?.next ?? 1 })
  }
  return states
}

/** Those that are not named stay where they are. */
export async function restartSequences(tx: Tx, states: readonly SequenceState[]): Promise<void> {
  const known = tx.engine === 'sqlite' ? [] : await postgresNames(tx)
  for (const { name, next } of states) {
    if (tx.engine === 'sqlite') {
      await tx.run(sql`UPDATE sequence SET next = ${next} WHERE name = ${name}`)
    } else if (known.includes(`${name}${SUFFIX}`)) {
      // Unlike setval, this is undone with the transaction.
      await tx.run(raw(`ALTER SEQUENCE "${name}${SUFFIX}" RESTART WITH ${Math.trunc(next)}`))
    }
  }
}

async function postgresNames(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(
    raw(`SELECT sequencename::text AS name FROM pg_sequences
         WHERE schemaname = current_schema() ORDER BY sequencename`),
  )
  return rows.map(({ name }) => name).filter((name) => name.endsWith(SUFFIX))
}
