/** What ages, by a time or a month that its rows have. */
import { japanMonth, nextJapanMonthStart, parseDay } from '../../kernel/datetime.ts'
import { type AgedRows, deleteOlder, oldestOf } from '../../storage/aged-rows.ts'
import type { Aged } from '../module.ts'

/** Epoch milliseconds. */
export function agedByTime(rows: AgedRows, days: Aged['days']): Aged {
  return {
    tables: [rows.table],
    days,
    async oldest(tx) {
      const oldest = await oldestOf<number>(tx, rows)
      return oldest === undefined ? undefined : new Date(oldest)
    },
    deleteBefore: (tx, before, most) => deleteOlder(tx, rows, before, most),
  }
}

/** Months such as `202604`, in Japan: one ages from its end on. */
export function agedByMonth(rows: AgedRows, days: Aged['days']): Aged {
  return {
    tables: [rows.table],
    days,
    async oldest(tx) {
      const oldest = await oldestOf<string>(tx, rows)
      const first = parseDay(`${oldest?.slice(0, 4)}-${oldest?.slice(4)}-01`)
      return first === undefined ? undefined : nextJapanMonthStart(first)
    },
    deleteBefore: (tx, before, most) => deleteOlder(tx, rows, japanMonth(before), most),
  }
}
