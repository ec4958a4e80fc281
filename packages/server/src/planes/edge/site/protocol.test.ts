import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protocolAction } from './protocol.ts'

const PLAIN = { isTls: false, host: 'www.example.jp', target: '/a%20b?c=%2F&d', tlsPort: 443 }

test('takes both protocols', () => {
  assert.equal(protocolAction('both', PLAIN), undefined)
})

test('refuses plain HTTP, or sends it to https with path, query and port', () => {
  assert.deepEqual(protocolAction('https', PLAIN), { status: 403 })
  assert.deepEqual(protocolAction('redirect', PLAIN), {
    status: 301,
    location: 'https://www.example.jp/a%20b?c=%2F&d',
  })
  assert.deepEqual(protocolAction('redirect', { ...PLAIN, target: '//x', tlsPort: 8444 }), {
    status: 301,
    location: 'https://www.example.jp:8444//x',
  })
})

test('takes TLS in all cases', () => {
  for (const protocol of ['both', 'https', 'redirect'] as const) {
    assert.equal(protocolAction(protocol, { ...PLAIN, isTls: true }), undefined)
  }
})
