import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SecretBox } from './secret-box.ts'

const box = (fill: number) => new SecretBox(Buffer.alloc(32, fill))

describe('SecretBox', () => {
  test('opens what it sealed, and shows nothing of it', () => {
    const one = box(1)
    const sealed = one.seal('日本 secret', 'row 1')
    assert.equal(one.open(sealed, 'row 1'), '日本 secret')
    assert.ok(!Buffer.from(sealed, 'base64').toString('latin1').includes('secret'))
  })

  test('does not open under another key, for another owner, or when changed', () => {
    const sealed = box(1).seal('secret', 'row 1')
    assert.throws(() => box(2).open(sealed, 'row 1'))
    assert.throws(() => box(1).open(sealed, 'row 2'))
    const bytes = Buffer.from(sealed, 'base64')
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    assert.throws(() => box(1).open(bytes.toString('base64'), 'row 1'))
  })

  test('uses another nonce for every other text and owner', () => {
    const nonce = (text: string, owner: string) => box(1).seal(text, owner).slice(0, 16)
    const nonces = [nonce('x', 'row'), nonce('y', 'row'), nonce('x', 'row 2'), nonce('2 x', 'row')]
    assert.equal(new Set(nonces).size, nonces.length)
    assert.notEqual(nonce('x', 'row'), box(2).seal('x', 'row').slice(0, 16))
  })

  test('refuses a key of another length', () => {
    assert.throws(() => new SecretBox(Buffer.alloc(31)), /has 32 bytes/)
  })
})
