import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { japanMonth, japanTime } from '../../kernel/datetime.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import { openCloud } from '../../testing/cloud.ts'
import { openDemo } from '../../testing/demo.ts'
import { engines } from '../../testing/engines.ts'
import { sized } from '../../testing/size.ts'
import { DEMO, monthsBefore } from '../demo.ts'
import { demoWorld, smallDemoWorld } from './demo-world.ts'

/** The middle of a month, its last moment, new year, a leap day, the day after a short month. */
const STARTS = [
  '2026-11-18T10:30:00+09:00',
  '2026-12-31T23:59:30+09:00',
  '2027-01-01T00:00:00+09:00',
  '2028-02-29T12:00:00+09:00',
  '2027-03-01T08:07:00+09:00',
]

interface Named {
  readonly Name: string
}

describe('the demo world', () => {
  test('is a valid world, which a first start takes on trust', async (t) => {
    const { operator } = await openCloud(t)
    for (const world of [demoWorld(new Date()), smallDemoWorld(new Date())]) {
      await operator('POST', '/reset', { body: { to: 'empty' } })
      const applied = await operator('POST', '/world', { body: world })
      assert.equal(applied.status, 200, applied.text)
      const again = await operator('POST', '/world', { body: world })
      for (const { created } of Object.values<{ created: number }>(again.body.changes)) {
        assert.equal(created, 0)
      }
    }
  })

  test('is left out by --world empty, also after a reset', async (t) => {
    const { operator } = await openCloud(t, { config: { worlds: ['empty'] } })
    const accounts = async () => (await operator('GET', '/accounts')).body.accounts
    assert.deepEqual(await accounts(), [])
    assert.equal((await operator('POST', '/reset', { body: { to: 'world' } })).status, 200)
    assert.deepEqual(await accounts(), [])
  })
})

type Opened = Awaited<ReturnType<typeof openDemo>>

/** Of the last months and of the running one, which has its bill from its second day on. */
async function checkBills({ read, now }: Opened): Promise<void> {
  const { Bills } = await read('/system/1.0/bill/by-contract/900000099001')
  const isFirstDay = japanTime(now).slice(8, 10) === '01'
  assert.deepEqual(
    Bills.map(({ Date: date }: { Date: string }) => date),
    [0, 1, 2, 3].slice(isFirstDay ? 1 : 0).map((n) => japanTime(monthsBefore(now, n))),
  )
  assert.deepEqual(
    Bills.slice(-3).map(({ Paid }: { Paid: boolean }) => Paid),
    [false, true, true],
  )
  for (const { BillID, Amount } of Bills) {
    const { BillDetails } = await read(`/system/1.0/billdetail/demo00001/${BillID}`)
    assert.ok(BillDetails.length > 100, `${BillDetails.length} lines`)
    const amounts = BillDetails.map((line: { Amount: number }) => line.Amount)
    assert.equal(
      amounts.reduce((sum: number, one: number) => sum + one),
      Amount,
    )
    const { Body } = await read(`/system/1.0/billdetail/demo00001/${BillID}/csv`)
    for (const name of ['van-01', 'kiosks', 'www']) assert.ok(Body.includes(`"${name}"`), name)
  }
}

async function checkMaintenances({ inject, headers, now }: Opened): Promise<void> {
  const list = async (query: string) =>
    (await inject('GET', `/cloud/api/global/1.0/maintenances${query}`, { headers })).body
      .maintenances
  const all = await list('')
  assert.equal(all.length, 2)
  for (const { start_at } of all) {
    const at = Date.parse(`${start_at.replace(' ', 'T')}+09:00`)
    assert.ok(at > now.getTime() && at < now.getTime() + 21 * DAY_MS, start_at)
  }
  const [related] = await list('?{"Filter":{"search_type":"related"}}')
  assert.equal(related.accounts[0].resources[0].resource_class, 'appliance')
}

async function checkMessages({ read, now }: Opened): Promise<void> {
  const { logs } = (await read(`/cloud/1.1/commonserviceitem/${DEMO.smsId}/esme/logs`)).ESME
  const byStatus = Map.groupBy<string, { status: string }>(logs, ({ status }) => status)
  assert.deepEqual(
    ['Accepted', 'Delivered', 'Failed'].map((status) => byStatus.get(status)?.length),
    [3, 41, 6],
  )
  for (const { sentAt, doneAt } of logs) {
    const age = now.getTime() - Date.parse(sentAt)
    assert.ok(age > 0 && age < 7 * DAY_MS, sentAt)
    assert.ok(doneAt === null || doneAt === '' || Date.parse(doneAt) <= now.getTime(), doneAt)
  }
}

async function checkSites({ read, now }: Opened): Promise<void> {
  for (const before of [1, 2, 3]) {
    const target = japanMonth(monthsBefore(now, before))
    const { MonthlyUsages } = await read(`/webaccel/1.0/monthlyusage?target=${target}`)
    assert.equal(MonthlyUsages.length, 2)
    for (const { AccessCount } of MonthlyUsages) assert.ok(AccessCount > 500_000, target)
  }
  const [{ CertValidNotAfter }] = (await read('/webaccel/1.0/site')).Sites
  const left = CertValidNotAfter - now.getTime()
  assert.ok(left > 0 && left < 21 * DAY_MS, `${left / DAY_MS} days`)
}

async function checkWebhooks({ operator, now }: Opened): Promise<void> {
  const { webhooks } = (await operator('GET', '/outbox/webhooks')).body
  const statuses = webhooks.map((one: { status: string }) => one.status)
  assert.deepEqual(statuses, ['dead', ...Array(23).fill('delivered')])
  for (const { created_at } of webhooks) {
    const age = now.getTime() - Date.parse(created_at)
    assert.ok(age > 0 && age < 2 * DAY_MS, created_at)
  }
}

for (const engine of engines) {
  describe(`the demo world on ${engine.name}`, () => {
    // Dates are counted by no engine, so that a sample of them is enough for the other one.
    for (const start of STARTS.slice(0, engine.name === 'sqlite' ? STARTS.length : sized(5, 1))) {
      test(`is of its time when started at ${start}`, async (t) => {
        const demo = await openDemo(t, engine, start)
        await checkBills(demo)
        await checkMaintenances(demo)
        await checkMessages(demo)
        await checkSites(demo)
        await checkWebhooks(demo)
      })
    }

    test('has sixty SIMs in three gateways and a project, and another account', async (t) => {
      const { read, items, inject, settle, operator } = await openDemo(t, engine)
      const gateways = (await read('/cloud/1.1/appliance')).Appliances
      assert.deepEqual(
        gateways.map(({ Name }: Named) => Name),
        ['meters', 'delivery vans', 'kiosks'],
      )
      assert.deepEqual(
        (await items('iotplatform')).map(({ Name }: Named) => Name),
        ['sensors'],
      )
      const partner = { authorization: `Basic ${btoa('partner-token:partner-secret')}` }
      const path = '/cloud/zone/is1a/api/cloud/1.1/auth-status'
      const { Account } = (await inject('GET', path, { headers: partner })).body
      assert.equal(Account.Code, 'demo-partner')
      await settle()
      // All but the two that are in no network and the two that are refused, and three of the partner.
      assert.equal((await operator('GET', '/sessions')).body.Total, 60 - 4 + 3)
    })

    test('has a gateway at nine tenths of its quota, and none that has passed it', async (t) => {
      for (const [start, least] of [
        ['2026-11-18T10:30:00+09:00', 0.89],
        ['2026-12-31T23:59:30+09:00', 0.89],
        ['2027-01-01T00:00:00+09:00', 0],
      ] as const) {
        const { read } = await openDemo(t, engine, start)
        const { Appliances } = await read('/cloud/1.1/appliance')
        const id = Appliances.find(({ Name }: Named) => Name === 'delivery vans').ID
        const gateway = `/cloud/1.1/appliance/${id}/mobilegateway`
        const config = (await read(`${gateway}/traffic_monitoring`)).traffic_monitoring_config
        const status = (await read(`${gateway}/traffic_status`)).traffic_status
        const used = Number(status.uplink_bytes) + Number(status.downlink_bytes)
        const share = used / (config.traffic_quota_in_mb * 1_000_000)
        assert.ok(share >= least && share <= 0.9, `${start}: ${share}`)
        assert.equal(status.traffic_shaping, false)
      }
    })

    test('has a SIM that is locked and one whose carrier is not allowed, refused with the reason', async (t) => {
      const { operator, settle, read, items } = await openDemo(t, engine)
      await settle()
      for (const [iccid, reason] of [
        [DEMO.lockedIccid, 'imei_locked'],
        [DEMO.barredIccid, 'carrier_not_allowed'],
      ]) {
        const { refusals } = (await operator('GET', `/devices/${iccid}/refusals`)).body
        assert.equal(refusals[0].reason, reason)
        const item = (await items('sim')).find(
          ({ Status }: { Status: { ICCID: string } }) => Status.ICCID === iccid,
        )
        const { sim } = await read(`/cloud/1.1/commonserviceitem/${item.ID}/sim/status`)
        assert.equal(sim.session_status, 'DOWN')
        const { logs } = await read(`/cloud/1.1/commonserviceitem/${item.ID}/sim/sessionlog`)
        assert.equal(logs[0].session_status, 'Deleted')
      }
    })

    test('has the traffic of the whole account, which is that of its SIMs', async (t) => {
      const { operator, read, items } = await openDemo(t, engine)
      type Steps = { uplink_bytes: number }[]
      const traffic = async (span: string): Promise<Steps> =>
        (await operator('GET', `/accounts/demo/traffic?span=${span}`)).body.steps
      assert.equal((await traffic('month')).length, 30)
      const steps = await traffic('day')
      assert.equal(steps.length, 287)
      let bits = 0
      for (const { ID } of await items('sim')) {
        const { Data } = await read(`/cloud/1.1/commonserviceitem/${ID}/sim/metrics`)
        for (const { UplinkBps } of Object.values<{ UplinkBps: number }>(Data)) bits += UplinkBps
      }
      const bytes = steps.reduce((sum, { uplink_bytes }) => sum + uplink_bytes, 0)
      assert.ok(Math.abs((bits * 300) / 8 / bytes - 1) < 0.01, `${bits} bits/s, ${bytes} bytes`)
    })

    test('is made anew by a reset, as of then', async (t) => {
      const { operator, read, now, clock } = await openDemo(t, engine)
      await clock.advanceTo(new Date(now.getTime() + 36 * HOUR_MS))
      const sent = async () =>
        (await read(`/cloud/1.1/commonserviceitem/${DEMO.smsId}/esme/logs`)).ESME.logs[0].sentAt
      const first = Date.parse(await sent())
      assert.equal((await operator('POST', '/reset', { body: { to: 'world' } })).status, 200)
      assert.equal(Date.parse(await sent()), first + 36 * HOUR_MS)
    })

    test('is exported without its past, and can be applied again', async (t) => {
      const { operator } = await openDemo(t, engine)
      const exported = await operator('GET', '/world')
      assert.ok(exported.text.length < 60_000, `${exported.text.length} characters`)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      const applied = await operator('POST', '/world', { body: exported.body })
      assert.equal(applied.status, 200, applied.text)
      assert.equal(applied.body.changes.sims.created, 63)
    })
  })
}
