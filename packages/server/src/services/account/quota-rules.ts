import { japanDayStart } from '../../kernel/datetime.ts'
import { Conflict, type Refusal, TooManyRequests } from '../../kernel/errors.ts'
import { QUOTA_NAMES, type QuotaName, type Quotas } from '../../kernel/quotas.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { QuotaInput } from './quota-contract.ts'

/** What is counted in the database; requests are counted by each process for itself. */
export type CountedQuota = Exclude<QuotaName, 'requests_per_second'>

export interface QuotaUse {
  readonly name: QuotaName
  readonly limit: number | undefined
  readonly used: number | undefined
}

/** Always in the order of the names, so that two that are the same have the same text. */
export function changeQuotas(found: Quotas | undefined, sent: QuotaInput = {}): Quotas | undefined {
  const limits = QUOTA_NAMES.map((name) => {
    const limit = sent[name]
    return [name, limit === undefined ? found?.[name] : (limit ?? undefined)] as const
  })
  const set = limits.filter(([, limit]) => limit !== undefined)
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

/** The refusal of what would go beyond the limit. */
export function quotaRefusal(name: CountedQuota, limit: number, used: number, now: Date): Refusal {
  const en = `The quota ${name} of the account is ${limit}; ${used} are used.`
  const ja = `アカウントの上限 ${name} は ${limit} です (使用中: ${used})。`
  if (name !== 'messages_per_day') return new Conflict(en, ja)
  const nextDay = japanDayStart(now).getTime() + DAY_MS
  return new TooManyRequests(Math.max(1, Math.ceil((nextDay - now.getTime()) / 1000)), en, ja)
}
