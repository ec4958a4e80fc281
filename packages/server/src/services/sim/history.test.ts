import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STEP_MS } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { search } from '../../testing/cloud.ts'
import { openDemo } from '../../testing/demo.ts'
import { engines } from '../../testing/engines.ts'
import { DEMO } from '../demo.ts'
import { trafficOf } from './fleet-rules.ts'
import { monthSums } from './history-rules.ts'
import { HistoryStore } from './history-store.ts'

const IN_A_SPAN = (31 * DAY_MS) / STEP_MS

type Steps = Record<string, Record<string, number>>

const total = (data: Steps, field: string) =>
  Object.values(data).reduce((sum, step) => sum + ((step[field] ?? 0) * 300) / 8, 0)

for (const engine of engines) {
  describe(`the computed past of SIMs on ${engine.name}`, () => {
    const open = async (t: Parameters<typeof openDemo>[0]) => {
      const demo = await openDemo(t, engine)
      const { Appliances } = await demo.read('/cloud/1.1/appliance')
      const gateway = Appliances.find(({ Name }: { Name: string }) => Name === 'delivery vans').ID
      const sims = (await demo.read(`/cloud/1.1/appliance/${gateway}/mobilegateway/sims`)).sim
      const van = sims.find(({ iccid }: { iccid: string }) => iccid === DEMO.vanIccid)
      const span = (from: number, to: number) =>
        search({ Start: new Date(from).toISOString(), End: new Date(to).toISOString() })
      const metrics = async (from: number, to: number, id = van.resource_id): Promise<Steps> =>
        (await demo.read(`/cloud/1.1/commonserviceitem/${id}/sim/metrics${span(from, to)}`)).Data
      const monitor = async (from: number, to: number): Promise<Steps> =>
        (await demo.read(`/cloud/1.1/appliance/${gateway}/interface/monitor${span(from, to)}`)).Data
      return { ...demo, gateway, sims, van, metrics, monitor }
    }

    test('has every step of forty days, the same at each reading', async (t) => {
      const { metrics, now } = await open(t)
      const [from, middle] = [now.getTime() - 40 * DAY_MS, now.getTime() - 31 * DAY_MS]
      const last = await metrics(middle, now.getTime())
      assert.equal(Object.keys(last).length, IN_A_SPAN)
      assert.equal(Object.keys(await metrics(from, middle)).length, (9 * DAY_MS) / STEP_MS)
      assert.deepEqual(await metrics(from - DAY_MS, from), {})
      assert.deepEqual(await metrics(middle, now.getTime()), last)
    })

    test('adds up to what the SIM and its gateway say of the month', async (t) => {
      const { van, sims, read, gateway, metrics, monitor, now } = await open(t)
      const month = Date.parse('2026-11-01T00:00:00+09:00')
      const shown = van.traffic_bytes_of_current_month
      const sent = total(await metrics(month, now.getTime()), 'UplinkBps')
      assert.equal(Math.round(sent), shown.uplink_bytes)
      const status = (await read(`/cloud/1.1/appliance/${gateway}/mobilegateway/traffic_status`))
        .traffic_status
      const ofSims = sims.map((sim: typeof van) => sim.traffic_bytes_of_current_month.uplink_bytes)
      assert.equal(
        ofSims.reduce((sum: number, one: number) => sum + one),
        Number(status.uplink_bytes),
      )
      const carried = total(await monitor(month, now.getTime()), 'Send')
      assert.ok(Math.abs(carried - Number(status.uplink_bytes)) < 0.01 * carried)
    })

    test('goes on where the fleet begins to count, each step once', async (t) => {
      const { metrics, clock, now, settle } = await open(t)
      await settle()
      await clock.advanceTo(new Date(now.getTime() + 6 * STEP_MS))
      const data = await metrics(now.getTime() - 6 * STEP_MS, now.getTime() + 6 * STEP_MS)
      const expected = Array.from({ length: 12 }, (_, n) => {
        const at = now.getTime() + (n - 6) * STEP_MS
        return (trafficOf(DEMO.fleetSeed, DEMO.vanIccid, at).uplinkBytes * 8) / 300
      })
      assert.deepEqual(
        Object.values(data).map(({ UplinkBps }) => UplinkBps),
        expected,
      )
    })

    test('comes back with a snapshot, and is cut off when it is too old', async (t) => {
      const { metrics, operator, database, now, van } = await open(t)
      const read = () => metrics(now.getTime() - DAY_MS, now.getTime())
      const before = await read()
      await operator('POST', '/snapshots', { body: { name: 'demo' } })
      const cut = (at: number) => database.write((tx) => new HistoryStore(tx).forget(at, 500))
      await cut(now.getTime() - DAY_MS / 2)
      assert.equal(Object.keys(await read()).length, DAY_MS / 2 / STEP_MS)
      await cut(now.getTime() + DAY_MS)
      assert.deepEqual(await read(), {})
      const found = await database.read((tx) => new HistoryStore(tx).find(van.resource_id))
      assert.equal(found, undefined)
      const loaded = await operator('POST', '/reset', { body: { to: 'demo' } })
      assert.equal(loaded.status, 200, loaded.text)
      assert.deepEqual(await read(), before)
    })
  })
}

describe('the sums of a computed past', () => {
  test('are by the months of Japan, and the same when every step is added', () => {
    const from = Date.parse('2026-10-31T00:00:00+09:00')
    const span = { from, to: from + 2 * DAY_MS }
    const network = { kind: 'gateway', id: '1' } as const
    const history = { simId: '1', iccid: DEMO.vanIccid, seed: 's', network, span }
    const sums = monthSums(history)
    assert.deepEqual([...sums.keys()], ['202610', '202611'])
    let uplinkBytes = 0
    for (let at = from; at < from + DAY_MS; at += STEP_MS) {
      uplinkBytes += trafficOf('s', DEMO.vanIccid, at).uplinkBytes
    }
    assert.equal(sums.get('202610')?.uplinkBytes, uplinkBytes)
  })
})
