import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { deleteMonitorStepsBefore, oldestMonitorStep } from './monitor-store.ts'

/** To be woken when bytes were counted. */
export const FORGET_MONITORS = 'gateway-monitor-forget'

/** Monitors are kept as long as the traffic of SIMs is. */
export const forgetMonitorsJob: Job<Database> = {
  name: FORGET_MONITORS,
  steady: true,
  nextDue: (database) =>
    database.read(async (tx) => {
      const oldest = await oldestMonitorStep(tx)
      if (oldest === undefined) return undefined
      const days = await new SettingStore(tx).get('traffic_days')
      return nextMultiple(oldest + days * DAY_MS, DAY_MS)
    }),
  run: (database, now) =>
    database.write(async (tx) => {
      const days = await new SettingStore(tx).get('traffic_days')
      const deleted = await deleteMonitorStepsBefore(tx, now.getTime() - days * DAY_MS)
      return `${deleted} steps forgotten`
    }),
}
