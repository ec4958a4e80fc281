import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrozenClock, pause, RunningClock } from './clock.ts'
import { DAY_MS } from './units.ts'

const start = new Date('2026-04-01T00:00:00+09:00')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)

describe('FrozenClock', () => {
  test('stands still', async () => {
    const clock = new FrozenClock(start)
    await pause(5)
    assert.deepEqual(clock.now(), start)
  })

  test('runs what falls due in order, each at its own time, and says what it was', async () => {
    const clock = new FrozenClock(start)
    const seen: [string, Date][] = []
    const note = (name: string) => async () => void seen.push([name, clock.now()])
    clock.at(later(30), 'c', note('c'))
    clock.at(later(10), 'a', note('a'))
    clock.at(later(10), 'b', note('b'))
    clock.at(later(31), 'd', note('d'))
    const fired = await clock.advanceTo(later(30))
    assert.deepEqual(seen, [
      ['a', later(10)],
      ['b', later(10)],
      ['c', later(30)],
    ])
    assert.deepEqual(fired, [
      { name: 'a', at: later(10) },
      { name: 'b', at: later(10) },
      { name: 'c', at: later(30) },
    ])
    assert.deepEqual(clock.pending(), [{ name: 'd', at: later(31) }])
  })

  test('runs what is set on the way, when that falls due on the way too', async () => {
    const clock = new FrozenClock(start)
    const seen: string[] = []
    clock.at(later(1), 'first', async () => {
      clock.at(later(2), 'second', async () => void seen.push('second'))
    })
    await clock.advanceTo(later(2))
    assert.deepEqual(seen, ['second'])
  })

  test('answers only when all of it is done', async () => {
    const clock = new FrozenClock(start)
    let done = false
    clock.at(later(1), 'slow', async () => {
      await pause(10)
      done = true
    })
    await clock.advanceTo(later(1))
    assert.ok(done)
  })

  test('runs what is already due without being moved', async () => {
    const clock = new FrozenClock(start)
    const ran = new Promise<void>((resolve) => {
      clock.at(start, 'now', async () => resolve())
    })
    await ran
    assert.deepEqual(clock.now(), start)
  })

  test('forgets what is cancelled, and never goes back', async () => {
    const clock = new FrozenClock(start)
    const seen: string[] = []
    clock.at(later(1), 'x', async () => void seen.push('x')).cancel()
    await clock.advanceTo(later(5))
    await clock.advanceTo(later(2))
    assert.deepEqual(seen, [])
    assert.deepEqual(clock.now(), later(5))
  })
})

describe('RunningClock', () => {
  test('runs alarms at their time, sooner when it is scaled', async () => {
    const clock = new RunningClock(1000)
    assert.equal(clock.mode, 'scaled')
    const from = clock.now()
    const at = await new Promise<Date>((resolve) => {
      clock.at(new Date(from.getTime() + 20_000), 'x', async () => resolve(clock.now()))
      // An alarm alone keeps no process alive; this test has to.
      void pause(200)
    })
    assert.ok(at.getTime() - from.getTime() >= 20_000)
  })

  test('does not run what is cancelled', async () => {
    const clock = new RunningClock()
    let ran = false
    clock
      .at(clock.now(), 'x', async () => {
        ran = true
      })
      .cancel()
    await pause(10)
    assert.equal(ran, false)
  })
})

describe('RunningClock with an alarm in the far future', () => {
  test('waits in pieces that a timer can hold', async (t) => {
    const warnings: string[] = []
    const note = (warning: Error) => void warnings.push(warning.name)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const clock = new RunningClock()
    let ran = false
    const years = new Date(clock.now().getTime() + 100 * 365 * DAY_MS)
    const alarm = clock.at(years, 'far', async () => {
      ran = true
    })
    await pause(20)
    alarm.cancel()
    assert.deepEqual([ran, warnings], [false, []])
  })
})
