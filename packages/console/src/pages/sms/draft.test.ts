import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitsOf, problemsOf } from './draft.ts'

const draft = { sender: 'Acme', domain: '', otp: '', way: 'generate' } as const

test('a number may be written as people write it, and is sent as digits', () => {
  for (const destination of [
    '+81 90-1234-5678',
    '819012345678',
    ' +81 (90) 1234.5678 ',
    '＋８１ 90 1234 5678',
  ]) {
    assert.equal(digitsOf(destination), '819012345678')
    assert.deepEqual(problemsOf({ ...draft, destination }), {})
  }
})

test('what is no number stays a problem', () => {
  for (const destination of [
    '',
    '+',
    '090-1234-5678',
    '+81 90',
    '81+9012345678',
    'call me',
    '1234567890123456',
  ]) {
    assert.notEqual(problemsOf({ ...draft, destination }).destination, undefined, destination)
  }
})
