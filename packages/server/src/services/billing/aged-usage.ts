/** Usage that has become bills. What is not billed yet stays, however old it is. */
import type { AgedRows } from '../../storage/aged-rows.ts'
import type { Aged } from '../module.ts'
import { agedByTime } from '../retention/public.ts'
import { SettingStore } from '../settings/public.ts'

const days: Aged['days'] = (tx) => new SettingStore(tx).get('usage_days')
const BILLED = '(SELECT billed_until FROM usage_period WHERE id = 1)'

const SPANS: AgedRows = {
  ...{ table: 'usage_span', key: 'account_id, resource_id, product, from_at', time: 'to_at' },
  where: `to_at <= ${BILLED}`,
}

const COUNTS: AgedRows = {
  ...{ table: 'usage_count', key: 'resource_id, product, event', time: 'month' },
  where: `month < ${BILLED}`,
}

export const agedUsage: readonly Aged[] = [agedByTime(SPANS, days), agedByTime(COUNTS, days)]
