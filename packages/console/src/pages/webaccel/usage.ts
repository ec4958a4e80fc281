/** What sites delivered, by month. Few months, since an account has 500 calls an hour. */
import type { Element } from '@kumoi/client'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { monthOf, nextMonth } from '../billing/bills.ts'

export type Usage = Element<'monthlyUsageRead'>

export interface MonthUsage {
  readonly month: string
  readonly sites: readonly Usage[]
}

const MONTHS = 8

export async function readUsage(signal: AbortSignal): Promise<MonthUsage[]> {
  const now = monthOf(new Date(await serverNow(signal)).toISOString())
  const months = Array.from({ length: MONTHS }, (_, at) => nextMonth(now, at + 1 - MONTHS))
  return Promise.all(
    months.map(async (month) => {
      const query = { target: month.replace('-', '') }
      const { MonthlyUsages } = await cloud().orThrow.monthlyUsageRead({ query }, { signal })
      return { month, sites: MonthlyUsages }
    }),
  )
}

export interface Sum {
  readonly month: string
  readonly bytes: number
  readonly missed: number
  readonly requests: number
  readonly price: number
}

/** Of one site, or of all of them. */
export function sumUsage(months: readonly MonthUsage[], siteId?: string): Sum[] {
  return months.map(({ month, sites }) => {
    const own = sites.filter(({ SiteID }) => siteId === undefined || SiteID === siteId)
    const total = (read: (usage: Usage) => number) => own.reduce((sum, one) => sum + read(one), 0)
    return {
      month,
      bytes: total(({ BytesSent }) => BytesSent),
      missed: total(({ CacheMissBytesSent }) => CacheMissBytesSent),
      requests: total(({ AccessCount }) => AccessCount),
      price: total(({ Price }) => Price),
    }
  })
}
