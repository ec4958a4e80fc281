import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionFailure, failureOf } from './failure.ts'

const refusal = (status: number) => ({ code: 'x', status, message: 'Kind.\nCause.', serial: 's' })

test('the exit code tells the kind of refusal', () => {
  const codes = [400, 401, 403, 404, 405, 409, 413, 429, 503, 500, 502].map(
    (status) => failureOf(refusal(status)).exitCode,
  )
  assert.deepEqual(codes, [3, 4, 4, 5, 5, 6, 3, 7, 7, 8, 8])
})

test('a refusal is one line with its status and code, and what to do next', () => {
  const failure = failureOf({ ...refusal(429), retryAfterSeconds: 9 })
  assert.equal(failure.message, 'Kind. Cause. (429 x)')
  assert.equal(failure.hint, 'Try again in 9 seconds.')
})

test('a connection that failed is told by its cause', () => {
  const cause = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })
  assert.match(connectionFailure(cause('ECONNREFUSED'))?.message ?? '', /nothing listens there/)
  const untrusted = connectionFailure(cause('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))
  assert.match(untrusted?.message ?? '', /not trusted/)
  assert.match(untrusted?.hint ?? '', /--ca FILE/)
  assert.equal(connectionFailure(new Error('another')), undefined)
})
