import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillSteps, stepsUntil } from './chart-steps.ts'

describe('the span of a chart', () => {
  test('is 24 hours whatever data there is, and its last step is the running one', () => {
    const span = stepsUntil(Date.parse('2026-04-02T12:34:56Z'), 24)
    const at = (text: string) => Date.parse(`2026-04-${text}Z`) / 1000
    assert.deepEqual(
      [span.from, span.to, span.runningFrom],
      [at('01T12:35:00'), at('02T12:35:00'), at('02T12:30:00')],
    )
    const { times, values } = fillSteps(span, new Map([[at('02T12:30:00'), [7, 9]]]), 2)
    assert.equal(times.length, 288)
    assert.deepEqual(
      values.map((list) => [list.length, list[0], list.at(-1)]),
      [
        [288, 0, 7],
        [288, 0, 9],
      ],
    )
  })

  test('does not say zero of a running step that has no data yet', () => {
    const span = { from: 0, to: 200, stepSeconds: 100, runningFrom: 100 }
    assert.deepEqual(fillSteps(span, new Map(), 1).values, [[0, null]])
  })

  test('leaves out what is outside of it', () => {
    const { times, values } = fillSteps(
      { from: 100, to: 400, stepSeconds: 100 },
      new Map([
        [0, [1]],
        [200, [2]],
        [400, [3]],
      ]),
      1,
    )
    assert.deepEqual(times, [100, 200, 300])
    assert.deepEqual(values, [[0, 2, 0]])
  })
})
