import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadRequest, TooManyRequests } from '../../kernel/errors.ts'
import { checkDay, checkDestination, dayWindow, destinationWindow } from './limit-rules.ts'
import { MAGIC, planFor, THROTTLED_TRIES } from './network-rules.ts'
import { checkReachable, DESTINATION_PATTERN, OTP_PATTERN, retryDelaySeconds } from './rules.ts'

const now = new Date('2026-04-01T12:00:00+09:00')
const validUntil = new Date('2026-04-01T12:10:00+09:00')
const secondsOf = (check: () => void) => {
  try {
    check()
  } catch (error) {
    return error instanceof TooManyRequests ? error.retryAfterSeconds : error
  }
  return undefined
}

describe('DESTINATION_PATTERN', () => {
  test('takes 7 to 15 digits that begin with a country code', () => {
    const rule = new RegExp(DESTINATION_PATTERN)
    for (const right of ['1234567', '123456789012345', '819012345678']) assert.match(right, rule)
    for (const wrong of [
      '123456',
      '1234567890123456',
      '09012345678',
      '+819012345678',
      '8190-1234',
    ]) {
      assert.doesNotMatch(wrong, rule)
    }
  })
})

describe('OTP_PATTERN', () => {
  test('takes 1 to 16 letters or digits', () => {
    const rule = new RegExp(OTP_PATTERN)
    for (const right of ['1', 'aZ09', 'x'.repeat(16)]) assert.match(right, rule)
    for (const wrong of ['', 'x'.repeat(17), 'a b', 'é', '１', '1\n'])
      assert.doesNotMatch(wrong, rule)
  })
})

describe('checkReachable', () => {
  test('lets mobile numbers of an allowed country through, and no others', () => {
    for (const number of ['819012345678', '818012345678', '817012345678', '816012345678']) {
      checkReachable(number, ['81'])
    }
    for (const number of [
      '81312345678',
      '8190123456789',
      '81901234567',
      '12025550123',
      '8112345',
    ]) {
      assert.throws(() => checkReachable(number, ['81']), BadRequest, number)
    }
  })

  test('asks for a possible length where no plan is known', () => {
    checkReachable('1202555', ['81', '1'])
    assert.throws(() => checkReachable('6512345', ['65']), BadRequest)
    checkReachable('65123456', ['65'])
  })
})

describe('retryDelaySeconds', () => {
  test('doubles up to a minute', () => {
    assert.deepEqual([0, 1, 2, 5, 6, 7, 50].map(retryDelaySeconds), [1, 2, 4, 32, 60, 60, 60])
  })
})

describe('limits', () => {
  test('tell how long until the window of a destination has room', () => {
    assert.equal(
      secondsOf(() => checkDestination(undefined, 5, now)),
      undefined,
    )
    const oldest = new Date(now.getTime() - 590_500)
    assert.equal(
      secondsOf(() => checkDestination(oldest, 5, now)),
      10,
    )
    assert.equal(destinationWindow(now).getTime(), now.getTime() - 600_000)
  })

  test('tell how long until the next day in Japan', () => {
    assert.equal(
      secondsOf(() => checkDay(false, 5, now)),
      undefined,
    )
    assert.equal(
      secondsOf(() => checkDay(true, 5, now)),
      12 * 3600,
    )
    assert.equal(dayWindow(now).toISOString(), '2026-03-31T14:59:59.999Z')
  })
})

describe('planFor', () => {
  const plan = (destination: string, retryCount = 0, magic = true) =>
    planFor({ destination, retryCount, validUntil }, 'deliver', 2, magic, now)
  const report = (outcome: string, at: Date) => ({ answer: 'accepted', report: { outcome, at } })
  const soon = new Date(now.getTime() + 2000)

  test('follows the settings', () => {
    const handed = { destination: '819012345678', retryCount: 0, validUntil }
    assert.deepEqual(planFor(handed, 'deliver', 2, true, now), report('Delivered', soon))
    assert.deepEqual(planFor(handed, 'fail', 2, true, now), report('Failed', soon))
    const held = planFor(handed, 'hold', 2, true, now)
    assert.deepEqual(held, { answer: 'accepted', report: undefined })
  })

  test('gives each magic destination its fate', () => {
    assert.deepEqual(plan(MAGIC.refused), { answer: 'refused' })
    assert.deepEqual(plan(MAGIC.failed), report('Failed', soon))
    assert.deepEqual(plan(MAGIC.expired), report('Failed', validUntil))
    assert.deepEqual(plan(MAGIC.neverReported), { answer: 'accepted', report: undefined })
    assert.equal(plan(MAGIC.throttled, THROTTLED_TRIES - 1).answer, 'throttled')
    assert.deepEqual(plan(MAGIC.throttled, THROTTLED_TRIES), report('Delivered', soon))
    assert.equal(plan(MAGIC.alwaysThrottled, 99).answer, 'throttled')
    assert.deepEqual(plan(MAGIC.early), report('Delivered', now))
  })

  test('knows no magic where it is locked off, though every such number passes the strict policy', () => {
    for (const destination of Object.values(MAGIC)) {
      assert.deepEqual(plan(destination, 0, false), report('Delivered', soon))
      checkReachable(destination, ['81'])
    }
  })
})
