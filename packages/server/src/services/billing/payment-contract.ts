/** What the operator does with bills: sees all of them, and says which are paid. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { BILL_STATES } from './rules.ts'

const BillPath = Type.Object({ bill_id: Type.String({ pattern: '^[0-9]{1,15}$' }) })

const Bill = Type.Object({
  bill_id: Type.Integer(),
  account_id: Type.String(),
  member_code: Type.String(),
  month: Type.String(),
  amount: Type.Integer(),
  state: Type.Enum([...BILL_STATES]),
  pay_limit: Type.String(),
})

const refuses = {
  not_found: 'there is no such bill',
  conflict: 'the month of the bill is not over',
} as const

export const paymentContract = defineContract({
  operatorBillList: {
    method: 'GET',
    path: '/bills',
    summary: 'List the bills of all accounts, newest month first',
    access: 'operator',
    query: Type.Object({
      From: Type.Optional(Type.Integer({ minimum: 0 })),
      Count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    }),
    reply: Type.Object({ total: Type.Integer(), bills: Type.Array(Bill) }),
    refuses: { bad_request: 'From or Count is no number, or out of range' },
  },
  billPay: {
    method: 'PUT',
    path: '/bills/{bill_id}/paid',
    summary: 'Say that a bill is paid',
    access: 'operator',
    params: BillPath,
    reply: Type.Object({ bill: Bill }),
    refuses,
  },
  billUnpay: {
    method: 'DELETE',
    path: '/bills/{bill_id}/paid',
    summary: 'Say that a bill is not paid after all',
    access: 'operator',
    params: BillPath,
    reply: Type.Object({ bill: Bill }),
    refuses,
  },
})
