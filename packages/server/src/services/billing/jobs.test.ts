import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountId } from '../../kernel/ids.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import { sql } from '../../storage/sql.ts'
import { openBilling } from '../../testing/billing.ts'
import { engines } from '../../testing/engines.ts'
import { WEBACCEL } from '../../testing/webaccel.ts'
import { AccountStore } from '../account/public.ts'
import { Meter, PeriodStore } from '../metering/public.ts'
import { SMS_MESSAGE } from '../pricing/public.ts'
import { billingJob } from './jobs.ts'
import { makeBill } from './making.ts'
import { BillStore } from './store.ts'

const MAY = new Date('2026-05-01T00:00:00+09:00')
const JUNE = new Date('2026-06-01T00:00:00+09:00')
const JULY = new Date('2026-07-01T00:00:00+09:00')

const SITE = {
  account: 'acme',
  Site: {
    ID: '900000001001',
    Name: 'www',
    DomainType: 'own_domain',
    Domain: 'www.example.jp',
    OriginType: '0',
    OriginProtocol: 'https',
    Origin: 'origin.example.jp',
  },
}
const delivered = (month: string, BytesSent: number) => ({
  ...{ site: SITE.Site.ID, month, BytesSent },
  ...{ AccessCount: 1, CacheMissBytesSent: 0 },
})

for (const engine of engines) {
  describe(`the billing job on ${engine.name}`, () => {
    test('goes on where a crash has left it, and again changes nothing', async (t) => {
      const { cloud, create, days, bills, database, clock } = await openBilling(t, engine)
      await create()
      await days(1)
      await cloud.jobs.stop()
      const month = new Date('2026-04-01T00:00:00+09:00')
      const crashed = { openMonth: MAY, closingMonth: month, billedUntil: MAY }
      await database.write((tx) => new PeriodStore(tx).set(crashed))
      assert.deepEqual(await billingJob.nextDue?.(database, MAY), month)
      await clock.advanceTo(MAY)
      assert.match(await billingJob.run(database, MAY), /^1 months closed/)
      const [final] = await bills()
      // From the 28th, 9:00, to the end of the month: three days begun.
      assert.deepEqual([final?.Amount, final?.Date.slice(0, 7)], [165, '2026-04'])
      assert.match(await billingJob.run(database, MAY), /^0 months closed/)
      assert.deepEqual(await bills(), [final])
    })

    test('bills each event once, also those that come while their month is closed', async (t) => {
      const { cloud, database, clock, all } = await openBilling(t, engine)
      await cloud.jobs.stop()
      await clock.advanceTo(MAY)
      const { id: accountId } = await database.read((tx) => new AccountStore(tx).getByCode('acme'))
      const late = new Date(MAY.getTime() - 1)
      const use = { accountId, resourceId: 'r', name: 'codes', product: SMS_MESSAGE }
      const count = (n: number) =>
        database.write((tx) => new Meter(tx).count(use, `event ${n}`, late))
      await count(0)
      const work = Array.from({ length: 60 }, (_, n) => () => count(n + 1))
      work.splice(30, 0, () => billingJob.run(database, MAY).then(() => undefined))
      await Promise.all(work.map((one) => one()))
      await billingJob.run(database, JUNE)
      const amounts = (await all()).map(({ amount }) => amount)
      assert.equal(
        amounts.reduce((total, yen) => total + yen, 0),
        61 * 11,
      )
    })

    test('makes the bills of all others when one fails, and that one when it can be made', async (t) => {
      const { cloud, database } = await openBilling(t, engine)
      await cloud.jobs.stop()
      const [acme, other] = await database.read((tx) => new AccountStore(tx).list())
      assert.ok(acme && other)
      const count = (
        accountId: AccountId,
        resourceId: string,
        product: typeof SMS_MESSAGE,
        at: Date,
      ) =>
        database.write((tx) =>
          new Meter(tx).count({ accountId, resourceId, name: 'codes', product }, 'event', at),
        )
      const late = new Date(MAY.getTime() - 1)
      await count(acme.id, 'a', { ...SMS_MESSAGE, serviceClassId: 99 }, late)
      await count(other.id, 'b', SMS_MESSAGE, late)
      await count(other.id, 'c', SMS_MESSAGE, MAY)
      const finals = async ({ id }: { id: AccountId }) => {
        const bills = await database.read((tx) => new BillStore(tx, id).list(new Date(0), JULY))
        return bills.filter(({ state }) => state !== 'pending').length
      }
      await assert.rejects(billingJob.run(database, MAY), /bill of acme could not be made/)
      assert.deepEqual([await finals(acme), await finals(other)], [0, 1])
      // The next month is closed though a bill of this one is still missing.
      await assert.rejects(billingJob.run(database, JUNE), /bill of acme could not be made/)
      assert.deepEqual([await finals(acme), await finals(other)], [0, 2])
      const again = new Date(JUNE.getTime() + HOUR_MS)
      assert.deepEqual(await billingJob.nextDue?.(database, JUNE), again)
      await database.write((tx) =>
        tx.run(
          sql`UPDATE usage_count SET product = ${SMS_MESSAGE.serviceClassId} WHERE product = 99`,
        ),
      )
      await billingJob.run(database, again)
      assert.deepEqual([await finals(acme), await finals(other)], [1, 2])
      const due = await billingJob.nextDue?.(database, JUNE)
      assert.ok(due === undefined || due > again)
    })

    test('leaves a final bill alone, whatever is made of its month again', async (t) => {
      const { create, bills, database, clock } = await openBilling(t, engine)
      await create()
      await clock.advanceTo(MAY)
      const before = await bills()
      const month = new Date('2026-04-01T00:00:00+09:00')
      const made = await database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode('acme')
        return makeBill(tx, account, { month, until: MAY, isFinal: false })
      })
      assert.equal(made, 0)
      assert.deepEqual(await bills(), before)
    })

    test('bills what sites have delivered as the monthly usage prices it', async (t) => {
      const { operator, inject, clock, all } = await openBilling(t, engine)
      const usage = [delivered('202603', 54_000_000_000), delivered('202604', 99_000_000_000)]
      const world = { version: 1, sites: [SITE], site_usage: usage }
      assert.equal((await operator('POST', '/world', { body: world })).status, 200)
      await clock.advanceTo(MAY)
      const authorization = `Basic ${btoa('acme-token:acme-token-secret')}`
      const priceOf = async (month: string) =>
        (
          await inject('GET', `${WEBACCEL}/monthlyusage?target=${month}`, {
            headers: { authorization },
          })
        ).body.MonthlyUsages[0].Price
      const prices = [await priceOf('202604'), await priceOf('202603')]
      assert.deepEqual(prices, [461, 251])
      assert.deepEqual(
        (await all()).map(({ month, amount, state }) => [month, amount, state]),
        [
          ['2026-04', prices[0], 'unpaid'],
          ['2026-03', prices[1], 'unpaid'],
        ],
      )
    })

    test('makes no second bill of declared usage where the world declares the bill', async (t) => {
      const { operator, clock, all, create } = await openBilling(t, engine)
      const declared = (BillID: number, month: string) => ({
        account: 'acme',
        Bill: {
          ...{ BillID, Date: `${month}-01T00:00:00+09:00`, PayLimit: '2026-07-31T00:00:00+09:00' },
          ...{ Paid: false, Amount: 1100 },
        },
        details: [{ Index: 0, ContractID: 'x', ServiceClassID: 50060, Usage: 1, Amount: 1100 }],
      })
      const lines = async () => (await all()).map(({ month, lines }) => [month, ...lines])
      const usage = ['202604', '202605'].map((month) => delivered(month, 54_000_000_000))
      const bills = [declared(1000001, '2026-04')]
      const world = { version: 1, sites: [SITE], site_usage: usage, bills }
      assert.equal((await operator('POST', '/world', { body: world })).status, 200)
      await clock.advanceTo(new Date('2026-05-02T09:00:00+09:00'))
      const april = ['2026-04', '50060 × 1 = 1100']
      assert.deepEqual(await lines(), [['2026-05', '50070 × 54000000000 = 251'], april])
      // Declared while there is a bill of ours: that one goes. What is really used is still billed.
      bills.push(declared(1000002, '2026-05'))
      await operator('POST', '/world', { body: world })
      await clock.advanceTo(new Date('2026-05-03T09:00:00+09:00'))
      const may = ['2026-05', '50060 × 1 = 1100']
      assert.deepEqual(await lines(), [may, april])
      await create()
      await clock.advanceTo(JUNE)
      const [metered, ...rest] = (await lines()).filter(([month]) => month !== '2026-06')
      assert.deepEqual([metered?.length, rest], [2, [may, april]])
    })

    test('bills through a snapshot and a reset', async (t) => {
      const { operator, create, days, all } = await openBilling(t, engine)
      await create()
      await days(1)
      await operator('POST', '/snapshots', { body: { name: 'before' } })
      await days(10)
      const bills = await all()
      assert.equal((await operator('POST', '/snapshots/before/load')).status, 200)
      await days(10)
      assert.deepEqual(await all(), bills)
    })
  })
}
