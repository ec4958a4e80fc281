/**
 * The past of the demo world, in the slices. A start does not wait for it: a row says that it is still to come, and a
 * job adds it in one transaction. Where the clock stands still no job runs, so there it comes with the world.
 */
import { japanDayStart } from '../../kernel/datetime.ts'
import type { Job } from '../../kernel/job.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { type DemoPast, demoSince } from '../demo.ts'
import { PeriodStore } from '../metering/public.ts'

const DEMO_PAST_JOB = 'demo-past'

export async function addPast(tx: Tx, now: Date, pasts: readonly DemoPast[]): Promise<void> {
  for (const past of pasts) await past(tx, now)
}

/** Until then no bill is made, since it would lack what the past has used. */
export async function deferPast(tx: Tx, now: Date): Promise<void> {
  await tx.run(sql`INSERT INTO demo_past (id, created_at) VALUES (1, ${now})`)
  const billedUntil = japanDayStart(now)
  await new PeriodStore(tx).set({
    ...{ openMonth: demoSince(now), closingMonth: undefined, billedUntil },
  })
}

/** `added` is called after the commit: other jobs have something to do then. */
export function demoPastJob(pasts: readonly DemoPast[], added: () => void): Job<Database> {
  return {
    name: DEMO_PAST_JOB,
    nextDue: (database) => database.read(findDeferred),
    run: (database) =>
      database.write(async (tx) => {
        const now = await findDeferred(tx)
        if (now === undefined) return 'nothing to add'
        await addPast(tx, now, pasts)
        await tx.run(raw('DELETE FROM demo_past'))
        tx.afterCommit(added)
        return 'the past of the demo world added'
      }),
  }
}

async function findDeferred(tx: Tx): Promise<Date | undefined> {
  const row = await tx.first<{ created_at: number }>(raw('SELECT created_at FROM demo_past'))
  return row && new Date(row.created_at)
}
