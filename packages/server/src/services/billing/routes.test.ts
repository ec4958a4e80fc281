import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACME, openBilling } from '../../testing/billing.ts'
import { engines } from '../../testing/engines.ts'

const OTHER = {
  version: 1,
  accounts: [
    {
      id: '900000000002',
      code: 'other',
      name: 'Other',
      keys: [
        {
          token: 'other-bill',
          secret: 'other-bill-secret',
          permission: 'view',
          external: ['bill'],
        },
      ],
    },
  ],
  bills: [
    {
      account: 'other',
      Bill: {
        BillID: 1000002,
        Date: '2026-03-01T00:00:00+09:00',
        PayLimit: '2026-04-30T00:00:00+09:00',
        Paid: false,
        Amount: 0,
      },
      details: [],
    },
  ],
}

const bill = (more: object = {}, amount = 1100) => ({
  account: 'acme',
  Bill: {
    BillID: 1000001,
    Date: '2026-03-01T00:00:00+09:00',
    PayLimit: '2026-04-30T00:00:00+09:00',
    Paid: true,
    Amount: amount,
    PaymentClassID: 1,
    MemberID: 'mem00001',
    ...more,
  },
  details: [
    {
      Index: 0,
      ContractID: '900000000101',
      ServiceClassID: 50060,
      Usage: 2678400,
      Amount: 1100,
      Name: 'gate',
    },
  ],
})
const WORLD = { version: 1, bills: [bill()] }

for (const engine of engines) {
  describe(`GET /bill/by-contract on ${engine.name}`, () => {
    test('lists the bills of the world beside those of usage, newest first, from any zone', async (t) => {
      const { bill: get, operator, create, days } = await openBilling(t, engine)
      await operator('POST', '/world', { body: WORLD })
      await create()
      await days(4)
      const { status, body } = await get(`/bill/by-contract/${ACME}`)
      assert.equal(status, 200)
      assert.deepEqual([body.is_ok, body.Count], [true, 3])
      assert.equal(body.ResponsedAt, '2026-05-02T09:00:00+09:00')
      assert.deepEqual(body.Bills[2], {
        BillID: 1000001,
        Date: '2026-03-01T00:00:00+09:00',
        Amount: 1100,
        MemberID: 'mem00001',
        Paid: true,
        PayLimit: '2026-04-30T00:00:00+09:00',
        PaymentClassID: 1,
      })
      for (const zone of ['is1b', 'tk1a', 'tk1v', 'is1z']) {
        assert.deepEqual((await get(`/bill/by-contract/${ACME}`, { zone })).body, body)
      }
      assert.equal((await get(`/bill/by-contract/${ACME}`, { zone: 'mars' })).status, 404)
      const months = async (path: string) =>
        (await get(`/bill/by-contract/${ACME}/${path}`)).body.Bills.map((one: { Date: string }) =>
          one.Date.slice(0, 7),
        )
      assert.deepEqual(await months('2026'), ['2026-05', '2026-04', '2026-03'])
      assert.deepEqual(await months('2026/4'), ['2026-04'])
      assert.deepEqual(await months('2026/04'), ['2026-04'])
      assert.deepEqual(await months('2025'), [])
      assert.deepEqual(await months('0000/1'), [])
      for (const path of ['26', '2026/0', '2026/13', '2026/x', 'abcd']) {
        assert.equal((await get(`/bill/by-contract/${ACME}/${path}`)).status, 404, path)
      }
      const one = (await get('/bill/id/1000001')).body
      assert.deepEqual([one.Count, one.Bills], [1, [body.Bills[2]]])
    })

    test('lists no coupons, under the name that clients read', async (t) => {
      const { bill: get } = await openBilling(t, engine)
      const { body } = await get(`/coupon/${ACME}`)
      assert.deepEqual(body, { From: 0, Count: 0, Total: 0, Coupon: [], is_ok: true })
    })

    test('answers 403 to another account, an unknown one and a key without the permission', async (t) => {
      const { bill: get, operator } = await openBilling(t, engine)
      await operator('POST', '/world', { body: OTHER })
      await operator('POST', '/world', { body: WORLD })
      for (const [path, token, status] of [
        ['/bill/by-contract/900000000002', 'acme-token', 403],
        ['/bill/by-contract/900000000099', 'acme-token', 403],
        ['/bill/by-contract/nobody', 'acme-token', 403],
        ['/bill/by-contract/900000000002/2026', 'acme-token', 403],
        ['/bill/by-contract/900000000002/2026/3', 'acme-token', 403],
        [`/bill/by-contract/${ACME}`, 'acme-view', 403],
        [`/bill/by-contract/${ACME}`, 'other-bill', 403],
        ['/bill/by-contract/900000000002', 'other-bill', 200],
        [`/bill/by-contract/${ACME}`, 'nobody', 401],
        [`/coupon/${ACME}`, 'acme-token', 200],
        [`/coupon/${ACME}`, 'acme-view', 403],
        ['/coupon/900000000002', 'acme-token', 403],
        ['/bill/id/1000001', 'acme-token', 200],
        ['/bill/id/1000001', 'acme-view', 403],
        ['/bill/id/1000001', 'other-bill', 403],
        ['/bill/id/1000009', 'acme-token', 404],
        ['/bill/id/x', 'acme-token', 404],
        ['/billdetail/mem00001/1000001', 'acme-token', 200],
        ['/billdetail/mem00001/1000001', 'acme-view', 403],
        ['/billdetail/mem00001/1000009', 'acme-token', 404],
        ['/billdetail/mem00001/x', 'acme-token', 404],
        ['/billdetail/mem00001/1000002', 'acme-token', 403],
        ['/billdetail/mem00009/1000001', 'acme-token', 403],
        ['/billdetail/mem00009/1000009', 'acme-token', 403],
        ['/billdetail/mem00001/1000001', 'other-bill', 403],
        ['/billdetail/other/1000001', 'other-bill', 403],
        ['/billdetail/other/1000002', 'other-bill', 200],
        ['/billdetail/mem00001/1000001/csv', 'acme-view', 403],
        ['/billdetail/mem00009/1000001/csv', 'acme-token', 403],
        ['/billdetail/mem00001/1000009/csv', 'acme-token', 404],
      ] as const) {
        const answer = await get(path, { token })
        assert.equal(answer.status, status, `${path} with ${token}`)
      }
    })
  })

  describe(`GET /billdetail on ${engine.name}`, () => {
    test('lists the details in their order', async (t) => {
      const { bill: get, operator } = await openBilling(t, engine)
      await operator('POST', '/world', { body: WORLD })
      const { body } = await get('/billdetail/mem00001/1000001')
      assert.deepEqual(body, {
        ResponsedAt: '2026-04-28T09:00:00+09:00',
        Count: 1,
        BillDetails: [
          {
            Index: 0,
            ContractID: '900000000101',
            ServiceClassID: 50060,
            Usage: 2678400,
            Amount: 1100,
          },
        ],
        is_ok: true,
      })
      const csv = (await get('/billdetail/mem00001/1000001/csv')).body
      assert.match(csv.Body, /"2026\/03","paid","mem00001","acme","900000000101","50060"/)
    })
  })

  describe(`bills of a world on ${engine.name}`, () => {
    test('are applied once, exported, applied again and changed', async (t) => {
      const { operator } = await openBilling(t, engine)
      const apply = async (body: unknown) =>
        (await operator('POST', '/world', { body })).body.changes.bills
      assert.deepEqual(await apply(WORLD), { created: 1, updated: 0, unchanged: 0 })
      assert.deepEqual(await apply(WORLD), { created: 0, updated: 0, unchanged: 1 })
      const { version, bills } = (await operator('GET', '/world')).body
      assert.deepEqual(await apply({ version, bills }), { created: 0, updated: 0, unchanged: 1 })
      const unpaid = { version: 1, bills: [bill({ Paid: false })] }
      assert.deepEqual(await apply(unpaid), { created: 0, updated: 1, unchanged: 0 })
    })

    test('are refused with the place of what is wrong', async (t) => {
      const { operator, create, days, bills } = await openBilling(t, engine)
      await create()
      await days(1)
      const [made] = await bills()
      for (const [entry, place] of [
        [bill({}, 1099), 'bills[0].Bill.Amount'],
        [bill({ Date: '2026-03' }), 'bills[0].Bill.Date'],
        [bill({ BillID: 1.5 }), 'bills[0].Bill.BillID'],
        [bill({ BillID: made?.BillID }), 'bills[0].Bill.BillID'],
        [{ ...bill(), account: 'nobody' }, 'bills[0].account'],
        [
          { ...bill(), details: bill().details.map((one) => ({ ...one, Index: 1 })) },
          'bills[0].details',
        ],
      ] as const) {
        const answer = await operator('POST', '/world', { body: { version: 1, bills: [entry] } })
        assert.equal(answer.status, 400, place)
        assert.ok(answer.body.error_msg.includes(place), answer.body.error_msg)
      }
    })

    test('keep our own numbers apart from theirs', async (t) => {
      const { operator, create, days, bills } = await openBilling(t, engine)
      await operator('POST', '/world', {
        body: { version: 1, bills: [bill({ BillID: 999_999_999_999 })] },
      })
      await create()
      await days(1)
      assert.deepEqual(
        (await bills()).map(({ BillID }) => BillID),
        [1_000_000_000_000, 999_999_999_999],
      )
    })
  })

  describe(`the operator's bills on ${engine.name}`, () => {
    test('are paid and unpaid once they are final, and those of nothing are paid', async (t) => {
      const { operator, create, days, bills, clock } = await openBilling(t, engine)
      const free = { ServiceClassID: 50060, Price: { Monthly: 0 }, accounts: ['acme'] }
      await create()
      await days(1)
      const [running] = await bills()
      assert.ok(running)
      const path = `/bills/${running.BillID}/paid`
      assert.equal((await operator('PUT', path)).status, 409)
      assert.equal((await operator('DELETE', path)).status, 409)
      assert.equal((await operator('PUT', '/bills/999/paid')).status, 404)
      await clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      assert.equal((await bills())[0]?.Paid, false)
      for (let twice = 0; twice < 2; twice += 1) {
        assert.equal((await operator('PUT', path)).body.bill.state, 'paid')
      }
      assert.equal((await bills())[0]?.Paid, true)
      assert.equal((await operator('DELETE', path)).body.bill.state, 'unpaid')
      const listed = (await operator('GET', '/bills')).body
      assert.deepEqual(
        [listed.total, listed.bills[0].bill_id, listed.bills[0].month, listed.bills[0].state],
        [1, running.BillID, '202604', 'unpaid'],
      )
      await operator('POST', '/world', { body: { version: 1, prices: [free] } })
      await clock.advanceTo(new Date('2026-06-01T00:00:00+09:00'))
      const [may] = await bills()
      assert.deepEqual([may?.Date.slice(0, 7), may?.Amount, may?.Paid], ['2026-05', 0, true])
    })
  })
}
