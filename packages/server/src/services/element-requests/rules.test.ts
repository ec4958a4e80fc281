import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secondsAfter } from '../../kernel/units.ts'
import { outcomeOf, RETRY_SECONDS, UNAVAILABLE_SECONDS, unavailableUntil } from './rules.ts'

const NOW = new Date('2026-04-01T00:00:00Z')
const answered = { reason: undefined, answeredAt: NOW, retryAt: undefined }

describe('the outcome of a request', () => {
  test('is what the element answers', () => {
    const ack = outcomeOf({ kind: 'disconnect', attempts: 3 }, { answer: 'ack' }, NOW)
    assert.deepEqual(ack, { state: 'ack', errorCause: undefined, ...answered })
    const errorCause = 'Administratively-Prohibited'
    const nak = outcomeOf({ kind: 'coa', attempts: 1 }, { answer: 'nak', errorCause }, NOW)
    assert.deepEqual(nak, { state: 'nak', errorCause, ...answered })
  })

  test('is done when the element does not know the session that should end', () => {
    for (const errorCause of ['Session-Context-Not-Found', '503']) {
      const answer = { answer: 'nak', errorCause } as const
      const end = outcomeOf({ kind: 'disconnect', attempts: 1 }, answer, NOW)
      assert.deepEqual(end, { state: 'ack', errorCause, ...answered })
      assert.equal(outcomeOf({ kind: 'coa', attempts: 1 }, answer, NOW).state, 'nak')
    }
  })

  test('waits longer each time while there is no answer, and is given up at last', () => {
    const none = { answer: 'none', reason: 'silence' } as const
    const left = { errorCause: undefined, reason: 'silence', answeredAt: undefined }
    for (const [index, wait] of RETRY_SECONDS.entries()) {
      assert.deepEqual(outcomeOf({ kind: 'coa', attempts: index + 1 }, none, NOW), {
        ...{ state: 'waiting', ...left, retryAt: secondsAfter(NOW, wait) },
      })
    }
    const attempts = RETRY_SECONDS.length + 1
    assert.deepEqual(outcomeOf({ kind: 'disconnect', attempts }, none, NOW), {
      ...{ state: 'no_answer', ...left, retryAt: undefined },
    })
  })
})

describe('requests that cannot be sent', () => {
  const until = (...waited: number[]) => {
    const created = waited.map((seconds) => secondsAfter(NOW, -seconds))
    return (unavailableUntil(created, NOW).getTime() - NOW.getTime()) / 1000
  }

  test('are tried again after half the time that the newest has waited, within limits', () => {
    const { least, most } = UNAVAILABLE_SECONDS
    assert.deepEqual([until(0), until(2 * least), until(2 * least + 2)], [least, least, least + 1])
    assert.deepEqual(
      [until(2 * most - 2), until(2 * most), until(9 * most)],
      [most - 1, most, most],
    )
    assert.equal(until(9 * most, 2 * least + 10), least + 5)
  })
})
