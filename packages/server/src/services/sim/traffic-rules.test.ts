import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { STEP_MS } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { addTraffic, NO_TRAFFIC, newTraffic } from './session-rules.ts'
import { mergeSteps, packDay, unpackDay } from './traffic-rules.ts'

const DAY = Date.UTC(2026, 3, 1)
const bytes = fc.oneof(
  fc.nat(100_000),
  fc.nat({ max: 2 ** 31 - 1 }).map((n) => n * 2 ** 20),
)
const traffic = fc.record({ uplinkBytes: bytes, downlinkBytes: bytes })

const day = fc
  .uniqueArray(fc.nat(DAY_MS / STEP_MS - 1), { maxLength: 288 })
  .chain((places) =>
    fc.tuple(
      ...places
        .sort((a, b) => a - b)
        .map((place) => traffic.map((one) => ({ at: DAY + place * STEP_MS, ...one }))),
    ),
  )

describe('a packed day', () => {
  test('gives back exactly the steps that went in', () => {
    fc.assert(fc.property(day, (steps) => assert.deepEqual(unpackDay(DAY, packDay(steps)), steps)))
  })

  test('is small: a day of small steps takes two kilobytes', () => {
    const steps = Array.from({ length: 288 }, (_, place) => ({
      at: DAY + place * STEP_MS,
      uplinkBytes: 1000 + place,
      downlinkBytes: 500,
    }))
    assert.ok(packDay(steps).length <= 2048)
  })

  test('merged in any order and in any parts is the same day', () => {
    fc.assert(
      fc.property(day, fc.nat(288), (steps, cut) => {
        const whole = mergeSteps(steps)
        assert.deepEqual(mergeSteps(steps.slice(cut), steps.slice(0, cut)), whole)
      }),
    )
  })
})

describe('reports of a session', () => {
  test('in any order and with repeats count what the largest of each counter says', () => {
    fc.assert(
      fc.property(fc.array(traffic), (reports) => {
        const counted = reports.reduce(
          (sum, report) => addTraffic(sum, newTraffic(sum, report)),
          NO_TRAFFIC,
        )
        const largest = (of: keyof typeof NO_TRAFFIC) =>
          Math.max(0, ...reports.map((report) => report[of]))
        assert.deepEqual(counted, {
          uplinkBytes: largest('uplinkBytes'),
          downlinkBytes: largest('downlinkBytes'),
        })
      }),
    )
  })
})
