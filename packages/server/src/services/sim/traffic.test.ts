import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { GATEWAY, IMEI, iccidOf, openSims } from '../../testing/sims.ts'
import { Carriers, Devices } from './public.ts'

const MINUTE_MS = 60_000

for (const engine of engines) {
  describe(`traffic on ${engine.name}`, () => {
    test('is counted for the session, the SIM and the gateway, and the network is told', async (t) => {
      const cloud = await openSims(t, engine)
      const { ready, attach, traffic, status, operator, inGateways, clock, networks } = cloud
      const [one] = [await ready(1), await ready(2)]
      await attach(1)
      await attach(2)
      await traffic(1, 1000, 10)
      await traffic(1, 500, 5)
      await traffic(2, 7, 0)
      assert.deepEqual((await status(one)).traffic_bytes_of_current_month, {
        uplink_bytes: 1500,
        downlink_bytes: 15,
      })
      const { sessions } = (await operator('GET', '/sessions?{"Sort":["iccid"]}')).body
      assert.deepEqual([sessions[0].uplink_bytes, sessions[0].downlink_bytes], [1500, 15])
      assert.deepEqual(await inGateways((sims) => sims.monthTraffic(GATEWAY, clock.now())), {
        uplinkBytes: 1507,
        downlinkBytes: 15,
      })
      assert.equal(networks.told.filter((line) => line === `counted gateway ${GATEWAY}`).length, 3)
    })

    test('counts the calendar month in Japan', async (t) => {
      const { ready, attach, traffic, status, clock, inGateways } = await openSims(t, engine)
      await clock.advanceTo(new Date('2026-04-30T23:59:59+09:00'))
      const id = await ready(1)
      await attach(1)
      await traffic(1, 100, 0)
      await clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      const month = async () => (await status(id)).traffic_bytes_of_current_month.uplink_bytes
      assert.equal(await month(), 0)
      await traffic(1, 7, 0)
      assert.equal(await month(), 7)
      const gateway = await inGateways((sims) => sims.monthTraffic(GATEWAY, clock.now()))
      assert.equal(gateway.uplinkBytes, 7)
    })

    test('is reported as a total of the session: repeats, late ones and those of an old session add nothing', async (t) => {
      const { ready, status, put, clock, database, networks } = await openSims(t, engine)
      const id = await ready(1)
      const devices = new Devices(database, networks, new Carriers(['carrier-a']))
      const admission = await devices.attach(
        iccidOf(1),
        { imei: IMEI, carrier: 'carrier-a' },
        clock.now(),
      )
      assert.ok(admission.accepted)
      const report = (uplinkBytes: number, downlinkBytes: number) =>
        devices.report(
          iccidOf(1),
          admission.session.id,
          { uplinkBytes, downlinkBytes },
          clock.now(),
        )
      const used = async () => Object.values((await status(id)).traffic_bytes_of_current_month)
      await report(100, 10)
      await report(100, 10)
      assert.deepEqual(await used(), [100, 10])
      await report(300, 30)
      await report(200, 20)
      assert.deepEqual(await used(), [300, 30])
      // One counter may be ahead of the other when reports cross.
      await report(250, 40)
      assert.deepEqual(await used(), [300, 40])
      await put(id, 'reconnect')
      await report(9999, 9999)
      assert.deepEqual(await used(), [300, 40])
    })

    test('concurrent reports are all counted', async (t) => {
      const { ready, attach, traffic, status } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      const answers = await Promise.all(Array.from({ length: 20 }, () => traffic(1, 3, 1)))
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
      assert.equal((await status(id)).traffic_bytes_of_current_month.uplink_bytes, 60)
    })
  })

  describe(`metrics on ${engine.name}`, () => {
    test('give bits a second for steps of five minutes that are over and have data', async (t) => {
      const { ready, attach, traffic, ask, clock } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      const read = async (query: object = {}, path = 'metrics') =>
        (await ask('GET', `/commonserviceitem/${id}/sim/${path}${search(query)}`)).body.Data
      await clock.advanceTo(new Date('2026-04-01T00:07:00+09:00'))
      await traffic(1, 300, 600)
      await traffic(1, 300, 0)
      assert.deepEqual(await read(), {})
      await clock.advanceTo(new Date('2026-04-01T00:10:00+09:00'))
      const step = { '2026-04-01T00:05:00+09:00': { UplinkBps: 16, DownlinkBps: 16 } }
      assert.deepEqual(await read(), step)
      assert.deepEqual(await read({}, 'metrics/monitor'), step)
      assert.deepEqual(await read({ Start: null, End: null }), step)
      const at = (time: string) => `2026-04-01T${time}.000+09:00`
      assert.deepEqual(await read({ Start: at('00:05:00'), End: at('00:10:00') }), step)
      assert.deepEqual(await read({ Start: at('00:05:01'), End: at('00:10:00') }), {})
      assert.deepEqual(await read({ Start: at('00:00:00'), End: at('00:05:00') }), {})
    })

    test('answer 400 for no datetime, Start after End and more than 31 days; 31 are allowed', async (t) => {
      const { register, ask } = await openSims(t, engine)
      const id = await register(1)
      const read = (query: object) =>
        ask('GET', `/commonserviceitem/${id}/sim/metrics${search(query)}`)
      const day = (text: string) => `${text}T00:00:00.000+09:00`
      for (const query of [
        { Start: 'yesterday' },
        { End: '' },
        { Start: 5 },
        { Start: day('2026-03-02'), End: day('2026-03-01') },
        { Start: '2026-02-28T23:59:59.999+09:00', End: day('2026-04-01') },
      ]) {
        assert.equal((await read(query)).status, 400, JSON.stringify(query))
      }
      assert.equal((await read({ Start: day('2026-03-01'), End: day('2026-04-01') })).status, 200)
    })

    test('stay the same while the journal is packed into days, late bytes included, until they are forgotten', async (t) => {
      const { cloud, ready, attach, traffic, ask, clock, database, networks } = await openSims(
        t,
        engine,
      )
      const id = await ready(1)
      await attach(1)
      const start = clock.now()
      for (let step = 0; step < 5; step += 1) {
        await traffic(1, 300 * (step + 1), 37.5 * 8)
        await clock.advanceTo(new Date(clock.now().getTime() + 5 * MINUTE_MS))
      }
      const query = search({ Start: start.toISOString(), End: '2026-04-03T00:00:00+09:00' })
      const read = async () =>
        (await ask('GET', `/commonserviceitem/${id}/sim/metrics${query}`)).body.Data
      const before = await read()
      assert.equal(Object.keys(before).length, 5)
      const rows = (table: string) =>
        database.read(async (tx) => (await tx.all(raw(`SELECT * FROM ${table}`))).length)
      await clock.advanceTo(new Date('2026-04-01T12:00:00+09:00'))
      assert.deepEqual([await rows('traffic_step'), await rows('traffic_day')], [0, 1])
      assert.deepEqual(await read(), before)
      // A report that comes late counts in its own step, though that is packed already.
      const wake = (job: string) => cloud.jobs.wake(job)
      const devices = new Devices(database, networks, new Carriers(['carrier-a']), wake)
      const session = await devices.findSession(iccidOf(1))
      assert.ok(session)
      const late = { uplinkBytes: session.uplinkBytes + 300, downlinkBytes: 0 }
      await devices.report(iccidOf(1), session.id, late, start)
      const first = '2026-04-01T00:00:00+09:00'
      const after = { ...before, [first]: { ...before[first], UplinkBps: 16 } }
      assert.deepEqual(await read(), after)
      await clock.advanceTo(new Date('2026-04-02T12:00:00+09:00'))
      assert.equal(await rows('traffic_step'), 0)
      assert.deepEqual(await read(), after)
      assert.equal(await rows('session_log'), 1)
      await clock.advanceTo(new Date('2026-06-03T12:00:00+09:00'))
      assert.equal(await rows('traffic_day'), 0)
      await clock.advanceTo(new Date('2026-07-05T12:00:00+09:00'))
      assert.equal(await rows('session_log'), 0)
    })
  })
}
