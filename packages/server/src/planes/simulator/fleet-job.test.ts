import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import { deviceOf, trafficOf } from '../../services/sim/public.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { iccidOf, openSims } from '../../testing/sims.ts'

const STEP_MS = 300_000
const START = Date.UTC(2026, 2, 31, 15)

describe('a simulated device', () => {
  test('is a function of seed, card and step, and of nothing else', () => {
    const carriers = ['a', 'b', 'c']
    assert.deepEqual(deviceOf('s', iccidOf(1), carriers), deviceOf('s', iccidOf(1), carriers))
    assert.match(deviceOf('s', iccidOf(1), carriers).imei, /^\d{15}$/)
    assert.notDeepEqual(deviceOf('s', iccidOf(1), carriers), deviceOf('s', iccidOf(2), carriers))
    assert.deepEqual(trafficOf('s', iccidOf(1), START), trafficOf('s', iccidOf(1), START))
    const others = [
      trafficOf('t', iccidOf(1), START),
      trafficOf('s', iccidOf(2), START),
      trafficOf('s', iccidOf(1), START + STEP_MS),
    ]
    for (const other of others) assert.notDeepEqual(other, trafficOf('s', iccidOf(1), START))
  })

  test('sends more by day than by night in Japan', () => {
    const sum = (hour: number) => {
      let bytes = 0
      for (let day = 0; day < 30; day += 1) {
        for (let step = 0; step < 12; step += 1) {
          const at = START + day * DAY_MS + hour * HOUR_MS + step * STEP_MS
          bytes += trafficOf('s', iccidOf(1), at).uplinkBytes
        }
      }
      return bytes
    }
    assert.ok(sum(14) > 2 * sum(2))
  })
})

for (const engine of engines) {
  describe(`a fleet on ${engine.name}`, () => {
    const fleet = { version: 1, fleet: [{ iccid_from: iccidOf(0), count: 10, seed: 's' }] }

    test('lives by itself: attaches what is registered, and counts each step once', async (t) => {
      const { ready, register, operator, clock, status, put } = await openSims(t, engine)
      const [one, two, outside] = [await ready(1), await register(2), await ready(11)]
      await operator('POST', '/world', { body: fleet })
      const advance = (steps: number) =>
        clock.advanceTo(new Date(clock.now().getTime() + steps * STEP_MS))
      await advance(0)
      const states = async () =>
        Promise.all([one, two, outside].map(async (id) => (await status(id)).session_status))
      assert.deepEqual(await states(), ['UP', 'DOWN', 'DOWN'])
      const device = deviceOf('s', iccidOf(1), ['carrier-a', 'carrier-b', 'carrier-c'])
      assert.equal((await status(one)).connected_imei, device.imei)
      await advance(3)
      let uplink = 0
      for (let step = 0; step < 3; step += 1) {
        uplink += trafficOf('s', iccidOf(1), START + step * STEP_MS).uplinkBytes
      }
      assert.equal((await status(one)).traffic_bytes_of_current_month.uplink_bytes, uplink)
      // One that loses its session comes back in the next step.
      await put(one, 'deactivate')
      await put(one, 'activate')
      assert.equal((await status(one)).session_status, 'DOWN')
      await advance(1)
      assert.equal((await status(one)).session_status, 'UP')
    })

    test('is moved by a month in few runs, and each step is counted as if there had been one for it', async (t) => {
      const { ready, operator, clock, ask } = await openSims(t, engine)
      const id = await ready(1)
      await operator('POST', '/world', { body: fleet })
      await clock.advanceTo(clock.now())
      const fired = await clock.advanceTo(new Date(START + 31 * DAY_MS))
      const runs = Map.groupBy(fired, ({ name }) => name)
      assert.ok((runs.get('fleet')?.length ?? 0) <= 6, `${runs.get('fleet')?.length} runs`)
      // Bills are made every day.
      assert.ok(fired.length <= 31 + 30, `${fired.length} runs of all jobs`)
      const span = {
        Start: new Date(START).toISOString(),
        End: new Date(START + 31 * DAY_MS).toISOString(),
      }
      const { Data } = (await ask('GET', `/commonserviceitem/${id}/sim/metrics${search(span)}`))
        .body
      const steps = Array.from({ length: 31 * 288 }, (_, n) => START + n * STEP_MS)
      assert.equal(Object.keys(Data).length, steps.length)
      for (const [n, shown] of Object.values<Record<string, number>>(Data).entries()) {
        const { uplinkBytes } = trafficOf('s', iccidOf(1), steps[n] ?? 0)
        assert.equal(shown.UplinkBps, (uplinkBytes * 8) / 300)
      }
    })

    test('is quiet where the world names none', async (t) => {
      const { ready, clock, log } = await openSims(t, engine)
      const id = await ready(1)
      await clock.advanceTo(new Date(clock.now().getTime() + 3 * STEP_MS))
      assert.deepEqual(await log(id), [])
    })
  })
}
