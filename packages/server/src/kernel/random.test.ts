import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomDigits, randomHex, randomSecret, SeededRandom, systemRandom } from './random.ts'

describe('SeededRandom', () => {
  test('gives the same sequence for the same seed, another for another', () => {
    const sequence = (seed: string) => {
      const random = new SeededRandom(seed)
      return [random.bytes(3), random.bytes(5)].map((bytes) => bytes.toString('hex')).join()
    }
    assert.equal(sequence('a'), sequence('a'))
    assert.notEqual(sequence('a'), sequence('b'))
  })
})

describe('randomDigits', () => {
  test('gives each digit as often as the others', () => {
    const digits = randomDigits(new SeededRandom('digits'), 100_000)
    assert.match(digits, /^\d{100000}$/)
    for (const digit of '0123456789') {
      const share = digits.split(digit).length - 1
      assert.ok(share > 9_600 && share < 10_400, `${digit}: ${share}`)
    }
  })
})

describe('randomHex and randomSecret', () => {
  test('have the length that is asked for, and enough entropy', () => {
    assert.match(randomHex(systemRandom, 32), /^[0-9a-f]{32}$/)
    assert.match(randomHex(systemRandom, 5), /^[0-9a-f]{5}$/)
    assert.equal(Buffer.from(randomSecret(systemRandom), 'base64url').length, 32)
    assert.notEqual(randomSecret(systemRandom), randomSecret(systemRandom))
  })
})
