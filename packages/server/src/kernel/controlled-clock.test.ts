import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrozenClock, pause, RunningClock } from './clock.ts'
import { ControlledClock } from './controlled-clock.ts'
import { DAY_MS } from './units.ts'

const start = new Date('2026-04-01T00:00:00+09:00')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)

describe('ControlledClock', () => {
  test('keeps alarms over every change of mode, and runs each once', async () => {
    const clock = new ControlledClock(new RunningClock())
    const from = clock.now()
    const seen: string[] = []
    clock.at(new Date(from.getTime() + DAY_MS), 'a', async () => void seen.push('a'))
    await clock.change(() => ({ to: { mode: 'frozen' }, start: undefined }))
    await clock.change(() => ({ to: { mode: 'scaled', scale: 2 }, start: undefined }))
    await clock.change(() => ({ to: { mode: 'frozen' }, start: undefined }))
    assert.deepEqual(
      clock.pending().map(({ name }) => name),
      ['a'],
    )
    await clock.advance(() => new Date(clock.now().getTime() + 2 * DAY_MS))
    assert.deepEqual([seen, clock.pending()], [['a'], []])
  })

  test('runs what falls due before the new start at its own time', async () => {
    const clock = new ControlledClock(new FrozenClock(start))
    const seen: Date[] = []
    clock.at(later(10), 'a', async () => void seen.push(clock.now()))
    await clock.change(() => ({ to: { mode: 'scaled', scale: 1 }, start: later(60) }))
    assert.deepEqual(seen, [later(10)])
    assert.equal(clock.mode, 'scaled')
    assert.ok(clock.now() >= later(60))
  })

  test('goes on with its scale after a move', async () => {
    const clock = new ControlledClock(new RunningClock(1, start))
    await clock.advanceTo(later(3600))
    assert.deepEqual([clock.mode, clock.scale], ['scaled', 1])
    assert.ok(clock.now() >= later(3600))
  })

  test('adds up moves that are asked for together', async () => {
    const clock = new ControlledClock(new FrozenClock(start))
    const minute = () => new Date(clock.now().getTime() + 60_000)
    await Promise.all([clock.advance(minute), clock.advance(minute)])
    assert.deepEqual(clock.now(), later(120))
  })

  test('is not moved while somebody asks for quiet, and a failed move stops nobody', async () => {
    const clock = new ControlledClock(new FrozenClock(start))
    const refused = clock.advance(() => {
      throw new Error('no')
    })
    const quiet = clock.undisturbed(async () => {
      await pause(5)
      return clock.now()
    })
    const moved = clock.advanceTo(later(1))
    await assert.rejects(refused, /no/)
    assert.deepEqual(await quiet, start)
    await moved
    assert.deepEqual(clock.now(), later(1))
  })

  test('goes back to the time of another world, unless it is real', async () => {
    const clock = new ControlledClock(new FrozenClock(later(60)))
    clock.at(later(90), 'a', async () => undefined)
    clock.goBackTo(start)
    assert.deepEqual(clock.now(), start)
    assert.equal(clock.pending().length, 1)
    await clock.change(() => ({ to: { mode: 'scaled', scale: 1 }, start: later(900) }))
    clock.goBackTo(later(30))
    assert.ok(clock.mode === 'scaled' && clock.now() >= later(30) && clock.now() < later(90))
    const real = new ControlledClock(new RunningClock())
    real.goBackTo(start)
    assert.ok(real.now() > start)
  })

  test('forgets what is cancelled', async () => {
    const clock = new ControlledClock(new FrozenClock(start))
    clock.at(later(1), 'a', async () => assert.fail()).cancel()
    await clock.advanceTo(later(2))
    assert.deepEqual(clock.pending(), [])
  })
})
