/** Who may call what: a walk over all operations of the slice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onSqlite } from '../../testing/engines.ts'
import { openSims } from '../../testing/sims.ts'
import { simContract } from './contract.ts'
import { devicesContract } from './devices-contract.ts'

describe('access to SIMs', () => {
  test('needs a key, and one that may arrange for whatever changes something', async (t) => {
    const { ask, register } = await openSims(t, onSqlite)
    const id = await register(1)
    for (const [name, { method, path, access }] of Object.entries(simContract)) {
      const at = path.replace('{sim_id}', id)
      assert.equal((await ask(method, at, { token: null })).status, 401, name)
      assert.equal(access, method === 'GET' ? 'view' : 'arrange', name)
      const weak = access === 'view' ? [] : ['acme-view', 'acme-power']
      for (const token of weak) assert.equal((await ask(method, at, { token })).status, 403, name)
      const token = access === 'view' ? 'acme-view' : 'acme-arrange'
      assert.notEqual((await ask(method, at, { token, body: {} })).status, 403, name)
    }
  })

  test('of the network’s side needs the operator token', async (t) => {
    const { inject } = await openSims(t, onSqlite)
    for (const [name, { method, path }] of Object.entries(devicesContract)) {
      const answer = await inject(method, `/_kumoi/v1${path.replace('{iccid}', '1')}`)
      assert.equal(answer.status, 401, name)
    }
  })
})
