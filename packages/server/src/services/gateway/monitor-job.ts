import type { Job } from '../../kernel/job.ts'
import { DAY_MS } from '../../kernel/steps.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { deleteMonitorStepsBefore } from './monitor-store.ts'

/** Monitors are kept as long as the traffic of SIMs is. */
export const forgetMonitorsJob: Job<Database> = {
  name: 'gateway-monitor-forget',
  everySeconds: 86_400,
  run: (database, now) =>
    database.write(async (tx) => {
      const days = await new SettingStore(tx).get('traffic_days')
      const deleted = await deleteMonitorStepsBefore(tx, now.getTime() - days * DAY_MS)
      return `${deleted} steps forgotten`
    }),
}
