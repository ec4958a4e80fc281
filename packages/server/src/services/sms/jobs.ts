/** The one job of the slice. Its steps run in this order, so that a report wins over the end of the validity. */
import type { Job } from '../../kernel/job.ts'
import { DAY_SECONDS, secondsAfter } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { DeliveryStore } from './delivery-store.ts'
import { ReportStore } from './report-store.ts'
import type { Step } from './step.ts'

export const SMS_JOB = 'sms'

const ROWS_AT_ONCE = 500
const HOUR_SECONDS = 3600
/** A report that has met no message by then never will. */
const EARLY_REPORT_SECONDS = DAY_SECONDS

export function smsJob(carrying: readonly Step[]): Job<Database> {
  const steps = [...carrying, expiring, forgetting]
  return {
    name: SMS_JOB,
    nextDue: (database) =>
      database.read(async (tx) => {
        const times: Date[] = []
        for (const step of steps) times.push(...[(await step.nextDue(tx)) ?? []].flat())
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

/** Passwords and texts past their retention time. */
const forgetting: Step = {
  async nextDue(tx) {
    const oldest = await new DeliveryStore(tx).oldestSealed()
    const hours = await new SettingStore(tx).get('sms_otp_retention_hours')
    return oldest && secondsAfter(oldest, hours * HOUR_SECONDS)
  },
  async run(database, now) {
    const count = await repeat(() =>
      database.write(async (tx) => {
        const store = new DeliveryStore(tx)
        await new ReportStore(tx).deleteEarly(secondsAfter(now, -EARLY_REPORT_SECONDS))
        const hours = await new SettingStore(tx).get('sms_otp_retention_hours')
        return store.forget(secondsAfter(now, -hours * HOUR_SECONDS), ROWS_AT_ONCE)
      }),
    )
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
