/** The bills of the demo world, made of its usage as the job would have made them. */
import { japanDayStart, japanMonthStart, nextJapanMonthStart } from '../../kernel/datetime.ts'
import { AccountStore } from '../account/public.ts'
import { DEMO_MONTHS, type DemoPast, monthsBefore } from '../demo.ts'
import { PeriodStore } from '../metering/public.ts'
import { makeBill } from './making.ts'
import { pay } from './rules.ts'
import { BillStore } from './store.ts'

export const demoBills: DemoPast = async (tx, now) => {
  const [openMonth, billedUntil] = [japanMonthStart(now), japanDayStart(now)]
  for (const account of await new AccountStore(tx).list()) {
    for (let before = DEMO_MONTHS; before > 0; before -= 1) {
      const month = monthsBefore(now, before)
      await makeBill(tx, account, { month, until: nextJapanMonthStart(month), isFinal: true })
      // The last one is not due before the end of this month.
      const bills = new BillStore(tx, account.id)
      const bill = before === 1 ? undefined : await bills.findMade(month)
      if (bill !== undefined) await bills.update(pay(bill))
    }
    if (billedUntil > openMonth) {
      await makeBill(tx, account, { month: openMonth, until: billedUntil, isFinal: false })
    }
  }
  await new PeriodStore(tx).set({ openMonth, closingMonth: undefined, billedUntil })
}
