import type { Caller } from '../../kernel/caller.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { japanTime, nextJapanMonthStart, parseDay } from '../../kernel/datetime.ts'
import { Forbidden } from '../../kernel/errors.ts'
import { AccountStore } from '../account/public.ts'
import type { Context } from '../context.ts'
import type { billingContract } from './contract.ts'
import { csvFilename, csvOf } from './csv-wire.ts'
import { DetailStore } from './detail-store.ts'
import type { Bill } from './rules.ts'
import { BillStore } from './store.ts'
import { billToWire, detailToWire } from './wire.ts'

const FIRST_YEAR = '0001'
const LAST_MONTH = '9999-12-01'

export const billingHandlers: Handlers<typeof billingContract, Context> = {
  billList: ({ params }, context) =>
    listBills(params.account_id, `${FIRST_YEAR}-01-01`, LAST_MONTH, context),

  billListOfYear: ({ params: { account_id, year } }, context) =>
    listBills(account_id, `${year}-01-01`, `${year}-12-01`, context),

  billListOfMonth({ params: { account_id, year, month } }, context) {
    const day = `${year}-${month.padStart(2, '0')}-01`
    return listBills(account_id, day, day, context)
  },

  async billRead({ params }, { tx, caller, now }) {
    const bill = await new BillStore(tx, caller.accountId).get(Number(params.bill_id))
    return billsToWire([bill], now)
  },

  async couponList({ params }, { caller }) {
    checkAccount(params.account_id, caller)
    return { From: 0, Count: 0, Total: 0, Coupon: [] }
  },

  async billDetailList({ params }, context) {
    const { bill } = await billOf(params, context)
    const details = await new DetailStore(context.tx, bill.id).list()
    return { ...headOf(details, context.now), BillDetails: details.map(detailToWire) }
  },

  async billDetailCsv({ params }, context) {
    const { bill, account } = await billOf(params, context)
    const details = await new DetailStore(context.tx, bill.id).list()
    return {
      ...headOf(details, context.now),
      Filename: csvFilename(bill),
      Body: csvOf(bill, account.code, details),
    }
  },
}

/** The bills of the months from the first to the last, both named by their first day. */
async function listBills(accountId: string, first: string, last: string, context: Context) {
  const { tx, caller, now } = context
  checkAccount(accountId, caller)
  const [from, to] = [parseDay(first), parseDay(last)]
  // No month that a datetime can show, and so none with a bill.
  if (from === undefined || to === undefined) return billsToWire([], now)
  const bills = await new BillStore(tx, caller.accountId).list(from, nextJapanMonthStart(to))
  return billsToWire(bills, now)
}

function checkAccount(accountId: string, caller: Caller): void {
  if (accountId === caller.accountId) return
  throw new Forbidden(
    `The key is not one of account ${accountId}.`,
    `このキーはアカウント ${accountId} のものではありません。`,
  )
}

async function billOf(
  { member_code, bill_id }: { readonly member_code: string; readonly bill_id: string },
  { tx, caller }: Context,
) {
  const account = await new AccountStore(tx).get(caller.accountId)
  if (member_code !== account.member.code) {
    throw new Forbidden(
      `The key is not one of member ${member_code}.`,
      `このキーは会員 ${member_code} のものではありません。`,
    )
  }
  return { account, bill: await new BillStore(tx, account.id).get(Number(bill_id)) }
}

function billsToWire(bills: readonly Bill[], now: Date) {
  return { ...headOf(bills, now), Bills: bills.map(billToWire) }
}

function headOf(found: readonly unknown[], now: Date) {
  return { ResponsedAt: japanTime(now), Count: found.length }
}
