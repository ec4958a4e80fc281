import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDiskFull } from './full-disk.ts'

test('knows a full disk by what the system says, also as a cause', () => {
  assert.throws(() => writeFileSync('/dev/full', 'x'), isDiskFull)
  assert.throws(
    () => writeFileSync('/nowhere/file', 'x'),
    (error) => !isDiskFull(error),
  )
  const cause = Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' })
  assert.ok(isDiskFull(new Error('the file could not be kept', { cause })))
  assert.ok(!isDiskFull('ENOSPC'))
})
