import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as der from './der.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the DER encoder', () => {
  test('writes lengths in the shortest form', () => {
    const headOf = (size: number) => hex(der.octetString(Buffer.alloc(size)).subarray(0, 5))
    assert.equal(hex(der.octetString(Buffer.alloc(0))), '0400')
    assert.equal(headOf(127), '047f000000')
    assert.equal(headOf(128), '0481800000')
    assert.equal(headOf(255), '0481ff0000')
    assert.equal(headOf(256), '0482010000')
    assert.equal(headOf(65_536), '0483010000')
  })

  test('writes integers in the shortest form that is not negative', () => {
    assert.equal(hex(der.integer(0)), '020100')
    assert.equal(hex(der.integer(127)), '02017f')
    assert.equal(hex(der.integer(128)), '02020080')
    assert.equal(hex(der.integer(256)), '02020100')
    assert.equal(hex(der.integer(Number.MAX_SAFE_INTEGER)), '02071fffffffffffff')
    assert.equal(hex(der.integer(Buffer.of(0, 0, 1))), '020101')
    assert.equal(hex(der.integer(Buffer.of(0xff, 1))), '020300ff01')
    assert.equal(hex(der.integer(Buffer.of(0, 0))), '020100')
    assert.equal(hex(der.integer(Buffer.of())), '020100')
  })

  test('refuses numbers that it cannot write', () => {
    for (const value of [-1, 1.5, Number.NaN, 2 ** 60]) {
      assert.throws(() => der.integer(value), RangeError)
    }
  })

  test('writes object identifiers', () => {
    assert.equal(hex(der.oid('2.5.4.3')), '0603550403')
    assert.equal(hex(der.oid('1.2.840.10045.4.3.2')), '06082a8648ce3d040302')
    assert.equal(hex(der.oid('2.999')), '06028837')
    for (const dotted of ['', '1', '3.1', '1.2.x', '1..2']) {
      assert.throws(() => der.oid(dotted), RangeError)
    }
  })

  test('writes strings and booleans', () => {
    assert.equal(hex(der.boolean(true)), '0101ff')
    assert.equal(hex(der.boolean(false)), '010100')
    assert.equal(hex(der.utf8String('雲')), '0c03e99bb2')
    assert.equal(hex(der.printableString('Ab')), '13024162')
    assert.throws(() => der.printableString('a*b'), RangeError)
    assert.equal(hex(der.bitString(Buffer.of(0x80), 7)), '03020780')
  })

  test('writes a set in the order of its encodings', () => {
    assert.equal(hex(der.set(der.integer(2), der.integer(1))), '3106020101020102')
    assert.equal(hex(der.sequence(der.integer(2), der.integer(1))), '3006020102020101')
  })

  test('changes from UTCTime to GeneralizedTime with the year 2050', () => {
    const text = (iso: string) => der.time(new Date(iso)).toString('latin1')
    assert.equal(text('2049-12-31T23:59:59.999Z'), '\x17\x0d491231235959Z')
    assert.equal(text('2050-01-01T00:00:00Z'), '\x18\x0f20500101000000Z')
    assert.equal(text('1950-01-01T00:00:00Z'), '\x17\x0d500101000000Z')
    assert.throws(() => text('1949-12-31T23:59:59Z'), RangeError)
    assert.throws(() => der.time(new Date(Number.NaN)), RangeError)
  })

  test('writes context tags', () => {
    assert.equal(hex(der.explicit(0, der.integer(2))), 'a003020102')
    assert.equal(hex(der.implicit(7, Buffer.of(127, 0, 0, 1))), '87047f000001')
  })
})
