/**
 * Deletes what is older than its setting says, of all slices that say what ages. It knows when there is something to
 * do, once a day at most, and sleeps while there is nothing.
 */
import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Database } from '../../storage/database.ts'
import type { Aged } from '../module.ts'

export function retentionJob(all: readonly Aged[]): Job<Database> {
  return {
    name: 'retention',
    nextDue: (database) =>
      database.read(async (tx) => {
        const times: number[] = []
        for (const { oldest, days } of all) {
          const time = await oldest(tx)
          if (time !== undefined) times.push(time.getTime() + (await days(tx)) * DAY_MS)
        }
        return times.length === 0 ? undefined : nextMultiple(Math.min(...times), DAY_MS)
      }),
    async run(database, now, signal) {
      let deleted = 0
      for (const { days, deleteBefore } of all) {
        const kept = await database.read(days)
        const before = new Date(now.getTime() - kept * DAY_MS)
        deleted += await inBatches(database, (tx, most) => deleteBefore(tx, before, most), signal)
      }
      return `${deleted} rows deleted`
    },
  }
}
