import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
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
  })
}
