/** What a bill is, and what becomes of it (docs/billing.md). */
import { nextJapanMonthStart } from '../../kernel/datetime.ts'
import { Conflict } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Zone } from '../../kernel/zone.ts'

/** Its month runs; it is final and waits for its money; it is paid. */
export const BILL_STATES = ['pending', 'unpaid', 'paid'] as const
export type BillState = (typeof BILL_STATES)[number]

/** How it is paid; the interface shows a number and no list of them. */
export const PAYMENT_CLASS_ID = 1
/** Bills of a world may be numbered up to here; our own count on from the highest. */
export const LAST_BILL_ID = 999_999_999_999

export interface Bill {
  readonly id: number
  readonly accountId: AccountId
  readonly memberCode: string
  /** The month of use: the moment at which it begins in Japan. */
  readonly month: Date
  readonly paymentClassId: number
  /** Integer yen including tax: the sum of its details. */
  readonly amount: number
  readonly state: BillState
  readonly payLimit: Date
  /** It came with a world instead of from usage. */
  readonly isGiven: boolean
}

export interface Detail {
  /** Its order within the bill, from 0. */
  readonly place: number
  readonly resourceId: string
  readonly resourceName: string
  readonly product: number
  readonly productName: string
  readonly zone: Zone | undefined
  readonly measure: 'time' | 'count' | 'bytes'
  readonly used: number
  readonly amount: number
}

/** The last day of the month after the month of use. */
export function payLimitOf(month: Date): Date {
  const afterNext = nextJapanMonthStart(nextJapanMonthStart(month))
  return new Date(afterNext.getTime() - DAY_MS)
}

/** Where there is nothing to pay, it is paid. */
export function finish(bill: Bill): Bill {
  return { ...bill, state: bill.amount === 0 ? 'paid' : 'unpaid' }
}

export function pay(bill: Bill): Bill {
  return settle(bill, 'paid')
}

/** The payment did not come after all. */
export function unpay(bill: Bill): Bill {
  return settle(bill, 'unpaid')
}

function settle(bill: Bill, state: BillState): Bill {
  if (bill.state === 'pending') {
    throw new Conflict(
      `Bill ${bill.id} is pending: its month is not over.`,
      `請求 ${bill.id} は利用月が終わっていないため確定していません。`,
    )
  }
  return { ...bill, state }
}
