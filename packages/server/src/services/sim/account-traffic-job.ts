import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { deleteAccountStepsBefore, oldestAccountStep } from './account-traffic-store.ts'

/** To be woken when bytes were counted. */
export const ACCOUNT_TRAFFIC_JOB = 'sim-account-traffic-forget'

/** The traffic of accounts is kept as long as that of their SIMs. */
export const accountTrafficJob: Job<Database> = {
  name: ACCOUNT_TRAFFIC_JOB,
  steady: true,
  nextDue: (database) =>
    database.read(async (tx) => {
      const oldest = await oldestAccountStep(tx)
      if (oldest === undefined) return undefined
      const days = await new SettingStore(tx).get('traffic_days')
      return nextMultiple(oldest + days * DAY_MS, DAY_MS)
    }),
  run: (database, now) =>
    database.write(async (tx) => {
      const days = await new SettingStore(tx).get('traffic_days')
      const deleted = await deleteAccountStepsBefore(tx, now.getTime() - days * DAY_MS)
      return `${deleted} steps forgotten`
    }),
}
