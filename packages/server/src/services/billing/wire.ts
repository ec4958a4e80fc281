import { japanTime } from '../../kernel/datetime.ts'
import type { Bill, Detail } from './rules.ts'

export function billToWire(bill: Bill) {
  return {
    BillID: bill.id,
    Date: japanTime(bill.month),
    Amount: bill.amount,
    MemberID: bill.memberCode,
    Paid: bill.state === 'paid',
    PayLimit: japanTime(bill.payLimit),
    PaymentClassID: bill.paymentClassId,
  }
}

export function detailToWire(detail: Detail) {
  return {
    Index: detail.place,
    ContractID: detail.resourceId,
    ServiceClassID: detail.product,
    Usage: detail.used,
    Amount: detail.amount,
  }
}
