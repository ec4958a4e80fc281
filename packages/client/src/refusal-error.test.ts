import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusalError } from './refusal-error.ts'

const refusal = { code: 'conflict', status: 409, message: 'It is active already.', serial: '1' }

test('an error of another copy of the package is one, too', async () => {
  // Another address, another copy, as CommonJS is beside modules.
  const address = new URL('./refusal-error.ts?copy', import.meta.url).href
  const other: typeof import('./refusal-error.ts') = await import(address)
  assert.notEqual(other.RefusalError, RefusalError)
  const error: unknown = new other.RefusalError('simActivate', refusal)
  assert.ok(error instanceof RefusalError)
  assert.equal(error.refusal.code, 'conflict')
  assert.equal(new Error('RefusalError') instanceof RefusalError, false)
  assert.equal({ name: 'RefusalError' } instanceof RefusalError, false)
})
