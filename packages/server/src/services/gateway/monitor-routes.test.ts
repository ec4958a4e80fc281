import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openGateways } from '../../testing/gateways.ts'

const APPLIED = {
  Appliance: {
    Settings: {
      MobileGateway: {
        InternetConnection: { Enabled: 'False' },
        Interfaces: [null, { IPAddress: ['192.168.1.1'], NetworkMaskLen: 24 }],
      },
    },
  },
}

for (const engine of engines) {
  describe(`interface monitors on ${engine.name}`, () => {
    test('show what the devices of a gateway sent and received, by the interface it took', async (t) => {
      const { ask, ready, sim, add, attach, traffic, wait } = await openGateways(t, engine)
      const id = await ready()
      await add(id, await sim(1))
      await attach(1)
      await traffic(1, 300, 600)
      await traffic(1, 300, 0)
      const made = await ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
      await ask('PUT', `/appliance/${id}/interface/1/to/switch/${made.body.Switch.ID}`)
      await ask('PUT', `/appliance/${id}`, { body: APPLIED })
      await ask('PUT', `/appliance/${id}/config`)
      await traffic(1, 0, 900)
      await wait(600)

      const read = async (path: string) =>
        Object.values((await ask('GET', `/appliance/${id}/interface${path}/monitor`)).body.Data)
      assert.deepEqual(await read(''), [{ Send: 16, Receive: 16 }])
      assert.deepEqual(await read('/0'), [{ Send: 16, Receive: 16 }])
      assert.deepEqual(await read('/1'), [{ Send: 0, Receive: 24 }])
    })

    test('go when they are older than traffic is kept, and with the gateway', async (t) => {
      const cloud = await openGateways(t, engine)
      const id = await cloud.ready()
      await cloud.add(id, await cloud.sim(1))
      await cloud.attach(1)
      await cloud.traffic(1, 300, 600)
      const start = cloud.clock.now().toISOString()
      const read = async () => {
        const end = new Date(Date.parse(start) + 600_000).toISOString()
        const query = search({ Start: start.replace(/\d\d:\d\d\./, '00:00.'), End: end })
        const { body } = await cloud.ask('GET', `/appliance/${id}/interface/monitor${query}`)
        return Object.keys(body.Data).length
      }
      await cloud.wait(600)
      assert.equal(await read(), 1)
      await cloud.wait(62 * 86_400)
      assert.equal(await read(), 1)
      await cloud.wait(2 * 86_400)
      assert.equal(await read(), 0)

      await cloud.traffic(1, 300, 600)
      await cloud.ask('DELETE', `/appliance/${id}`)
      const left = await cloud.database.read((tx) => tx.all(raw('SELECT step FROM gateway_step')))
      assert.deepEqual(left, [])
    })

    test('answer 404 for an interface that is not there, 400 for a broken span', async (t) => {
      const { ask, ready } = await openGateways(t, engine)
      const id = await ready()
      const status = async (path: string, query = '') =>
        (await ask('GET', `/appliance/${id}/interface${path}/monitor${query}`)).status
      assert.deepEqual(
        [await status('/1'), await status('/2'), await status('/x'), await status('/0')],
        [404, 404, 404, 200],
      )
      assert.equal(await status('', search({ Start: 'yesterday' })), 400)
      const other = await ask('GET', `/appliance/${id}/interface/monitor`, { token: 'other-token' })
      assert.equal(other.status, 404)
    })
  })
}
