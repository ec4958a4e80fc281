import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthEndOf } from './month-end.ts'

test('a month ends at midnight of the next one in Japan', () => {
  assert.equal(monthEndOf('2026-03-31T15:00:00Z'), '2026-04-30T15:00:00.000Z')
  assert.equal(monthEndOf('2026-12-31T14:59:59Z'), '2026-12-31T15:00:00.000Z')
})
