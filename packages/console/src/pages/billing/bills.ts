import type { Bill, Element } from '@kumoi/client'
import { language } from '../../i18n.ts'

export type BillState = 'pending' | 'unpaid' | 'paid'

/** The wire tells only paid or not; the month that still runs at `now` is pending. */
export function stateOf({ Paid, Date: month }: Bill, now: string): BillState {
  if (Paid) return 'paid'
  return monthOf(month) >= monthOf(now) ? 'pending' : 'unpaid'
}

const ZONE = 'Asia/Tokyo'

/** Year and month in Japan, such as 2026-04. */
export function monthOf(time: string): string {
  return new Date(time).toLocaleDateString('sv-SE', { timeZone: ZONE }).slice(0, 7)
}

export function formatMonth(time: string | number): string {
  return new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: ZONE, year: 'numeric', month: 'short' },
  }).format(new Date(time))
}

export const TONES = { paid: 'good', unpaid: 'warn', pending: 'info' } as const

const SHOWN_MIN = 12

/** A year at least. Months without a bill are there as zero, so that bars stand where their month is. */
export function barsOf(bills: readonly Bill[]): { times: number[]; values: number[] } {
  const amounts = new Map(bills.map(({ Date: time, Amount }) => [monthOf(time), Amount]))
  const months = [...amounts.keys()].sort()
  const last = months.at(-1) ?? ''
  const first = [months[0] ?? '', nextMonth(last, 1 - SHOWN_MIN)].sort()[0] ?? ''
  const times: number[] = []
  const values: number[] = []
  for (let month = first; last !== '' && month <= last; month = nextMonth(month)) {
    times.push(Date.parse(`${month}-01T00:00:00+09:00`) / 1000)
    values.push(amounts.get(month) ?? 0)
  }
  return { times, values }
}

export function nextMonth(month: string, by = 1): string {
  if (month === '') return ''
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The list has a Japanese name for people, and an English one. */
export function productName(product: Element<'priceList'>): string {
  const { DisplayName = '', ServiceClassName = '' } = product
  return language.value === 'ja' ? DisplayName : ServiceClassName
}
