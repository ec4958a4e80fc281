import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

for (const engine of engines) {
  describe(`clients of a RADIUS server on ${engine.name}`, () => {
    test('are the network elements with their secrets, for the operator alone', async (t) => {
      const { operator, inject } = await openCloud(t, { engine })
      const clients = [
        { name: 'pgw-1', address: '192.0.2.10', secret: 'first-secret', coa_port: 3799 },
        { name: 'pgw-2', address: '192.0.2.11', secret: 'second/secret#2', coa_port: 1700 },
      ]
      assert.deepEqual((await operator('GET', '/radius/clients')).body.clients, [])
      for (const { name, ...body } of clients.toReversed()) {
        await operator('PUT', `/network-elements/${name}`, { body })
      }
      assert.deepEqual((await operator('GET', '/radius/clients')).body.clients, clients)
      const headers = { authorization: `Basic ${btoa('demo-token:demo-secret')}` }
      const { status } = await inject('GET', '/_kumoi/v1/radius/clients', { headers })
      assert.equal(status, 401)
    })
  })
}
