import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

/** Any text: a stranger must not learn from a 404 which accounts there are (docs/billing.md). */
const AccountPath = { account_id: Type.String() }
const Year = Type.String({ pattern: '^[0-9]{4}$' })
const Month = Type.String({ pattern: '^(0?[1-9]|1[0-2])$' })
const BillNumber = Type.String({ pattern: '^[0-9]{1,15}$' })
const DetailPath = Type.Object({ member_code: Type.String(), bill_id: BillNumber })

const Head = { ResponsedAt: Type.String(), Count: Type.Integer() }

const Bills = Type.Object({
  ...Head,
  Bills: Type.Array(
    Type.Object({
      BillID: Type.Integer(),
      Date: Type.String(),
      Amount: Type.Integer(),
      MemberID: Type.String(),
      Paid: Type.Boolean(),
      PayLimit: Type.String(),
      PaymentClassID: Type.Integer(),
    }),
  ),
})

const BillDetails = Type.Object({
  ...Head,
  BillDetails: Type.Array(
    Type.Object({
      Index: Type.Integer(),
      ContractID: Type.String(),
      ServiceClassID: Type.Integer(),
      Usage: Type.Integer(),
      Amount: Type.Integer(),
    }),
  ),
})

const notYours = 'the account is another one, or there is none'
const notYourMember = 'the member is another one, or the bill is another account’s'
const noBill = 'there is no such bill'

/** Interface, Authentication 3: the key needs the permission for billing and the level view. */
const BILLING = { method: 'GET', access: 'view', external: 'bill' } as const

export const billingContract = defineContract({
  billList: {
    ...BILLING,
    path: '/bill/by-contract/{account_id}',
    summary: 'List the bills of the account, newest month first',
    params: Type.Object(AccountPath),
    reply: Bills,
    refuses: { forbidden: notYours },
  },
  billListOfYear: {
    ...BILLING,
    path: '/bill/by-contract/{account_id}/{year}',
    summary: 'List the bills of a year of use',
    params: Type.Object({ ...AccountPath, year: Year }),
    reply: Bills,
    refuses: { forbidden: notYours, not_found: 'the year has not four digits' },
  },
  billListOfMonth: {
    ...BILLING,
    path: '/bill/by-contract/{account_id}/{year}/{month}',
    summary: 'List the bills of a month of use',
    params: Type.Object({ ...AccountPath, year: Year, month: Month }),
    reply: Bills,
    refuses: { forbidden: notYours, not_found: 'there is no such month' },
  },
  billRead: {
    ...BILLING,
    path: '/bill/id/{bill_id}',
    summary: 'Read one bill, in the form of a list',
    params: Type.Object({ bill_id: BillNumber }),
    reply: Bills,
    refuses: { forbidden: 'the bill is another account’s', not_found: noBill },
  },
  // Coupons are no part of this cloud, but clients ask for them; they read them under this name.
  couponList: {
    ...BILLING,
    path: '/coupon/{account_id}',
    summary: 'List the coupons of the account: there are none',
    params: Type.Object(AccountPath),
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      Coupon: Type.Array(Type.Never()),
    }),
    refuses: { forbidden: notYours },
  },
  billDetailList: {
    ...BILLING,
    path: '/billdetail/{member_code}/{bill_id}',
    summary: 'List the details of a bill',
    params: DetailPath,
    reply: BillDetails,
    refuses: { forbidden: notYourMember, not_found: noBill },
  },
  billDetailCsv: {
    ...BILLING,
    path: '/billdetail/{member_code}/{bill_id}/csv',
    summary: 'Read the details of a bill as CSV',
    params: DetailPath,
    reply: Type.Object({ ...Head, Filename: Type.String(), Body: Type.String() }),
    refuses: { forbidden: notYourMember, not_found: noBill },
  },
})
