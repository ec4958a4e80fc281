import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameSecret } from './constant-time.ts'

test('isSameSecret is true for equal texts and bytes only, whatever their lengths', () => {
  assert.equal(isSameSecret('secret', 'secret'), true)
  assert.equal(isSameSecret('秘密', Buffer.from('秘密')), true)
  assert.equal(isSameSecret('', ''), true)
  for (const other of ['', 'secre', 'secret ', 'Secret', 'secret\0']) {
    assert.equal(isSameSecret('secret', other), false, other)
  }
  for (const length of [255, 256, 257, 1000]) {
    const long = 'x'.repeat(length)
    assert.equal(isSameSecret(long, long), true)
    for (const other of [`${long}x`, long.slice(1), `${long.slice(1)}y`, `${long}\0`]) {
      assert.equal(isSameSecret(long, other), false)
      assert.equal(isSameSecret(other, long), false)
    }
  }
})
