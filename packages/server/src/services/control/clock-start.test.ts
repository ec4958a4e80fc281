import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrozenClock, RunningClock } from '../../kernel/clock.ts'
import { type ClockSetting, ControlledClock } from '../../kernel/controlled-clock.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { openCloud } from '../../testing/cloud.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { startClock } from './clock-start.ts'

const later = (days: number) => new Date(TEST_NOW.getTime() + days * DAY_MS)
const frozenAt = (at: Date): ClockSetting => ({ mode: 'frozen', at })

for (const engine of engines) {
  describe(`a restart on ${engine.name}`, () => {
    const opened = async (t: Parameters<typeof openCloud>[0]) => {
      const { database, operator, clock } = await openCloud(t, { engine })
      const restart = async (setting?: ClockSetting, mustBeReal = false) => {
        const at = setting?.mode === 'frozen' ? setting.at : undefined
        const next = new ControlledClock(
          setting?.mode === 'frozen' ? new FrozenClock(at ?? TEST_NOW) : new RunningClock(),
        )
        await startClock(database, next, { setting, mustBeReal })
        return next
      }
      return { operator, clock, restart }
    }

    test('goes on with a frozen clock where it stood, without a setting or with the same', async (t) => {
      const { operator, restart } = await opened(t)
      await operator('POST', '/clock/advance', { body: { by: '3d' } })
      assert.deepEqual((await restart()).state, { mode: 'frozen', scale: 0, now: later(3) })
      await (await restart(frozenAt(later(4)))).advanceTo(later(9))
      assert.deepEqual((await restart(frozenAt(later(4)))).now(), later(9))
      assert.deepEqual((await restart()).now(), later(9))
    })

    test('goes on with a scaled clock, which has run meanwhile', async (t) => {
      const { operator, clock, restart } = await opened(t)
      await operator('PUT', '/clock', { body: { mode: 'scaled', scale: 1000 } })
      const next = await restart()
      assert.deepEqual([next.mode, next.scale], ['scaled', 1000])
      // The one of before still runs, so that each millisecond that was lost is a second here.
      const old = clock.now()
      assert.ok(next.now() >= old)
      const third = await restart()
      const before = next.now()
      assert.ok(third.now() >= before)
    })

    test('refuses a clock that would go back, unless nothing is there', async (t) => {
      const { operator, restart } = await opened(t)
      const ahead = new Date(new RunningClock().now().getTime() + 30 * DAY_MS)
      await restart(frozenAt(ahead))
      const sentence = /would go back .*Start without --clock.*kumoi reset empty/
      await assert.rejects(restart(frozenAt(later(2))), sentence)
      await assert.rejects(restart({ mode: 'real' }), sentence)
      await assert.rejects(restart(undefined, true), sentence)
      // These name no time, so that they begin where the clock is.
      assert.deepEqual((await restart({ mode: 'frozen', at: undefined })).now(), ahead)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await restart({ mode: 'real' })).mode, 'real')
    })

    test('is where a loaded snapshot has put the clock', async (t) => {
      const { operator, restart } = await opened(t)
      await operator('POST', '/snapshots', { body: { name: 'base' } })
      await operator('POST', '/clock/advance', { body: { by: '3d' } })
      await operator('POST', '/snapshots/base/load')
      assert.deepEqual((await restart()).now(), TEST_NOW)
    })

    test('has a move stored before it is made', async (t) => {
      const { clock, restart } = await opened(t)
      const seen: Date[] = []
      clock.at(later(1), 'look', async () => void seen.push((await restart()).now()))
      await clock.advanceTo(later(2))
      assert.deepEqual(seen, [later(2)])
    })
  })
}
