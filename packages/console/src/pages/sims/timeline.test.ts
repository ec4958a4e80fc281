import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spansOf } from './timeline.ts'

const entry = (session_status: string, second: number) => ({
  session_status,
  date: new Date(second * 1000).toISOString(),
})

test('a log, newest first, becomes spans of connection, the last of which may still last', () => {
  const log = [
    entry('Created', 50),
    entry('Deleted', 40),
    entry('Created', 10),
    entry('Deleted', 5),
  ]
  assert.deepEqual(spansOf(log, 60_000), [{ from: 10_000, to: 40_000 }, { from: 50_000 }])
  assert.deepEqual(spansOf([], 1), [])
})
