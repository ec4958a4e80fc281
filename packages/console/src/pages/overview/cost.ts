/** What the running month costs so far, and what it comes to at this pace. */
import type { Bill } from '@kumoi/client'
import { monthOf, nextMonth } from '../billing/bills.ts'

export interface Cost {
  /** Such as 2026-04, in Japan. */
  readonly month: string
  readonly amount: number
  readonly last: number
  /** Undefined on the first day, from which nothing can be told. */
  readonly forecast: number | undefined
}

const DAY_MS = 86_400_000
const startOf = (month: string) => Date.parse(`${month}-01T00:00:00+09:00`)

export function costOf(bills: readonly Bill[], responsedAt: string): Cost {
  const now = Date.parse(responsedAt)
  const month = monthOf(responsedAt)
  const sumOf = (wanted: string) =>
    bills
      .filter(({ Date: time }) => monthOf(time) === wanted)
      .reduce((sum, { Amount }) => sum + Amount, 0)
  const [start, end] = [startOf(month), startOf(nextMonth(month))]
  const amount = sumOf(month)
  const forecast =
    now - start < DAY_MS ? undefined : Math.round((amount * (end - start)) / (now - start))
  return { month, amount, last: sumOf(nextMonth(month, -1)), forecast }
}
