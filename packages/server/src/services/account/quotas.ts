/**
 * Whether an account may have more. It is counted in the transaction that creates, so that of several at once no more
 * succeed than the limit allows: SQLite has one writer, and PostgreSQL runs one of two that conflict again. Nothing is
 * read where there is no limit.
 */
import type { Refusal } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { QUOTA_NAMES, type Quotas } from '../../kernel/quotas.ts'
import type { Tx } from '../../storage/database.ts'
import { type CountedQuota, type QuotaUse, quotaRefusal } from './quota-rules.ts'
import { QuotaStore } from './quota-store.ts'

/** The caller, or another holder of an account's quotas. */
export interface QuotaHolder {
  readonly accountId: AccountId
  readonly quotas?: Quotas | undefined
}

export interface QuotaRoom {
  /** Less than nothing where the limit was lowered. */
  readonly left: number
  readonly refusal: Refusal
}

/** Undefined where there is no limit. */
export async function quotaRoom(
  tx: Tx,
  { accountId, quotas }: QuotaHolder,
  name: CountedQuota,
  now: Date,
): Promise<QuotaRoom | undefined> {
  const limit = quotas?.[name]
  if (limit === undefined) return undefined
  const used = await new QuotaStore(tx, accountId).used(name, now)
  return { left: limit - used, refusal: quotaRefusal(name, limit, used, now) }
}

/** `more` is what is about to be added. */
export async function checkQuota(
  tx: Tx,
  holder: QuotaHolder,
  name: CountedQuota,
  now: Date,
  more = 1,
): Promise<void> {
  const room = await quotaRoom(tx, holder, name, now)
  if (room !== undefined && more > room.left) throw room.refusal
}

export function quotaUses(tx: Tx, account: QuotaHolder, now: Date): Promise<QuotaUse[]> {
  const store = new QuotaStore(tx, account.accountId)
  return Promise.all(
    QUOTA_NAMES.map(async (name) => ({
      name,
      limit: account.quotas?.[name],
      used: name === 'requests_per_second' ? undefined : await store.used(name, now),
    })),
  )
}
