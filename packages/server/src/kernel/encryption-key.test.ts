import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseKeyFile } from './encryption-key.ts'
import { Signer } from './signer.ts'

const [one, two] = [1, 2].map((fill) => Buffer.alloc(32, fill))
assert.ok(one && two)
const [first, second] = [one.toString('base64'), two.toString('base64')]

describe('the key file', () => {
  test('holds one key without an id, or several with ids, the newest first', () => {
    assert.deepEqual(parseKeyFile(`${first}\n`), [{ id: '', bytes: one }])
    assert.deepEqual(parseKeyFile(`2026-11:${second}\r\n\n${first}\n`), [
      { id: '2026-11', bytes: two },
      { id: '', bytes: one },
    ])
  })

  test('says what is wrong, and in which line', () => {
    assert.equal(parseKeyFile(''), 'must hold 32 bytes in base64')
    assert.equal(parseKeyFile('c2hvcnQ='), 'must hold 32 bytes in base64')
    assert.equal(parseKeyFile(`${first}\na:c2hvcnQ=`), 'must hold 32 bytes in base64 in line 2')
    assert.equal(parseKeyFile(`\n${first}\n\na:x`), 'must hold 32 bytes in base64 in line 4')
    assert.equal(parseKeyFile(`${first} # old`), 'must hold 32 bytes in base64')
    assert.match(String(parseKeyFile(`A B:${first}`)), /an id of small letters/)
    assert.match(String(parseKeyFile(`:${first}`)), /an id of small letters/)
    assert.equal(parseKeyFile(`a:b:${first}`), 'must hold 32 bytes in base64')
    assert.equal(parseKeyFile(`${first}\n${second}`), 'holds two keys without an id')
    assert.equal(parseKeyFile(`a:${first}\na:${second}`), 'holds two keys with the id a')
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `k${index}:${first}`).join('\n')
    assert.equal(parseKeyFile(many(16)).length, 16)
    assert.equal(parseKeyFile(many(17)), 'holds more than 16 keys')
  })
})

test('a signature under an older key is good while that key is in the file', () => {
  const old = { id: '', bytes: one }
  const signed = new Signer([old], 'test').sign('content')
  const both = new Signer([{ id: 'new', bytes: two }, old], 'test')
  assert.ok(both.isSigned('content', signed))
  assert.notEqual(both.sign('content'), signed)
  assert.ok(!new Signer([{ id: 'new', bytes: two }], 'test').isSigned('content', signed))
  assert.ok(!new Signer([old], 'another purpose').isSigned('content', signed))
})
