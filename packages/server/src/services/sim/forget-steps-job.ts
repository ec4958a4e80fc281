import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'

/** Deletes sums by step, which are kept as long as the traffic of SIMs is. To be woken when bytes were counted. */
export function forgetStepsJob(
  name: string,
  findOldest: (tx: Tx) => Promise<number | undefined>,
  deleteBefore: (tx: Tx, step: number) => Promise<number>,
): Job<Database> {
  return {
    name,
    steady: true,
    nextDue: (database) =>
      database.read(async (tx) => {
        const oldest = await findOldest(tx)
        if (oldest === undefined) return undefined
        const days = await new SettingStore(tx).get('traffic_days')
        return nextMultiple(oldest + days * DAY_MS, DAY_MS)
      }),
    run: (database, now) =>
      database.write(async (tx) => {
        const days = await new SettingStore(tx).get('traffic_days')
        const deleted = await deleteBefore(tx, now.getTime() - days * DAY_MS)
        return `${deleted} steps forgotten`
      }),
  }
}
