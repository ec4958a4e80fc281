import type { Handlers } from '../../kernel/contract.ts'
import { japanMonth, japanTime } from '../../kernel/datetime.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { paymentContract } from './payment-contract.ts'
import { type Bill, pay, unpay } from './rules.ts'
import { BillStore, countBills, getBill, listBills } from './store.ts'

const DEFAULT_COUNT = 100

export const paymentHandlers: Handlers<typeof paymentContract, OperatorContext> = {
  operatorBillList: ({ query }, { database }) =>
    database.read(async (tx) => {
      const bills = await listBills(tx, query.From ?? 0, query.Count ?? DEFAULT_COUNT)
      return { total: await countBills(tx), bills: bills.map(toOperator) }
    }),

  billPay: ({ params }, context) => change(context, params.bill_id, pay),
  billUnpay: ({ params }, context) => change(context, params.bill_id, unpay),
}

function change({ database, concerns }: OperatorContext, id: string, rule: (bill: Bill) => Bill) {
  return database.write(async (tx) => {
    const found = await getBill(tx, Number(id))
    concerns((await new AccountStore(tx).get(found.accountId)).code)
    const bill = rule(found)
    await new BillStore(tx, bill.accountId).update(bill)
    return { bill: toOperator(bill) }
  })
}

function toOperator(bill: Bill) {
  return {
    bill_id: bill.id,
    account_id: bill.accountId,
    member_code: bill.memberCode,
    month: japanMonth(bill.month),
    amount: bill.amount,
    state: bill.state,
    pay_limit: japanTime(bill.payLimit),
  }
}
