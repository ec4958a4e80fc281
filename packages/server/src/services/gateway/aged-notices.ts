import { agedByTime } from '../retention/public.ts'
import { SettingStore } from '../settings/public.ts'

/** One that waits is still to be sent. */
export const agedNotices = agedByTime(
  {
    ...{ table: 'gateway_notice', key: 'id', time: 'created_at' },
    where: "status <> 'waiting'",
  },
  (tx) => new SettingStore(tx).get('notice_days'),
)
