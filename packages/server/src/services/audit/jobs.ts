/**
 * Chains what was written since the last run. A change inserts its row without a hash, so that writers do not wait for
 * each other; rows are chosen by having no number, so one whose transaction ends late is not missed.
 */
import type { Job } from '../../kernel/job.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type ChainedEntry, chain, type StoredEntry } from './rules.ts'
import { AuditStore } from './store.ts'

export const AUDIT_JOB = 'audit'
const ROWS_AT_ONCE = 500
/** Rows that come all the time are chained many at once: a run for each few costs more than they do. */
const REST_SECONDS = 5

export const auditJob: Job<Database> = {
  name: AUDIT_JOB,
  restSeconds: REST_SECONDS,
  nextDue: (database) => database.read((tx) => new AuditStore(tx).oldestUnchained()),
  async run(database, _now, signal) {
    let chained = 0
    while (!signal?.aborted) {
      // Read apart, since a serializable read of what is inserted all the time would conflict with every insert.
      const waiting = await database.read((tx) => new AuditStore(tx).listUnchained(ROWS_AT_ONCE))
      if (waiting.length > 0) await database.write((tx) => append(tx, waiting))
      chained += waiting.length
      if (waiting.length < ROWS_AT_ONCE) break
    }
    return `${chained} entries chained`
  },
}

async function append(tx: Tx, waiting: readonly StoredEntry[]): Promise<void> {
  const store = new AuditStore(tx)
  const { first, last } = await store.ends()
  const linked: ChainedEntry[] = chain(last, waiting)
  await store.link(linked)
  await store.putEnds({ first, last: linked.at(-1)?.link ?? last })
}
