/** What billing tools ask for, and the types that they decode. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BILL, DETAIL, IDENTITY, PRICE } from './client-shapes.ts'
import { engines } from './engines.ts'
import { sendRaw } from './raw-http.ts'
import { open } from './sacloud-clients.ts'
import { assertShape } from './shapes.ts'

for (const engine of engines) {
  describe(`existing billing tools on ${engine.name}`, () => {
    test('decode what bills, prices, maintenances and the identity answer', async (t) => {
      const { port, call, authorization } = await open(t, engine)
      const bare = async (path: string, headers: Record<string, string> = { authorization }) => {
        const answer = await sendRaw(port, { line: `GET /cloud${path}`, headers })
        assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
        return answer.body
      }
      const context = await bare('/api/iam/1.0/auth/context')
      assertShape(context, IDENTITY)
      const account = context.limited_to_project_id
      const all = `/system/1.0/bill/by-contract/${account}`
      const bills = await call('GET', all)
      assertShape(bills.body, { ResponsedAt: 'time', Count: 'integer', Bills: [BILL] })
      const [bill] = bills.body.Bills
      const month = new Date(bill.Date)
      const [year, number] = [month.getFullYear(), (month.getMonth() + 1) % 12 || 12]
      for (const path of [`${all}/${year}`, `${all}/${year}/${number}`]) {
        assertShape((await call('GET', path)).body, { Count: 'integer', Bills: [BILL] })
      }
      const one = await call('GET', `/system/1.0/bill/id/${bill.BillID}`)
      assertShape(one.body, { Count: 'integer', Bills: [BILL] })
      assertShape((await call('GET', `/system/1.0/coupon/${account}`)).body, { Coupon: [] })
      const details = `/system/1.0/billdetail/${bill.MemberID}/${bill.BillID}`
      assertShape((await call('GET', details)).body, { BillDetails: [DETAIL] })
      assertShape((await call('GET', `${details}/csv`)).body, {
        ...{ Body: 'string', Count: 'integer', ResponsedAt: 'time', Filename: 'string' },
      })
      for (const path of ['/public/price', '/public/price.json']) {
        assertShape((await call('GET', `/cloud/1.1${path}`)).body, { ServiceClasses: [PRICE] })
      }
      assertShape(await bare('/api/global/1.0/maintenances'), { meta: { total_pages: 'integer' } })
    })
  })
}
