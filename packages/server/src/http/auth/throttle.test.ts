import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TooManyRequests, Unauthorized } from '../../kernel/errors.ts'
import { type AuthFailure, Throttle, WRONG_BY_NAME_MAX, WRONG_BY_SOURCE_MAX } from './throttle.ts'

const wrong = new Unauthorized('wrong', 'wrong')

function open() {
  const state = { now: 0 }
  const counts: Partial<Record<AuthFailure, number>> = {}
  const throttle = new Throttle({ now: () => new Date(state.now) }, (reason) => {
    counts[reason] = (counts[reason] ?? 0) + 1
  })
  const guess = (clientAddress: string, name = 't') =>
    throttle.guard({ clientAddress }, name, () => Promise.reject(wrong))
  const know = (clientAddress: string, name = 't') =>
    throttle.guard({ clientAddress }, name, async () => 'right')
  const fail = async (times: number, clientAddress: string, name?: (at: number) => string) => {
    for (let at = 0; at < times; at += 1) {
      await assert.rejects(guess(clientAddress, name?.(at)), Unauthorized)
    }
  }
  return { state, counts, throttle, guess, know, fail }
}

describe('Throttle', () => {
  test('answers right and wrong alike after too many wrong ones, until the minute is over', async () => {
    const { state, counts, guess, know, fail } = open()
    await fail(WRONG_BY_NAME_MAX - 1, '192.0.2.1')
    assert.equal(await know('192.0.2.1'), 'right')
    await fail(1, '192.0.2.1')
    state.now = 10_500
    for (const attempt of [know, guess]) {
      await assert.rejects(attempt('192.0.2.1'), (error) => {
        assert.ok(error instanceof TooManyRequests)
        assert.equal(error.retryAfterSeconds, 50)
        return true
      })
    }
    assert.deepEqual(counts, { wrong: WRONG_BY_NAME_MAX, throttled: 2 })
    state.now = 60_000
    assert.equal(await know('192.0.2.1'), 'right')
    await fail(WRONG_BY_NAME_MAX, '192.0.2.1')
  })

  test('does not lock out who uses the token from elsewhere, or another token', async () => {
    const { know, fail, guess } = open()
    await fail(WRONG_BY_NAME_MAX, '192.0.2.1')
    assert.equal(await know('192.0.2.2'), 'right')
    assert.equal(await know('192.0.2.1', 'other'), 'right')
    await assert.rejects(guess('192.0.2.1'), TooManyRequests)
  })

  test('counts a source over all names, known or not', async () => {
    const { know, fail } = open()
    await fail(WRONG_BY_SOURCE_MAX, '192.0.2.1', (at) => `name ${at}`)
    await assert.rejects(know('192.0.2.1', 'never tried'), TooManyRequests)
    assert.equal(await know('192.0.2.2', 'never tried'), 'right')
  })

  test('takes a /64 of IPv6 as one source', async () => {
    const { know, fail } = open()
    const all = ['2001:db8::1', '2001:db8:0:0:ffff::', '2001:db8::2:3:4:5']
    for (let at = 0; at < WRONG_BY_NAME_MAX; at += 1) await fail(1, all[at % 3] ?? '')
    await assert.rejects(know('2001:db8:0:0:1:2:3:4'), TooManyRequests)
    assert.equal(await know('2001:db8:0:1::1'), 'right')
    assert.equal(await know('::1'), 'right')
  })

  test('answers of many guesses at once no more than the limit, and no right one among them', async () => {
    const { throttle } = open()
    const from = { clientAddress: '192.0.2.1' }
    const guesses = Array.from({ length: 3 * WRONG_BY_NAME_MAX }, (_, at) =>
      throttle.guard(from, 't', async () => {
        await new Promise(setImmediate)
        if (at < 2 * WRONG_BY_NAME_MAX) throw wrong
      }),
    )
    const outcomes = (await Promise.allSettled(guesses)).map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.constructor : outcome.status,
    )
    const answered = outcomes.filter((outcome) => outcome === Unauthorized).length
    assert.equal(answered, WRONG_BY_NAME_MAX)
    assert.ok(outcomes.slice(WRONG_BY_NAME_MAX).every((outcome) => outcome === TooManyRequests))
  })

  test('keeps a bounded number of sources, and forgets the oldest first', async () => {
    const { know, fail } = open()
    await fail(WRONG_BY_NAME_MAX, '192.0.2.1')
    await fail(WRONG_BY_NAME_MAX, '192.0.2.2')
    for (let at = 0; at < 9_999; at += 1) await fail(1, `10.0.${at >> 8}.${at & 255}`)
    assert.equal(await know('192.0.2.1'), 'right', 'it has been forgotten')
    await assert.rejects(know('192.0.2.2'), TooManyRequests)
  })
})
