/** A month in a moment: a gateway passes its quota, its owner gets a notice, the month ends and is billed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudFor } from 'kumoi/testing'

const ACCOUNT = '900000000001'
const ICCID = '8981040000000000001'
/** The product in the price list. */
const SIM_BASE_FEE = 50010

const world = {
  version: 1,
  accounts: [
    {
      id: ACCOUNT,
      code: 'acme',
      name: 'Acme',
      member: { code: 'mem00001', class: 'member' },
      keys: [{ token: 't', secret: 's', permission: 'create', external: ['bill'] }],
    },
  ],
  sim_cards: [{ iccid: ICCID, passcode: 'pass000001' }],
  sims: [
    { account: 'acme', activated: true, CommonServiceItem: { Name: 'meter', Status: { ICCID } } },
  ],
  gateways: [{ account: 'acme', zone: 'is1a', Appliance: { Name: 'meters' }, sims: [ICCID] }],
}

test('a passed quota is noticed, and the month is billed', async (t) => {
  const cloud = await cloudFor(t, { world, clock: new Date('2026-04-20T00:00:00+09:00') })
  const { orThrow } = cloud.client
  const [gateway] = (await orThrow.gatewayList()).Appliances
  const params = { appliance_id: gateway?.ID ?? '' }
  await orThrow.gatewayTrafficControlUpdate({
    params,
    body: {
      traffic_monitoring_config: {
        traffic_quota_in_mb: 10,
        auto_traffic_shaping: true,
        bandwidth_limit_in_kbps: 64,
        email_config: { enabled: true },
      },
    },
  })

  const meter = cloud.device(ICCID)
  await meter.attach()
  await meter.traffic({ uplink: 4_000_000, downlink: 8_000_000 })
  const notice = await cloud.notices.waitFor({ channel: 'email' })
  assert.match(notice.text, /meters .* has passed its traffic quota of 10 MB: 12 MB in 2026-04/)
  const during = await orThrow.gatewayTrafficRead({ params })
  assert.equal(during.traffic_status.traffic_shaping, true)

  // Midnight in Japan: the month of use ends there, and with it the shaping.
  await cloud.clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
  const after = await orThrow.gatewayTrafficRead({ params })
  assert.equal(after.traffic_status.traffic_shaping, false)
  const april = { account_id: ACCOUNT, year: '2026', month: '4' }
  const [bill] = (await orThrow.billListOfMonth({ params: april })).Bills
  assert.ok(bill !== undefined)

  const { BillDetails } = await orThrow.billDetailList({
    params: { member_code: 'mem00001', bill_id: String(bill.BillID) },
  })
  const total = BillDetails.reduce((sum, { Amount }) => sum + Amount, 0)
  assert.equal(total, bill.Amount)
  assert.ok(BillDetails.some(({ ServiceClassID }) => ServiceClassID === SIM_BASE_FEE))

  // It is final: what is used in May is on another one.
  await meter.traffic({ downlink: 50_000_000 })
  await cloud.clock.advance({ days: 3 })
  assert.equal((await orThrow.billListOfMonth({ params: april })).Bills[0]?.Amount, bill.Amount)
})
