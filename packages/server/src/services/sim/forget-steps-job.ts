import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'

/** Deletes sums by step, which are kept as long as the traffic of SIMs is. To be woken when bytes were counted. */
export function forgetStepsJob(
  name: string,
  findOldest: (tx: Tx) => Promise<number | undefined>,
  deleteBefore: (tx: Tx, step: number, most: number) => Promise<number>,
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
    async run(database, now, signal) {
      const days = await database.read((tx) => new SettingStore(tx).get('traffic_days'))
      const before = now.getTime() - days * DAY_MS
      const deleted = await inBatches(
        database,
        (tx, most) => deleteBefore(tx, before, most),
        signal,
      )
      return `${deleted} steps forgotten`
    },
  }
}
