import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { costOf } from './cost.ts'

const bill = (month: string, Amount: number) => ({
  ...{ BillID: 1, Date: `${month}-01T00:00:00+09:00`, Amount, MemberID: 'm', Paid: false },
  ...{ PayLimit: '', PaymentClassID: 1 },
})

describe('the cost of the running month', () => {
  test('goes on at the pace so far until the month ends, in Japan', () => {
    const bills = [bill('2026-04', 100), bill('2026-04', 20), bill('2026-03', 900)]
    assert.deepEqual(costOf(bills, '2026-04-11T00:00:00+09:00'), {
      ...{ month: '2026-04', amount: 120, last: 900, forecast: 360 },
    })
  })

  test('is nothing without a bill, and has no forecast on the first day', () => {
    assert.deepEqual(costOf([], '2026-12-31T15:00:00.000Z'), {
      ...{ month: '2027-01', amount: 0, last: 0, forecast: undefined },
    })
  })
})
