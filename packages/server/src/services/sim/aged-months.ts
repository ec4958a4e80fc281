/** Totals of months are kept as long as usage is. */
import type { Aged } from '../module.ts'
import { agedByMonth } from '../retention/public.ts'
import { SettingStore } from '../settings/public.ts'

const days: Aged['days'] = (tx) => new SettingStore(tx).get('usage_days')

export const agedMonths: readonly Aged[] = [
  agedByMonth({ table: 'sim_month', key: 'sim_id, month', time: 'month' }, days),
  agedByMonth(
    {
      ...{ table: 'network_month', key: 'network_id, network_kind, month, shard', time: 'month' },
    },
    days,
  ),
]
