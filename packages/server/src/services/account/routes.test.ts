import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { basic, openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

for (const engine of engines) {
  describe(`GET /auth-status on ${engine.name}`, () => {
    test('tells whose key it is and what it may do, in the form of the interface', async (t) => {
      const { ask } = await openCloud(t, { engine })
      const answer = await ask('GET', '/auth-status')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, {
        Account: { ID: '900000000001', Code: 'acme', Name: 'Acme', Class: 'account' },
        Member: { Code: 'mem00001', Class: 'member', Errors: [] },
        User: null,
        AuthMethod: 'apikey',
        AuthClass: 'account',
        Permission: 'create',
        ExternalPermission: 'bill+cdn',
        RESTFilter: null,
        IsAPIKey: true,
        OperationPenalty: 'none',
        is_ok: true,
      })
    })

    test('says none where there is no external permission', async (t) => {
      const { ask } = await openCloud(t, { engine })
      const { body } = await ask('GET', '/auth-status', { token: 'acme-view' })
      assert.deepEqual([body.Permission, body.ExternalPermission], ['view', 'none'])
    })

    test('is told as a context too, where there is no zone in the path', async (t) => {
      const { inject } = await openCloud(t)
      const path = '/cloud/api/iam/1.0/auth/context'
      const headers = { authorization: basic('acme-view') }
      const { status, body } = await inject('GET', path, { headers })
      assert.equal(status, 200)
      assert.ok(Number.isSafeInteger(body.resource_id) && body.resource_id > 0)
      const other = await inject('GET', path, { headers: { authorization: basic('acme-token') } })
      assert.notEqual(other.body.resource_id, body.resource_id)
      assert.deepEqual(body, {
        resource_id: body.resource_id,
        auth_type: 'apikey',
        limited_to_project_id: 900000000001,
        is_ok: true,
      })
      assert.equal((await inject('GET', path)).status, 401)
    })
  })
}
