import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud, TEST_WORLD } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

for (const engine of engines) {
  describe(`identity on ${engine.name}`, () => {
    test('makes an account and a key whose secret is shown once and works', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const made = await operator('POST', '/accounts', { body: { code: 'new', name: 'New' } })
      assert.equal(made.status, 201)
      assert.match(made.body.account.id, /^91\d{10}$/)
      const key = await operator('POST', '/accounts/new/keys', {
        body: { permission: 'view', external: ['cdn'] },
      })
      assert.equal(key.status, 201)
      const credentials = { token: key.body.key.token, secret: key.body.secret }
      const status = await ask('GET', '/auth-status', credentials)
      assert.deepEqual([status.body.Account.Code, status.body.ExternalPermission], ['new', 'cdn'])
      const listed = await operator('GET', '/accounts/new/keys')
      assert.deepEqual(listed.body.keys, [key.body.key])
      assert.ok(!listed.text.includes(key.body.secret))
      assert.deepEqual(
        (await operator('GET', '/accounts')).body.accounts.map(
          ({ code }: { code: string }) => code,
        ),
        ['acme', 'other', 'new'],
      )
    })

    test('rotates and revokes at once, also for a key that was just used', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      const rotated = await operator('POST', '/accounts/acme/keys/acme-token/rotate')
      assert.equal((await ask('GET', '/auth-status')).status, 401)
      assert.equal((await ask('GET', '/auth-status', { secret: rotated.body.secret })).status, 200)
      assert.equal((await operator('DELETE', '/accounts/acme/keys/acme-token')).status, 200)
      assert.equal((await ask('GET', '/auth-status', { secret: rotated.body.secret })).status, 401)
    })

    test('answers 404, 409 and 400 where it has to', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const body = { permission: 'view' }
      assert.equal((await operator('GET', '/accounts/nobody/keys')).status, 404)
      assert.equal((await operator('POST', '/accounts/nobody/keys', { body })).status, 404)
      assert.equal((await operator('POST', '/accounts/acme/keys/nothing/rotate')).status, 404)
      assert.equal((await operator('DELETE', '/accounts/other/keys/acme-token')).status, 404)
      const taken = await operator('POST', '/accounts', { body: { code: 'acme', name: 'x' } })
      assert.deepEqual([taken.status, taken.body.error_code], [409, 'conflict'])
      for (const bad of [
        { code: '', name: 'x' },
        { code: 'a b', name: 'x' },
        { code: 'ok', name: '' },
        {},
      ]) {
        assert.equal((await operator('POST', '/accounts', { body: bad })).status, 400)
      }
      const level = await operator('POST', '/accounts/acme/keys', { body: { permission: 'all' } })
      assert.match(level.body.error_msg, /permission must be one of: view, power, arrange, create/)
    })
  })

  describe(`the world on ${engine.name}`, () => {
    test('changes nothing when it is applied again', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const again = await operator('POST', '/world', { body: TEST_WORLD })
      assert.deepEqual(again.body.changes.accounts, { created: 0, updated: 0, unchanged: 7 })
    })

    test('updates names, levels and secrets, and the old secret ends at once', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      const body = `version: 1
accounts:
  - { code: acme, name: Renamed, keys: [ { token: acme-token, secret: other, permission: view } ] }`
      const applied = await operator('POST', '/world', { body })
      assert.deepEqual(applied.body.changes.accounts, { created: 0, updated: 2, unchanged: 0 })
      assert.equal((await ask('GET', '/auth-status')).status, 401)
      const status = (await ask('GET', '/auth-status', { secret: 'other' })).body
      assert.deepEqual(
        [status.Account.Name, status.Member.Code, status.Permission],
        ['Renamed', 'mem00001', 'view'],
      )
    })

    test('is exported so that it can be applied again, elsewhere too, without a plain secret', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const exported = await operator('GET', '/world')
      assert.ok(!exported.text.includes('acme-token-secret'))
      const unchanged = await operator('POST', '/world', { body: exported.body })
      assert.deepEqual(unchanged.body.changes.accounts, { created: 0, updated: 0, unchanged: 7 })
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await ask('GET', '/auth-status')).status, 401)
      const created = await operator('POST', '/world', { body: exported.body })
      assert.deepEqual(created.body.changes.accounts, { created: 7, updated: 0, unchanged: 0 })
      assert.equal((await ask('GET', '/auth-status')).status, 200)
    })

    test('is applied whole or not at all; the answer names the line', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const cases: [string, RegExp][] = [
        [
          'version: 1\naccounts:\n  - { code: new1, name: N }\n  - { code: acme, id: "900000000009", name: N }',
          /world:4: accounts\[1\]\.id is 900000000009, but the account acme has the id 900000000001/,
        ],
        [
          'version: 1\naccounts:\n  - code: new1\n    name: N\n    keys:\n      - { token: t, permission: view }',
          /world:6: accounts\[0\]\.keys\[0\]\.secret is missing, and there is no such key yet/,
        ],
        [
          'version: 1\naccounts:\n  - code: new1\n    name: N\n    keys:\n      - token: t\n        permission: view\n        secret: { sealed: abcd }',
          /world:8: .*sealed under another key-encryption key/,
        ],
        [
          'version: 1\naccounts:\n  - { code: new1, name: N, keys: [ { token: acme-token, secret: s, permission: view } ] }',
          /world:3: accounts\[0\]\.keys\[0\]\.token belongs to another account/,
        ],
        [
          'version: 1\naccounts:\n  - { code: new1, name: N, id: "900000000001" }',
          /900000000001 is the id of an account/,
        ],
        [
          'version: 1\naccounts:\n  - { code: new1, name: N, id: "950000000000" }',
          /may be at most 949999999999/,
        ],
        ['version: 2', /world:1: version must be 1/],
        ['accounts: []', /version is missing/],
        ['version: 1\nnonsense: 1', /world:2: nonsense is not known here/],
        ['version: 1\naccounts: [', /world:2: not valid YAML/],
        ['- a', /The file must be of type object/],
        ['', /version is missing/],
      ]
      for (const [body, message] of cases) {
        const answer = await operator('POST', '/world', { body })
        assert.equal(answer.status, 400, body)
        assert.match(answer.body.error_msg, message)
      }
      const named = `/world?file=${encodeURIComponent('./my worlds/a.yaml')}`
      const { error_msg } = (await operator('POST', named, { body: 'version: 2' })).body
      assert.match(error_msg, /\.\/my worlds\/a\.yaml:1: version must be 1/)
      assert.equal((await operator('GET', '/accounts')).body.accounts.length, 2)
    })

    test('never lets an id that it uses be made again', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const body = { version: 1, accounts: [{ code: 'far', name: 'F', id: '910000000777' }] }
      await operator('POST', '/world', { body })
      const made = await operator('POST', '/accounts', { body: { code: 'next', name: 'N' } })
      assert.equal(made.body.account.id, '910000000778')
    })
  })

  describe(`POST /reset on ${engine.name}`, () => {
    test('empties, or brings back the world of the start and those applied since', async (t) => {
      const { ask, operator } = await openCloud(t, { engine, config: { worlds: [] } })
      await operator('POST', '/world', { body: TEST_WORLD })
      await operator('POST', '/accounts', { body: { code: 'stray', name: 'S' } })
      assert.equal((await operator('POST', '/reset', { body: { to: 'world' } })).status, 200)
      const codes = (await operator('GET', '/accounts')).body.accounts.map(
        (a: { code: string }) => a.code,
      )
      assert.deepEqual(codes.sort(), ['acme', 'demo', 'demo-partner', 'other'])
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.deepEqual((await operator('GET', '/accounts')).body.accounts, [])
      assert.equal((await operator('POST', '/reset', { body: { to: 'nowhere' } })).status, 404)
      assert.equal((await operator('POST', '/reset', { body: { to: 'No Where' } })).status, 400)
    })

    test('answers 409 when the worlds contradict each other, and keeps what is there', async (t) => {
      const { operator } = await openCloud(t, { engine })
      await operator('POST', '/reset', { body: { to: 'empty' } })
      const body = { version: 1, accounts: [{ code: 'rival', name: 'R', id: '900000000001' }] }
      assert.equal((await operator('POST', '/world', { body })).status, 200)
      const answer = await operator('POST', '/reset', { body: { to: 'world' } })
      assert.deepEqual([answer.status, answer.body.error_code], [409, 'conflict'])
      assert.equal((await operator('GET', '/accounts')).body.accounts[0].code, 'rival')
    })
  })
}

describe('health, metrics and clock', () => {
  test('live always, ready only when it is', async (t) => {
    const { inject, cloud } = await openCloud(t)
    assert.deepEqual((await inject('GET', '/_kumoi/v1/health/live')).body, {
      status: 'live',
      is_ok: true,
    })
    assert.equal((await inject('GET', '/_kumoi/v1/health/ready')).status, 200)
    cloud.ready = false
    const answer = await inject('GET', '/_kumoi/v1/health/ready')
    assert.deepEqual([answer.status, answer.body.error_code], [503, 'service_unavailable'])
  })

  test('ask for the token when the call was forwarded', async (t) => {
    const { inject } = await openCloud(t)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    assert.equal((await inject('GET', '/_kumoi/v1/metrics', { headers })).status, 401)
  })

  test('refuse a name that is not ours and other sites', async (t) => {
    const { operator } = await openCloud(t)
    assert.equal(
      (await operator('GET', '/clock', { headers: { host: 'evil.example' } })).status,
      403,
    )
    assert.equal(
      (await operator('GET', '/clock', { headers: { origin: 'https://evil.example' } })).status,
      403,
    )
  })

  test('metrics count requests by operation and status', async (t) => {
    const { ask, inject } = await openCloud(t)
    await ask('GET', '/auth-status')
    await ask('GET', '/auth-status', { token: null })
    const { text, headers } = await inject('GET', '/_kumoi/v1/metrics')
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(
      text,
      /^kumoi_request_duration_seconds_count\{operation="authStatus",status="200"\} 1$/m,
    )
    assert.match(
      text,
      /^kumoi_request_duration_seconds_count\{operation="authStatus",status="401"\} 1$/m,
    )
    assert.match(text, /^process_resident_memory_bytes \d+$/m)
  })

  test('the clock is told as it stands', async (t) => {
    const { operator } = await openCloud(t)
    assert.deepEqual((await operator('GET', '/clock')).body, {
      mode: 'frozen',
      now: '2026-03-31T15:00:00.000000Z',
      scale: 0,
      is_ok: true,
    })
  })

  test('the CA is there for everybody', async (t) => {
    const { inject } = await openCloud(t)
    assert.equal((await inject('GET', '/_kumoi/v1/ca.pem')).text, 'CA')
  })
})
