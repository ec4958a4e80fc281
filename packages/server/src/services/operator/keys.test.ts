import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WRONG_BY_NAME_MAX } from '../../http/auth/throttle.ts'
import {
  EDGE_TOKEN,
  NETWORK_TOKEN,
  OPERATOR_TOKEN,
  openCloud,
  type TestCloud,
} from '../../testing/cloud.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EXPIRES = '2026-04-02T00:00:00+09:00'
const PATH = '/accounts/acme/keys/acme-token'

async function keyOf(operator: TestCloud['operator'], token: string) {
  const { keys } = (await operator('GET', '/accounts/acme/keys')).body
  return keys.find((key: { token: string }) => key.token === token)
}

for (const engine of engines) {
  describe(`limits of keys on ${engine.name}`, () => {
    test('has a key end at its time, also one that was used a moment before', async (t) => {
      const { ask, operator, clock } = await openCloud(t, { engine })
      const limited = await operator('PUT', PATH, { body: { expires_at: EXPIRES, note: 'CI' } })
      assert.equal(limited.status, 200)
      assert.deepEqual(
        [limited.body.key.expires_at, limited.body.key.note, limited.body.key.permission],
        ['2026-04-01T15:00:00.000000Z', 'CI', 'create'],
      )
      await clock.advanceTo(new Date(TEST_NOW.getTime() + DAY_MS - 1))
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      await clock.advanceTo(new Date(TEST_NOW.getTime() + DAY_MS))
      const { status, body } = await ask('GET', '/auth-status')
      assert.deepEqual([status, body.error_code], [401, 'unauthorized'])
      assert.match(body.error_msg, /The key expired at 2026-04-01T15:00:00\.000Z\./)
      const wrong = await ask('GET', '/auth-status', { secret: 'x' })
      assert.match(wrong.body.error_msg, /token or its secret is wrong/)
      await operator('PUT', PATH, { body: { expires_at: null } })
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      const key = await keyOf(operator, 'acme-token')
      assert.deepEqual([key.expires_at, key.note], [null, 'CI'])
    })

    test('answers 400 for a limit that is misspelt, and makes no key without it', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const before = (await operator('GET', '/accounts/acme/keys')).body.keys
      const body = { permission: 'view', expire_at: EXPIRES }
      const made = await operator('POST', '/accounts/acme/keys', { body })
      const changed = await operator('PUT', PATH, { body: { allowed_adresses: ['10.0.0.1'] } })
      assert.deepEqual([made.status, changed.status], [400, 400])
      assert.match(made.body.error_msg, /expire_at/)
      assert.match(changed.body.error_msg, /allowed_adresses/)
      assert.deepEqual((await operator('GET', '/accounts/acme/keys')).body.keys, before)
    })

    test('answers 403 with the address seen, and works from the networks of the list', async (t) => {
      const args = ['--trust-proxy', '127.0.0.1']
      const { ask, operator } = await openCloud(t, { engine, args })
      const from = (address: string, options = {}) =>
        ask('GET', '/auth-status', { headers: { 'x-forwarded-for': address, ...options } })
      assert.equal((await from('192.0.2.1')).status, 200)
      const allowed_addresses = ['198.51.100.0/24', '2001:db8::/32']
      await operator('PUT', PATH, { body: { allowed_addresses } })
      for (let call = 0; call < 2; call += 1) {
        assert.equal((await from('198.51.100.7')).status, 200)
        assert.equal((await from('2001:db8::7')).status, 200)
        const { status, body } = await from('192.0.2.1')
        assert.deepEqual([status, body.error_code], [403, 'forbidden'])
        assert.match(body.error_msg, /The key may not be used from 192\.0\.2\.1\./)
      }
      const japanese = await from('192.0.2.1', { 'accept-language': 'ja' })
      assert.match(japanese.body.error_msg, /このキーは 192\.0\.2\.1 からは使えません/)
      await operator('PUT', PATH, { body: { allowed_addresses: [] } })
      assert.equal((await from('192.0.2.1')).status, 200)
    })

    test('creates a key with limits, changes its rights, and says what it may do', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const body = {
        permission: 'view',
        expires_at: EXPIRES,
        allowed_addresses: ['::1'],
        note: 'x',
      }
      const made = (await operator('POST', '/accounts/acme/keys', { body })).body
      assert.deepEqual(made.key.allowed_addresses, ['::1'])
      assert.equal(
        made.key.rights.en,
        'May read; may change nothing. May not read bills. May not use the web accelerator.',
      )
      const changes = { permission: 'arrange', external: ['cdn', 'bill'], allowed_addresses: [] }
      const path = `/accounts/acme/keys/${made.key.token}`
      const { key } = (await operator('PUT', path, { body: changes })).body
      assert.deepEqual(key, await keyOf(operator, made.key.token))
      assert.deepEqual([key.external, key.note], [['bill', 'cdn'], 'x'])
      assert.match(
        key.rights.ja,
        /設定変更ができます。作成と削除はできません。請求情報を参照できます/,
      )
      const status = await ask('GET', '/auth-status', {
        ...{ token: made.key.token, secret: made.secret },
      })
      assert.deepEqual(
        [status.body.Permission, status.body.ExternalPermission],
        [...['arrange', 'bill+cdn']],
      )
    })

    test('refuses broken limits and keys of others', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const cases: [object, RegExp][] = [
        [{ expires_at: 'tomorrow' }, /expires_at must be a time such as/],
        [{ allowed_addresses: ['::1', '10.0.0.1/8'] }, /allowed_addresses\[1\] must be an address/],
        [{ allowed_addresses: Array(33).fill('::1') }, /allowed_addresses/],
        [{ note: 'x'.repeat(256) }, /note/],
        [{ permission: 'all' }, /permission must be one of/],
      ]
      for (const [body, message] of cases) {
        const { status, body: failure } = await operator('PUT', PATH, { body })
        assert.equal(status, 400)
        assert.match(failure.error_msg, message)
      }
      const body = { note: 'x' }
      assert.equal((await operator('PUT', '/accounts/other/keys/acme-token', { body })).status, 404)
      assert.equal((await operator('PUT', '/accounts/acme/keys/nothing', { body })).status, 404)
      const world = `version: 1
accounts:
  - code: acme
    name: Acme
    keys: [ { token: acme-token, permission: view, allowed_addresses: [ x ] } ]`
      const refused = await operator('POST', '/world', { body: world })
      assert.match(
        refused.body.error_msg,
        /world:5: accounts\[0\]\.keys\[0\]\.allowed_addresses\[0\]/,
      )
    })

    test('stay when a world is applied again without them, and are in its export', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const limits = { expires_at: EXPIRES, allowed_addresses: ['192.0.2.0/24'], note: 'by hand' }
      await operator('PUT', PATH, { body: limits })
      const exported = (await operator('GET', '/world')).body
      await operator('POST', '/reset', { body: { to: 'empty' } })
      await operator('POST', '/world', { body: exported })
      await operator('POST', '/world', {
        body: {
          version: 1,
          accounts: [
            { code: 'acme', name: 'Acme', keys: [{ token: 'acme-token', permission: 'view' }] },
          ],
        },
      })
      const key = await keyOf(operator, 'acme-token')
      assert.deepEqual(
        [key.permission, key.expires_at, key.allowed_addresses, key.note],
        ['view', '2026-04-01T15:00:00.000000Z', ['192.0.2.0/24'], 'by hand'],
      )
    })

    test('throttle wrong secrets and unknown tokens alike, by source', async (t) => {
      const args = ['--trust-proxy', '127.0.0.1']
      const { ask, operator } = await openCloud(t, { engine, args })
      const from = (address: string, token: string, secret?: string) =>
        ask('GET', '/auth-status', {
          ...{ token, headers: { 'x-forwarded-for': address } },
          ...(secret !== undefined && { secret }),
        })
      for (const token of ['acme-token', 'nobody']) {
        // Its owner is using it all the time.
        assert.equal((await from('192.0.2.2', 'acme-token')).status, 200)
        for (let attempt = 0; attempt < WRONG_BY_NAME_MAX; attempt += 1) {
          assert.equal((await from('192.0.2.1', token, 'x')).status, 401)
        }
        for (const secret of ['x', undefined]) {
          const { status, headers, body } = await from('192.0.2.1', token, secret)
          assert.deepEqual([status, body.error_code], [429, 'too_many_request'])
          assert.ok(Number(headers['retry-after']) > 0)
          assert.match(body.error_msg, /Too many wrong credentials came from this address/)
        }
      }
      assert.equal((await from('192.0.2.2', 'acme-token')).status, 200)
      assert.equal((await from('192.0.2.1', 'acme-view')).status, 200)
      const { text } = await operator('GET', '/metrics')
      assert.match(text, /kumoi_auth_failures_total\{reason="wrong"\} 40/)
      assert.match(text, /kumoi_auth_failures_total\{reason="throttled"\} 4/)
      assert.match(text, /kumoi_auth_failures_total\{reason="expired"\} 0/)
    })
  })
}

test('wrong tokens of the operator, the network and edges are throttled by source', async (t) => {
  const { inject, operator } = await openCloud(t, { args: ['--trust-proxy', '127.0.0.1'] })
  const calls = [
    ['GET', '/_kumoi/v1/accounts', OPERATOR_TOKEN, 401],
    ['POST', '/_kumoi/v1/radius/authorize', NETWORK_TOKEN, 403],
    ['POST', '/_kumoi/v1/edges/e1/leave', EDGE_TOKEN, 401],
  ] as const
  for (const [at, [method, path, right, refused]] of calls.entries()) {
    const send = (token: string, address = `192.0.2.${at}`) =>
      inject(method, path, {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
        ...(method === 'POST' && { body: {} }),
      })
    for (let attempt = 0; attempt < WRONG_BY_NAME_MAX; attempt += 1) {
      assert.equal((await send('x')).status, refused, path)
    }
    assert.equal((await send(right)).status, 429, path)
    assert.notEqual((await send(right, '198.51.100.1')).status, 429, path)
  }
  const missing = { authorization: '' }
  for (let attempt = 0; attempt <= WRONG_BY_NAME_MAX; attempt += 1) {
    assert.equal((await operator('GET', '/accounts', { headers: missing })).status, 401)
  }
})
