import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corsHeaders, preflightOf } from './cors.ts'

const ANY = { any: true } as const
const LIST = { origins: ['https://a.example.jp', 'https://b.example.jp:8443'] }
const PREFLIGHT = {
  origin: 'https://a.example.jp',
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'x-one, content-type',
}

test('leaves responses and preflights to the origin without rules', () => {
  for (const rules of [undefined, null]) {
    assert.deepEqual(corsHeaders(rules, 'https://a.example.jp'), { drop: [], set: {}, vary: false })
    assert.equal(preflightOf(rules, 'OPTIONS', PREFLIGHT), undefined)
  }
})

test('allows any origin, without the response depending on it', () => {
  const expected = {
    drop: ['access-control-allow-origin'],
    set: { 'access-control-allow-origin': '*' },
    vary: false,
  }
  assert.deepEqual(corsHeaders(ANY, 'https://x.example.jp'), expected)
  assert.deepEqual(corsHeaders(ANY, undefined), expected)
})

test('echoes a listed origin, says that the response depends on it, and drops what the origin said', () => {
  assert.deepEqual(corsHeaders(LIST, 'https://b.example.jp:8443'), {
    drop: ['access-control-allow-origin'],
    set: { 'access-control-allow-origin': 'https://b.example.jp:8443' },
    vary: true,
  })
  const none = { drop: ['access-control-allow-origin'], set: {}, vary: true }
  for (const origin of [undefined, 'https://b.example.jp', 'http://a.example.jp', 'null']) {
    assert.deepEqual(corsHeaders(LIST, origin), none)
  }
})

test('answers a preflight with what it asks for', () => {
  assert.deepEqual(preflightOf(LIST, 'OPTIONS', PREFLIGHT), {
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://a.example.jp',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'x-one, content-type',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  })
  assert.equal(preflightOf(ANY, 'OPTIONS', PREFLIGHT)?.headers['access-control-allow-origin'], '*')
})

test('refuses the preflight of an origin that is not listed', () => {
  const answer = preflightOf(LIST, 'OPTIONS', { ...PREFLIGHT, origin: 'https://c.example.jp' })
  assert.equal(answer?.status, 403)
  assert.equal(answer?.headers['access-control-allow-origin'], undefined)
})

test('takes an OPTIONS request that is no preflight for an ordinary one', () => {
  assert.equal(preflightOf(ANY, 'OPTIONS', { origin: 'https://a.example.jp' }), undefined)
  assert.equal(preflightOf(ANY, 'GET', PREFLIGHT), undefined)
})
