import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { openGateways, PRIVATE, settingsBody } from '../../testing/gateways.ts'
import { profileArgs } from '../../testing/profiles.ts'

/** A profile of one's own, with every habit turned. */
async function open(t: TestContext, engine: TestEngine) {
  const gateways = {
    bootByThemselves: false,
    switchNeedsPowerDown: true,
    routesNeedPrivateInterface: true,
    deletionNeedsPowerDown: true,
  }
  return openGateways(t, engine, profileArgs(t, { gateways }))
}

for (const engine of engines) {
  describe(`gateways with other habits on ${engine.name}`, () => {
    test('stay down until the power call', async (t) => {
      const { ask, ready, read, sim, add, attach } = await open(t, engine)
      const id = await ready()
      const made = await read(id)
      assert.deepEqual([made.Availability, made.Instance.Status], ['available', 'down'])
      await add(id, await sim(1))
      assert.equal((await attach(1)).reason, 'gateway_down')
      await ask('PUT', `/appliance/${id}/power`)
      assert.equal((await read(id)).Instance.Status, 'up')
      assert.equal((await attach(1)).accepted, true)
    })

    test('answer 409 server_power_must_be_down to a connection or deletion while up', async (t) => {
      const { ask, ready } = await open(t, engine)
      const id = await ready()
      const made = await ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
      const connect = `/appliance/${id}/interface/1/to/switch/${made.body.Switch.ID}`
      await ask('PUT', `/appliance/${id}/power`)
      for (const [method, path] of [
        ['PUT', connect],
        ['DELETE', `/appliance/${id}`],
      ] as const) {
        const refused = await ask(method, path)
        assert.deepEqual(
          [refused.status, refused.body.error_code],
          [409, 'server_power_must_be_down'],
        )
      }
      await ask('DELETE', `/appliance/${id}/power`)
      assert.equal((await ask('PUT', connect)).status, 200)
      assert.equal((await ask('DELETE', `/appliance/${id}`)).status, 200)
    })

    test('answer 409 conflict to SIM routes before a private interface is applied', async (t) => {
      const { ask, ready, sim, add, part } = await open(t, engine)
      const id = await ready()
      const simId = await sim(1)
      await add(id, simId)
      const routes = { sim_routes: [{ resource_id: simId, prefix: '192.0.2.0/24' }] }
      const put = async () => (await part('PUT', id, 'simroutes', routes)).body.error_code
      assert.equal(await put(), 'conflict')
      await ask('PUT', `/appliance/${id}`, { body: settingsBody({ Interfaces: PRIVATE }) })
      assert.equal(await put(), 'conflict', 'stored settings are not yet the network’s')
      await ask('PUT', `/appliance/${id}/config`)
      assert.equal(await put(), undefined)
      assert.equal((await part('PUT', id, 'simroutes', { sim_routes: [] })).status, 200)
    })
  })
}
