import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encode } from './encoding-rules.ts'

const gsm = (segments: number) => ({ encoding: 'GSM 7-bit', segments })
const ucs2 = (segments: number) => ({ encoding: 'UCS-2', segments })

describe('encode', () => {
  test('chooses the GSM alphabet when all characters are in it, else UCS-2', () => {
    assert.deepEqual(encode('Your Acme code is 123456.\n@example.jp #123456'), gsm(1))
    assert.deepEqual(encode('ÄÖÑÜ§¿äöñüàΔΦΓ£$¥ [x] {y} ~ | \\ ^ €'), gsm(1))
    for (const text of ['認証コード', 'ç', '`', '\t', 'é\u0301', '😀']) {
      assert.deepEqual(encode(text), ucs2(1), text)
    }
  })

  test('takes 160 septets alone and 153 in each of several segments', () => {
    assert.deepEqual(encode('a'.repeat(160)), gsm(1))
    assert.deepEqual(encode('a'.repeat(161)), gsm(2))
    assert.deepEqual(encode('a'.repeat(306)), gsm(2))
    assert.deepEqual(encode('a'.repeat(307)), gsm(3))
  })

  test('counts two septets for the extension table and does not cut them apart', () => {
    assert.deepEqual(encode('€'.repeat(80)), gsm(1))
    assert.deepEqual(encode('€'.repeat(81)), gsm(2))
    // 76 of them fill 152 septets; the 153rd stays empty.
    assert.deepEqual(encode('€'.repeat(152)), gsm(2))
    assert.deepEqual(encode('€'.repeat(153)), gsm(3))
    assert.deepEqual(encode(`a${'€'.repeat(152)}`), gsm(2))
    assert.deepEqual(encode(`a${'€'.repeat(152)}aa`), gsm(3))
  })

  test('takes 70 units alone and 67 in each of several segments', () => {
    assert.deepEqual(encode('あ'.repeat(70)), ucs2(1))
    assert.deepEqual(encode('あ'.repeat(71)), ucs2(2))
    assert.deepEqual(encode('あ'.repeat(134)), ucs2(2))
    assert.deepEqual(encode('あ'.repeat(135)), ucs2(3))
  })

  test('does not cut a surrogate pair apart', () => {
    assert.deepEqual(encode('😀'.repeat(35)), ucs2(1))
    assert.deepEqual(encode('😀'.repeat(36)), ucs2(2))
    // 33 pairs fill 66 units; the 67th stays empty.
    assert.deepEqual(encode('😀'.repeat(66)), ucs2(2))
    assert.deepEqual(encode('😀'.repeat(67)), ucs2(3))
  })

  test('never has fewer segments than the units need, nor one more than cutting can cost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const { encoding, segments } = encode(text)
        if (encoding !== 'UCS-2') return
        const least = text.length <= 70 ? 1 : Math.ceil(text.length / 67)
        const most = text.length <= 70 ? 1 : Math.ceil(text.length / 66)
        assert.ok(segments >= least && segments <= most)
      }),
    )
  })
})
