import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TooManyRequests } from '../kernel/errors.ts'
import { parseId } from '../kernel/ids.ts'
import { RequestRates } from './request-rate.ts'

test("lets a second's requests through at once, and as many in each second after", () => {
  const state = { now: 0 }
  const rates = new RequestRates({ now: () => new Date(state.now) })
  const [one, other] = [parseId<'account'>('900000000001'), parseId<'account'>('900000000002')]
  assert.ok(one && other)
  /** How many of many come through. */
  const through = (account = one) => {
    for (let count = 0; ; count += 1) {
      const refusal = rates.count(account, 10)
      if (refusal === undefined) continue
      assert.equal(refusal.retryAfterSeconds, 1)
      return count
    }
  }
  assert.equal(through(), 10)
  assert.equal(through(other), 10)
  state.now = 500
  assert.equal(through(), 5)
  state.now = 60_000
  assert.equal(through(), 10, 'what was not used is not saved')
  state.now = 0
  assert.equal(through(), 0, 'a clock that is set back gives nothing')
  state.now = 1000
  assert.equal(through(), 10)
  assert.ok(rates.count(one, 0) instanceof TooManyRequests)
})
