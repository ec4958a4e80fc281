/** Sessions of the operator's devices, of the simulated fleet and of RADIUS, in one gateway. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { basic, search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openRadius } from '../../testing/radius.ts'
import { iccidOf } from '../../testing/sims.ts'

/** Half an hour before a month ends in Japan. */
const START = new Date('2026-04-30T23:30:00+09:00')
const MB = 1_000_000
const [DEVICE, FLEET, RADIUS] = [1, 2, 3]

for (const engine of engines) {
  describe(`sessions of different origin on ${engine.name}`, () => {
    test('are alike in lists, logs, metrics, quotas and bills', async (t) => {
      const cloud = await openRadius(t, engine)
      const { clock, operator, ask, inject, part, sim, add, wait, simStatus } = cloud
      await clock.advanceTo(START)
      const gateway = await cloud.ready('gate')
      const sims = [await sim(DEVICE), await sim(FLEET), await sim(RADIUS)]
      for (const id of sims) await add(gateway, id)
      const fleet = { iccid_from: iccidOf(FLEET), count: 1, seed: 's' }
      await operator('POST', '/world', { body: { version: 1, fleet: [fleet] } })
      await cloud.attach(DEVICE)
      await cloud.authorize(RADIUS)
      await cloud.account(RADIUS, 'r', 'Start')
      await wait(600)
      await cloud.traffic(DEVICE, 6 * MB, MB)
      const used = { 'Acct-Input-Octets': 3 * MB, 'Acct-Output-Octets': MB }
      await cloud.account(RADIUS, 'r', 'Interim-Update', used)

      const { sessions } = (await operator('GET', `/sessions${search({ Sort: ['iccid'] })}`)).body
      const elements = sessions.map((one: { iccid: string; element?: string }) => [
        ...[one.iccid, one.element],
      ])
      assert.deepEqual(elements, [
        [iccidOf(DEVICE), undefined],
        [iccidOf(FLEET), undefined],
        [iccidOf(RADIUS), 'pgw-1'],
      ])
      const { logs } = (await part('GET', gateway, 'sessionlog')).body
      assert.deepEqual(
        logs.map((one: { resource_id: string }) => one.resource_id).toSorted(),
        sims.toSorted(),
      )

      // A step is shown when it is over.
      await wait(300)
      const steps: number[][] = []
      const months: number[] = []
      for (const id of sims) {
        const status = await simStatus(id)
        assert.equal(status.session_status, 'UP')
        const { uplink_bytes, downlink_bytes } = status.traffic_bytes_of_current_month
        months.push(uplink_bytes + downlink_bytes)
        const { Data } = (await ask('GET', `/commonserviceitem/${id}/sim/metrics`)).body
        steps.push(Object.values<{ UplinkBps: number }>(Data).map((step) => step.UplinkBps))
      }
      const ofUplink = (bytes: number) => (bytes * 8) / 300
      assert.deepEqual([steps[0], steps[2]], [[ofUplink(6 * MB)], [ofUplink(3 * MB)]])
      assert.ok((steps[1]?.length ?? 0) > 0)
      assert.deepEqual([months[0], months[2]], [7 * MB, 4 * MB])
      const { traffic_status } = (await part('GET', gateway, 'traffic_status')).body
      const total = months.reduce((sum, bytes) => sum + bytes, 0)
      assert.equal(
        Number(traffic_status.uplink_bytes) + Number(traffic_status.downlink_bytes),
        total,
      )

      const control = { traffic_quota_in_mb: Math.floor(total / MB), auto_traffic_shaping: true }
      const body = { traffic_monitoring_config: control }
      await part('PUT', gateway, 'traffic_monitoring', body)
      const status = (await part('GET', gateway, 'traffic_status')).body.traffic_status
      assert.equal(status.traffic_shaping, true)

      await clock.advanceTo(new Date('2026-05-01T00:10:00+09:00'))
      const bill = async (path: string) => {
        const headers = { authorization: basic('acme-token') }
        return (await inject('GET', `/cloud/zone/is1a/api/system/1.0${path}`, { headers })).body
      }
      const [april] = (await bill('/bill/by-contract/900000000001')).Bills
      const details: Detail[] = (await bill(`/billdetail/mem00001/${april.BillID}`)).BillDetails
      const [device, simulated, real] = sims.map((id) =>
        details.find((one) => one.ContractID === id && one.ServiceClassID !== SIM_ITSELF),
      )
      // Of the same carrier, so of the same product.
      assert.deepEqual([device?.Usage, real?.Usage], [7 * MB, 4 * MB])
      assert.equal(device?.ServiceClassID, real?.ServiceClassID)
      assert.ok((simulated?.Usage ?? 0) >= (months[1] ?? 0))
    })
  })
}

/** The product of having a SIM. */
const SIM_ITSELF = 50_010

interface Detail {
  readonly ContractID: string
  readonly ServiceClassID: number
  readonly Usage: number
}
