/** What is metered, and in which month it counts. */
import { japanMonthStart } from '../../kernel/datetime.ts'
import type { AccountId } from '../../kernel/ids.ts'

/** The job that turns usage into bills; it is woken when there is something to bill again. */
export const BILLING_JOB = 'billing'

/** A resource's use of a product. */
export interface Use {
  readonly accountId: AccountId
  readonly resourceId: string
  /** The customer's name of the resource, as bills show it; left out where it is known already. */
  readonly name?: string
  readonly product: { readonly serviceClassId: number }
}

/** So much of it in a month, which is named by its first moment in Japan. */
export interface PastUse {
  readonly use: Use
  readonly month: Date
  readonly quantity: number
}

/** So much more of it, at that time. */
export interface AddedUse {
  readonly use: Omit<Use, 'name'>
  readonly quantity: number
  readonly at: Date
}

/** How far usage has become bills. */
export interface Period {
  /** The first month that is not closed; nothing is counted before it any more. */
  readonly openMonth: Date
  /** A closed month whose bills are still being made. */
  readonly closingMonth: Date | undefined
  /** The midnight up to which bills have been made. */
  readonly billedUntil: Date
}

/** What one resource has used of one product in a month. */
export interface Used {
  readonly resourceId: string
  readonly resourceName: string
  readonly product: number
  /** Seconds, a number of things, or bytes. */
  readonly used: number
}

/** What comes late for a month whose bills are final counts in the first month that is open. */
export function monthOf(at: Date, period: Period | undefined): Date {
  const month = japanMonthStart(at)
  return period !== undefined && month < period.openMonth ? period.openMonth : month
}
