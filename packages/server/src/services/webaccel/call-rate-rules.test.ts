import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { TEST_NOW } from '../../testing/engines.ts'
import { takeCall } from './call-rate-rules.ts'

const HOUR_MS = 3_600_000
const at = (ms: number) => new Date(TEST_NOW.getTime() + ms)

/** Answers with the time to wait for calls at these times, 0 for those that are taken. */
function waits(limit: number, times: readonly number[]): number[] {
  let arrival = 0
  return times.map((ms) => {
    const { arrivalUs, possibleAt } = takeCall(arrival, limit, at(ms))
    arrival = arrivalUs
    return possibleAt === undefined ? 0 : possibleAt.getTime() - at(ms).getTime()
  })
}

/** Limits that divide an hour into whole milliseconds, which the model can count with. */
const limits = fc.constantFrom(1, 2, 3, 20, 500, 3600, 100_000)
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(HOUR_MS * 2)), {
  maxLength: 200,
})
const timesOf = (steps: readonly number[]) => {
  let time = 0
  return steps.map((step) => {
    time += step
    return time
  })
}

describe('takeCall', () => {
  test('takes what a bucket of as many tokens, filled once an hour, would give', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, steps) => {
        const interval = HOUR_MS / limit
        let tokensMs = HOUR_MS
        let last = 0
        const times = timesOf(steps)
        const expected = times.map((time) => {
          tokensMs = Math.min(HOUR_MS, tokensMs + time - last)
          last = time
          if (tokensMs < interval) return interval - tokensMs
          tokensMs -= interval
          return 0
        })
        assert.deepEqual(waits(limit, times), expected)
      }),
    )
  })

  test('gives exactly the limit at once, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (limit) => {
        const taken = waits(limit, Array(limit + 1).fill(0))
        assert.equal(taken.lastIndexOf(0), limit - 1)
      }),
    )
  })

  test('takes a call at the time that a refusal names, and not a millisecond before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), (limit) => {
        const full = Array(limit).fill(0)
        const wait = waits(limit, [...full, 0]).at(-1) ?? 0
        assert.ok(wait > 0)
        assert.equal(waits(limit, [...full, wait]).at(-1), 0)
        assert.notEqual(waits(limit, [...full, wait - 1]).at(-1), 0)
      }),
    )
  })

  test('takes calls at once when the clock was set back further than calls can use up', () => {
    const now = new Date(Date.UTC(2026, 3, 1))
    const ahead = (hours: number) => (now.getTime() + hours * 3_600_000) * 1000
    assert.equal(takeCall(ahead(24), 10, now).possibleAt, undefined)
    assert.notEqual(takeCall(ahead(1), 10, now).possibleAt, undefined)
  })
})
