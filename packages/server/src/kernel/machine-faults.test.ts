import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { machineFaultOf } from './machine-faults.ts'

test('knows a full disk by what the system says, also as a cause', () => {
  assert.throws(
    () => writeFileSync('/dev/full', 'x'),
    (error) => machineFaultOf(error)?.name === 'disk full',
  )
  assert.throws(
    () => writeFileSync('/nowhere/file', 'x'),
    (error) => machineFaultOf(error) === undefined,
  )
  const cause = Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' })
  const outer = new Error('the file could not be kept', { cause })
  assert.equal(machineFaultOf(outer)?.name, 'disk full')
  assert.equal(machineFaultOf('ENOSPC'), undefined)
})

test('says that the outcome is unknown only where the commit was written and not flushed', () => {
  for (const [errcode, code] of [
    [13, 'service_unavailable'],
    [778, 'service_unavailable'],
    [1034, 'internal_server_error'],
  ] as const) {
    const fault = machineFaultOf(Object.assign(new Error('of SQLite'), { errcode }))
    assert.equal(fault?.code, code)
    assert.equal(/not known/.test(fault?.cause.en ?? ''), code === 'internal_server_error')
  }
})
