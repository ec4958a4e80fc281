import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { oneKey } from './encryption-key.ts'
import { SecretBox } from './secret-box.ts'

const box = (fill: number) => new SecretBox(oneKey(Buffer.alloc(32, fill)))

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

  test('seals under the newest key, and opens under those that are there', () => {
    const [first, second] = [1, 2].map((fill) => Buffer.alloc(32, fill))
    assert.ok(first && second)
    const old = new SecretBox(oneKey(first))
    const both = new SecretBox([
      { id: '2026-11', bytes: second },
      { id: '', bytes: first },
    ])
    const before = old.seal('secret', 'row 1')
    assert.equal(both.open(before, 'row 1'), 'secret')
    assert.equal(both.isNewest(before), false)
    const after = both.seal('secret', 'row 1')
    assert.match(after, /^2026-11:/)
    assert.equal(both.isNewest(after), true)
    assert.equal(new SecretBox([{ id: '2026-11', bytes: second }]).open(after, 'row 1'), 'secret')
    assert.throws(() => old.open(after, 'row 1'), /the key 2026-11, which is not known/)
    assert.throws(() => both.open(`other${after.slice(7)}`, 'row 1'), /the key other/)
  })

  test('refuses a key of another length', () => {
    assert.throws(() => new SecretBox(oneKey(Buffer.alloc(31))), /has 32 bytes/)
  })
})
