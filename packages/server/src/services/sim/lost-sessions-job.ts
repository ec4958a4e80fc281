/** Ends sessions of elements that are silent: a NAS that has crashed sends no Stop. */
import type { Job } from '../../kernel/job.ts'
import type { Database } from '../../storage/database.ts'
import { LOST_MS } from './accounting-rules.ts'
import { LOST_JOB } from './jobs.ts'
import type { Networks } from './networks.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'

/** Sessions in one transaction: a bound on how long others wait for it. */
const BATCH = 200

export function lostSessionsJob(networks: Networks): Job<Database> {
  return {
    name: LOST_JOB,
    nextDue: (database) =>
      database.read(async (tx) => {
        const oldest = await new SessionStore(tx).oldestSeen()
        return oldest === undefined ? undefined : new Date(oldest + LOST_MS)
      }),
    async run(database, now) {
      const before = new Date(now.getTime() - LOST_MS)
      let lost = 0
      for (;;) {
        const some = await database.write((tx) =>
          new Sessions(tx, networks).endLost(before, BATCH, now),
        )
        lost += some
        if (some === 0) return `${lost} sessions lost`
      }
    },
  }
}
