/**
 * Turns the usage of an account's month into its bill. Usage comes summed and in pages, so that a
 * million records never are in memory; the lines are written anew each time, so that making a bill
 * again gives the same bill (docs/billing.md).
 */
import type { Tx } from '../../storage/database.ts'
import type { Account } from '../account/public.ts'
import { type After, type Used, UsedStore } from '../metering/public.ts'
import { chargeFor, PriceList, WEBACCEL_TRAFFIC } from '../pricing/public.ts'
import { DetailStore } from './detail-store.ts'
import { type Bill, type Detail, finish, PAYMENT_CLASS_ID, payLimitOf } from './rules.ts'
import { BillStore } from './store.ts'

/** Lines in one statement. */
const PAGE = 1000

export interface Making {
  readonly month: Date
  /** Use before it counts: a midnight of the month, or its end. */
  readonly until: Date
  readonly isFinal: boolean
}

/**
 * Answers with the number of lines; without any there is no bill. A final bill stays as it is. Where a world
 * declares the month's bill, what it declares of the month's usage is in that one.
 */
export async function makeBill(tx: Tx, account: Account, making: Making): Promise<number> {
  const { month, until, isFinal } = making
  const bills = new BillStore(tx, account.id)
  const found = await bills.findMade(month)
  if (found !== undefined && found.state !== 'pending') return 0
  const isDeclared = await bills.isDeclared(month)
  const usage = new UsedStore(tx, account.id)
  const prices = await PriceList.of(tx, account.id)
  const seconds = (after: After) => usage.seconds(month, until, after, PAGE)
  const quantities = (after: After) => usage.quantities(month, until, after, PAGE)
  let bill = found
  let place = 0
  for (const read of [seconds, quantities]) {
    for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
      const used = isDeclared ? page.filter(({ product }) => !isDeclaredUsage(product)) : page
      if (used.length > 0) {
        bill ??= await begin(tx, account, month)
        const lines = new DetailStore(tx, bill.id)
        if (place === 0) await lines.deleteAll()
        await lines.insert(used.map((one, index) => lineOf(one, place + index, prices)))
        place += used.length
      }
      // A page that is not full is the last one.
      if (page.length < PAGE) break
    }
  }
  if (bill === undefined) return 0
  if (isDeclared && place === 0) {
    await new DetailStore(tx, bill.id).deleteAll()
    await bills.delete(bill.id)
    return 0
  }
  const summed = { ...bill, amount: await new DetailStore(tx, bill.id).sum() }
  await bills.update(isFinal ? finish(summed) : summed)
  return place
}

/** Nothing but a world says what a site has delivered (docs/billing.md). */
function isDeclaredUsage(product: number): boolean {
  return product === WEBACCEL_TRAFFIC.serviceClassId
}

async function begin(tx: Tx, account: Account, month: Date): Promise<Bill> {
  const bill: Bill = {
    id: await tx.next('bill'),
    accountId: account.id,
    memberCode: account.member.code,
    month,
    paymentClassId: PAYMENT_CLASS_ID,
    amount: 0,
    state: 'pending',
    payLimit: payLimitOf(month),
    isGiven: false,
  }
  if (!(await new BillStore(tx, account.id).insert(bill))) {
    throw new Error(`Bill ${bill.id} of ${account.code} could not be begun.`)
  }
  return bill
}

function lineOf(used: Used, place: number, prices: PriceList): Detail {
  const product = prices.find(used.product)
  if (product === undefined) throw new Error(`There is no product ${used.product}.`)
  return {
    place,
    resourceId: used.resourceId,
    resourceName: used.resourceName,
    product: product.serviceClassId,
    productName: product.displayName,
    zone: product.zone,
    measure: product.measure,
    used: used.used,
    amount: chargeFor(product, used.used),
  }
}
