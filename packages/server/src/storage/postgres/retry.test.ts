import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { pause } from '../../kernel/clock.ts'
import { MAX_ATTEMPTS, retry } from './retry.ts'

const failure = (code: string) => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })
const collision = () => failure('40001')

/** The first to end wins, as in the database: those that ran meanwhile have collided with it. */
function hotRow() {
  let version = 0
  return {
    attempts: 0,
    async change(): Promise<number> {
      this.attempts += 1
      const seen = version
      await pause(2)
      if (seen !== version) throw collision()
      version += 1
      return version
    },
  }
}

test('many that change one row at once are all done, with few attempts', async () => {
  const row = hotRow()
  const versions = await Promise.all(Array.from({ length: 60 }, () => retry(() => row.change())))
  assert.equal(new Set(versions).size, 60)
  // Tried side by side, each success would fail all others.
  assert.ok(row.attempts < 60 * 4, `${row.attempts} attempts`)
})

test('what collides each time is 503 in the end, and leaves others alone', async () => {
  let attempts = 0
  const never = retry(async () => {
    attempts += 1
    throw collision()
  })
  const row = hotRow()
  assert.equal(await retry(() => row.change()), 1)
  await assert.rejects(never, { message: /change the same thing at once/ })
  assert.equal(attempts, MAX_ATTEMPTS)
})

test('a key that is there each time is the error that it is', async () => {
  let attempts = 0
  const error = failure('23505')
  const never = retry(async () => {
    attempts += 1
    throw error
  })
  await assert.rejects(never, (thrown) => thrown === error)
  assert.equal(attempts, MAX_ATTEMPTS)
})
