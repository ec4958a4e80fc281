import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isMailAddress, MAIL_ADDRESS_LENGTH_MAX, parseMailbox } from './mail-address.ts'

const label = 'a'.repeat(63)
const longest = `a@${label}.${label}.${label}.${'a'.repeat(60)}`

describe('isMailAddress', () => {
  for (const address of [
    'a@b',
    'owner@example.jp',
    "o'neil+tag@mail.example.co.jp",
    'first.last@xn--eckwd4c7c.jp',
    `${'a'.repeat(64)}@example.jp`,
    longest,
  ]) {
    test(`is true for ${address.slice(0, 40)}`, () => assert.equal(isMailAddress(address), true))
  }
  for (const address of [
    '',
    'owner',
    '@example.jp',
    'owner@',
    'a@b@c',
    '.a@example.jp',
    'a.@example.jp',
    'a..b@example.jp',
    'a@-example.jp',
    'a@example-.jp',
    'a@example..jp',
    'a@[192.0.2.1]',
    '"a b"@example.jp',
    'a b@example.jp',
    'a@example.jp ',
    'a@example.jp\n',
    'a@example.jp\r\nBcc: b@example.jp',
    'a@example.jp>\r\nRCPT TO:<b@example.jp',
    'a@example.jp,b@example.jp',
    '持ち主@example.jp',
    'a@例え.jp',
    `${'a'.repeat(65)}@example.jp`,
    `a@${label}a.jp`,
    `a${longest}`,
  ]) {
    test(`is false for ${JSON.stringify(address.slice(0, 40))}`, () =>
      assert.equal(isMailAddress(address), false))
  }
  test('ends at the length of RFC 5321', () =>
    assert.equal(longest.length, MAIL_ADDRESS_LENGTH_MAX))
})

describe('parseMailbox', () => {
  test('takes an address alone or with a name', () => {
    assert.deepEqual(parseMailbox('a@b.jp'), { name: '', address: 'a@b.jp' })
    assert.deepEqual(parseMailbox('雲居 <a@b.jp>'), { name: '雲居', address: 'a@b.jp' })
    assert.deepEqual(parseMailbox('<a@b.jp>'), { name: '', address: 'a@b.jp' })
  })
  for (const text of [
    '',
    'a',
    'a <b>',
    'a\r\nb <a@b.jp>',
    'x "y" <a@b.jp>',
    `${'n'.repeat(101)} <a@b.jp>`,
  ]) {
    test(`refuses ${JSON.stringify(text.slice(0, 30))}`, () =>
      assert.equal(parseMailbox(text), undefined))
  }
})
