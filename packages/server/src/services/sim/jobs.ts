/** Keeps what the network leaves behind small: steps are packed into days, old rows go. */
import type { Job } from '../../kernel/job.ts'
import { DAY_MS } from '../../kernel/steps.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { windowStart } from './card-rules.ts'
import { deleteFailures } from './card-store.ts'
import { LogStore } from './log-store.ts'
import { TrafficStore } from './traffic-store.ts'

const HOUR_MS = 3_600_000
/** Rows in one transaction: a bound on how long others wait for it. */
const BATCH = 500

/** Runs on the hour, when there are steps that are old enough. */
export const packTrafficJob: Job<Database> = {
  name: 'sim-traffic-pack',
  // Looked at even while nothing was due: nobody wakes it when the first bytes come.
  everySeconds: 3_600,
  nextDue: (database) =>
    database.read(async (tx) => {
      const oldest = await new TrafficStore(tx).oldestStep()
      if (oldest === undefined) return undefined
      const hours = await new SettingStore(tx).get('traffic_journal_hours')
      return nextMultiple(oldest + hours * HOUR_MS, HOUR_MS)
    }),
  async run(database, now) {
    let packed = 0
    for (;;) {
      const steps = await database.write(async (tx) => {
        const store = new TrafficStore(tx)
        const hours = await new SettingStore(tx).get('traffic_journal_hours')
        const before = now.getTime() - hours * HOUR_MS
        let count = 0
        for (const simId of await store.simsWithStepsBefore(before, BATCH)) {
          count += await store.pack(simId, before)
        }
        return count
      })
      packed += steps
      if (steps === 0) return `${packed} steps packed`
    }
  },
}

export const forgetHistoryJob: Job<Database> = {
  name: 'sim-history-forget',
  everySeconds: 86_400,
  async run(database, now) {
    await database.write((tx) => deleteFailures(tx, windowStart(now)))
    let forgotten = 0
    for (;;) {
      const rows = await database.write(async (tx) => {
        const settings = new SettingStore(tx)
        const daysBefore = now.getTime() - (await settings.get('traffic_days')) * DAY_MS
        const logDays = await settings.get('session_log_days')
        const logBefore = new Date(now.getTime() - logDays * DAY_MS)
        const days = await new TrafficStore(tx).deleteDaysBefore(daysBefore, BATCH)
        return days + (await new LogStore(tx).deleteBefore(logBefore, BATCH))
      })
      forgotten += rows
      if (rows === 0) return `${forgotten} rows forgotten`
    }
  },
}

/** After it, never at it, so that what fell due at the border is old enough when the job runs. */
function nextMultiple(time: number, step: number): Date {
  return new Date((Math.floor(time / step) + 1) * step)
}
