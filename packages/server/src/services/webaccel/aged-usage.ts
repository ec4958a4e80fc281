/** What sites delivered day by day; the bill of a month has its sum. */
import { parseDay } from '../../kernel/datetime.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { type AgedRows, deleteOlder, oldestOf } from '../../storage/aged-rows.ts'
import type { Aged } from '../module.ts'
import { SettingStore } from '../settings/public.ts'
import { dayOf } from './usage-store.ts'

const ROWS: AgedRows = { table: 'site_usage', key: 'site_id, day', time: 'day' }

export const agedUsage: Aged = {
  tables: [ROWS.table],
  days: (tx) => new SettingStore(tx).get('usage_days'),
  async oldest(tx) {
    const oldest = await oldestOf<string>(tx, ROWS)
    const month = parseDay(`${oldest?.slice(0, 4)}-${oldest?.slice(4, 6)}-01`)
    // The end of the day; the day 00 is a whole month that was declared.
    return month && new Date(month.getTime() + Number(oldest?.slice(6)) * DAY_MS)
  },
  deleteBefore: (tx, before, most) => deleteOlder(tx, ROWS, dayOf(before), most),
}
