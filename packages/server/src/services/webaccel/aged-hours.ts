import { agedByTime } from '../retention/public.ts'
import { SettingStore } from '../settings/public.ts'

/** What sites have delivered by hour. */
export const agedHours = agedByTime(
  { table: 'site_hour', key: 'site_id, hour', time: 'hour' },
  (tx) => new SettingStore(tx).get('site_hour_days'),
)
