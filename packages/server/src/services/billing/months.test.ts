/** Bills on the virtual clock: what is used becomes the right bills, however the clock is moved. */

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import { raw } from '../../storage/sql.ts'
import { openBilling } from '../../testing/billing.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'

const MIB = 1024 ** 2

/** A SIM that sends from the 28th on, in a gateway, and one message. */
async function useAll(t: TestContext, engine: TestEngine) {
  const cloud = await openBilling(t, engine)
  const gateway = await cloud.ready('gate')
  const sim = await cloud.sim(1)
  await cloud.add(gateway, sim)
  assert.equal((await cloud.attach(1)).accepted, true)
  await cloud.traffic(1, 10 * MIB, 5 * MIB)
  const item = { CommonServiceItem: { Name: 'codes', Provider: { Class: 'esme' } } }
  const sms = (await cloud.ask('POST', '/commonserviceitem', { body: item })).body.CommonServiceItem
  const body = {
    ESME: { destination: '819012345678', sender: 'Acme', otpOperation: 'generate' },
  }
  assert.equal(
    (await cloud.ask('PUT', `/commonserviceitem/${sms.ID}/esme/2fa/otp`, { body })).status,
    200,
  )
  return { ...cloud, gateway, simId: sim }
}

/** From 28 April 9:00:03 to 1 May: 2 days, 15 hours less 3 seconds. */
const APRIL = {
  month: '2026-04',
  state: 'unpaid',
  amount: 33 + 165 + 90 + 11,
  lines: ['50060 × 226800 = 165', '50010 × 226797 = 33', '50011 × 15728640 = 90', '50050 × 1 = 11'],
}

for (const engine of engines) {
  describe(`bills on ${engine.name}`, () => {
    test('are the right ones after 40 days, whether these pass in one call or in 40', async (t) => {
      const atOnce = await useAll(t, engine)
      const daily = await useAll(t, engine)
      const fired = await atOnce.clock.advanceTo(
        new Date(atOnce.clock.now().getTime() + 40 * DAY_MS),
      )
      assert.ok(fired.length < 200, 'no idle ticks')
      for (let day = 0; day < 40; day += 1) await daily.days(1)
      const bills = await atOnce.all()
      assert.deepEqual(await daily.all(), bills)
      assert.deepEqual(
        bills.map(({ month, state }) => [month, state]),
        [
          ['2026-06', 'pending'],
          ['2026-05', 'unpaid'],
          ['2026-04', 'unpaid'],
        ],
      )
      const [june, may, april] = bills
      assert.deepEqual(
        { ...april, lines: april?.lines.toSorted() },
        {
          ...APRIL,
          lines: APRIL.lines.toSorted(),
        },
      )
      // A whole May: the monthly prices. June up to the midnight of the 7th: six days of each.
      assert.deepEqual([may?.amount, june?.amount], [1100 + 165, 6 * 55 + 6 * 11])
    })

    test('have the running month from the next day on, one BillID for both, final on the first', async (t) => {
      const { bills, details, clock, days, simId, gateway } = await useAll(t, engine)
      assert.deepEqual(await bills(), [])
      await clock.advanceTo(new Date('2026-04-28T23:59:59.999+09:00'))
      assert.deepEqual(await bills(), [])
      await clock.advanceTo(new Date('2026-04-29T00:00:00+09:00'))
      const [running] = await bills()
      assert.ok(running)
      assert.equal(running.Date, '2026-04-01T00:00:00+09:00')
      assert.equal(running.PayLimit, '2026-05-31T00:00:00+09:00')
      assert.equal(running.Paid, false)
      const first = await details(running.BillID)
      assert.deepEqual(
        first.map(({ ContractID }) => ContractID).slice(0, 2),
        [gateway, simId],
        'ContractID is the resource’s id',
      )
      await clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      const [final] = await bills()
      assert.equal(final?.BillID, running.BillID)
      assert.equal(final?.Amount, APRIL.amount)
      await days(3)
      assert.deepEqual((await bills())[1], final, 'a final bill does not change')
    })

    test('stop with the use: deactivated, deleted, again activated within a month', async (t) => {
      const { ask, clock, sim, create, all } = await openBilling(
        t,
        engine,
        '2026-05-01T00:00:00+09:00',
      )
      const id = await sim(2)
      const put = (verb: string) => ask('PUT', `/commonserviceitem/${id}/sim/${verb}`)
      // At the same moment: nothing was used, and nothing is lost.
      await put('deactivate')
      await put('activate')
      await clock.advanceTo(new Date('2026-05-03T00:00:00+09:00'))
      await put('deactivate')
      await clock.advanceTo(new Date('2026-05-10T12:00:00+09:00'))
      await put('activate')
      const gateway = await create()
      await clock.advanceTo(new Date('2026-05-10T13:30:00+09:00'))
      await ask('DELETE', `/commonserviceitem/${id}`)
      await ask('DELETE', `/appliance/${gateway}`)
      await clock.advanceTo(new Date('2027-05-10T00:00:00+09:00'))
      // 2 days and 90 minutes of the SIM: 3 days begun; 90 minutes of the gateway: 2 hours begun.
      assert.deepEqual(await all(), [
        {
          month: '2026-05',
          state: 'unpaid',
          amount: 33 + 10,
          lines: ['50010 × 178200 = 33', '50060 × 5400 = 10'],
        },
      ])
    })

    test('show the names that resources had last, also of those that are gone', async (t) => {
      const { ask, create, days, bills, bill } = await openBilling(t, engine)
      const gateway = await create('old name')
      await ask('PUT', `/appliance/${gateway}`, { body: { Appliance: { Name: 'new name' } } })
      await days(1)
      await ask('DELETE', `/appliance/${gateway}`)
      await days(1)
      const [{ BillID } = { BillID: 0 }] = await bills()
      const csv = (await bill(`/billdetail/mem00001/${BillID}/csv`)).body.Body
      assert.match(csv, /"new name"/)
    })

    test('take traffic of a closed month into the open one, in one record a SIM, carrier and month', async (t) => {
      const { clock, traffic, all, database } = await useAll(t, engine)
      for (let report = 0; report < 20; report += 1) await traffic(1, MIB, 0)
      const records = () =>
        database.read(
          async (tx) =>
            (await tx.all(raw('SELECT * FROM usage_count WHERE product = 50011'))).length,
        )
      assert.equal(await records(), 1)
      await clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      await traffic(1, MIB, 0)
      assert.equal(await records(), 2)
      await clock.advanceTo(new Date('2026-06-01T00:00:00+09:00'))
      const traffics = (await all()).map(({ lines }) => lines.find((line) => /^50011/.test(line)))
      assert.deepEqual(traffics, [`50011 × ${MIB} = 6`, `50011 × ${35 * MIB} = 210`])
    })

    test('are made without idle ticks through a century in which nothing is used', async (t) => {
      const { ask, clock, all, create } = await openBilling(t, engine)
      const gateway = await create()
      await clock.advanceTo(new Date(clock.now().getTime() + HOUR_MS))
      await ask('DELETE', `/appliance/${gateway}`)
      const fired = await clock.advanceTo(new Date('2126-04-28T09:00:00+09:00'))
      assert.ok(fired.length < 50, `${fired.length} jobs ran`)
      assert.deepEqual(
        (await all()).map(({ amount }) => amount),
        [5],
      )
    })
  })
}
