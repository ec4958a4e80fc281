/** The one job of the slice. Its steps run in this order, so that a report wins over the end of the validity. */
import type { Job } from '../../kernel/job.ts'
import { DAY_SECONDS, secondsAfter } from '../../kernel/units.ts'
import { inBatches, ROWS_AT_ONCE } from '../../storage/aged-rows.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { DeliveryStore } from './delivery-store.ts'
import { ReportStore } from './report-store.ts'
import type { Step } from './step.ts'

export const SMS_JOB = 'sms'

const HOUR_SECONDS = 3600
/** A report that has met no message by then never will. */
const EARLY_REPORT_SECONDS = DAY_SECONDS

export function smsJob(carrying: readonly Step[]): Job<Database> {
  const steps = [...carrying, expiring, forgetting]
  return {
    name: SMS_JOB,
    nextDue: (database, now) =>
      database.read(async (tx) => {
        const times: Date[] = []
        for (const step of steps) times.push(...[(await step.nextDue(tx, now)) ?? []].flat())
        return times.sort((a, b) => a.getTime() - b.getTime())[0]
      }),
    async run(database, now) {
      const summaries: string[] = []
      for (const step of steps) summaries.push(await step.run(database, now))
      return summaries.join(', ')
    },
  }
}

/** Messages that nobody has reported on within their validity. */
const expiring: Step = {
  nextDue: (tx) => new DeliveryStore(tx).nextExpiry(),
  async run(database, now) {
    const count = await repeat(() =>
      database.write((tx) => new DeliveryStore(tx).expire(now, ROWS_AT_ONCE)),
    )
    return `${count} expired`
  },
}

/** Passwords and texts past their retention time, and reports that belong to nothing. */
const forgetting: Step = {
  async nextDue(tx) {
    const oldest = await new DeliveryStore(tx).oldestSealed()
    const hours = await new SettingStore(tx).get('sms_otp_retention_hours')
    return oldest && secondsAfter(oldest, hours * HOUR_SECONDS)
  },
  async run(database, now) {
    const count = await inBatches(database, async (tx, most) => {
      const early = secondsAfter(now, -EARLY_REPORT_SECONDS)
      const reports = await new ReportStore(tx).deleteEarly(early, most)
      const hours = await new SettingStore(tx).get('sms_otp_retention_hours')
      const sealed = secondsAfter(now, -hours * HOUR_SECONDS)
      return reports + (await new DeliveryStore(tx).forget(sealed, most))
    })
    return `${count} forgotten`
  },
}

/** In bounded transactions, until a round has less than a full share to do. */
async function repeat(round: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await round()
    total += count
    if (count < ROWS_AT_ONCE) return total
  }
}
