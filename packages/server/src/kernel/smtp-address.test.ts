import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLoopback, parseSmtpAddress, smtpText } from './smtp-address.ts'

describe('parseSmtpAddress', () => {
  test('takes host, port, kind of TLS and login', () => {
    assert.deepEqual(parseSmtpAddress('smtps://mail.example.jp'), {
      ...{ host: 'mail.example.jp', port: 465, isSmtps: true, login: undefined },
    })
    assert.deepEqual(parseSmtpAddress('smtp://me%40a.jp:p%3A%2F@[::1]:2525/'), {
      ...{ host: '::1', port: 2525, isSmtps: false },
      login: { user: 'me@a.jp', password: 'p:/' },
    })
    assert.equal(parseSmtpAddress('smtp://localhost')?.port, 587)
  })
  for (const text of [
    '',
    'mail.example.jp:25',
    'https://mail.example.jp',
    'smtp://',
    'smtp://user@mail.example.jp',
    'smtp://:secret@mail.example.jp',
    'smtp://mail.example.jp/path',
    'smtp://mail.example.jp?tls=none',
    'smtp://mail.example.jp:99999',
    'smtp://a:b%0d%0aQUIT@mail.example.jp',
    'smtp://a:%ff@mail.example.jp',
    `smtp://${'a'.repeat(2048)}`,
  ]) {
    test(`refuses ${text.slice(0, 50)}`, () => assert.equal(parseSmtpAddress(text), undefined))
  }
  test('is shown without its secret', () => {
    const address = parseSmtpAddress('smtp://user:secret@[::1]:25')
    assert.equal(address && smtpText(address), 'smtp://[::1]:25')
  })
})

test('isLoopback knows this machine', () => {
  assert.deepEqual(['localhost', '127.0.0.1', '127.8.8.8', '::1'].map(isLoopback), [
    true,
    true,
    true,
    true,
  ])
  assert.deepEqual(['127.example.jp', '10.0.0.1', 'mail'].map(isLoopback), [false, false, false])
})
