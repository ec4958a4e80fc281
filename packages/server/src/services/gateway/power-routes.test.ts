import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { openGateways } from '../../testing/gateways.ts'

for (const engine of engines) {
  const open = (t: TestContext) => openGateways(t, engine)

  describe(`DELETE /appliance/{appliance_id} on ${engine.name}`, () => {
    test('STATE-GATEWAY-04: answers with neither Instance nor Interfaces; then it is 404', async (t) => {
      const { ask, ready, sim, add, attach, part, simStatus } = await open(t)
      const id = await ready()
      const simId = await sim(1)
      await add(id, simId)
      await ask('PUT', `/commonserviceitem/${simId}/sim/ip`, { body: { sim: { ip: '10.0.0.5' } } })
      await part('PUT', id, 'simroutes', {
        sim_routes: [{ resource_id: simId, prefix: '10.9.0.0/16' }],
      })
      await part('PUT', id, 'dnsresolver', { sim_group: { dns_1: '192.0.2.1' } })
      await part('PUT', id, 'traffic_monitoring', {
        traffic_monitoring_config: { traffic_quota_in_mb: 1 },
      })
      assert.equal((await attach(1)).accepted, true)

      const gone = await ask('DELETE', `/appliance/${id}`)
      assert.equal(gone.status, 200)
      assert.equal(gone.body.Success, true)
      assert.equal(gone.body.Appliance.ID, id)
      assert.deepEqual([gone.body.Appliance.Instance, gone.body.Appliance.Interfaces], [null, []])
      assert.equal((await ask('GET', `/appliance/${id}`)).status, 404)
      assert.equal((await ask('DELETE', `/appliance/${id}`)).status, 404)
      assert.equal((await ask('GET', '/appliance')).body.Total, 0)
      const status = await simStatus(simId)
      assert.deepEqual(
        [status.session_status, status.simgroup_id, status.ip],
        ['DOWN', undefined, undefined],
      )
    })

    test('works while the gateway is migrating', async (t) => {
      const { ask, create } = await open(t)
      const id = await create()
      assert.equal((await ask('DELETE', `/appliance/${id}`)).status, 200)
    })
  })

  describe(`power of a gateway on ${engine.name}`, () => {
    test('goes down and up; the sessions of its SIMs end', async (t) => {
      const { ask, ready, sim, add, attach, read, wait, part } = await open(t)
      const id = await ready()
      await add(id, await sim(1))
      assert.equal((await attach(1)).accepted, true)
      await wait(60)
      const broken = await ask('DELETE', `/appliance/${id}/power`, { body: { Force: 'yes' } })
      assert.match(broken.body.error_msg, /Force must be of type boolean/)
      const off = await ask('DELETE', `/appliance/${id}/power`, { body: { Force: true } })
      assert.deepEqual(off.body, { Success: true, is_ok: true })
      assert.deepEqual((await read(id)).Instance, {
        Status: 'down',
        StatusChangedAt: '2026-04-01T00:01:03+09:00',
      })
      const logs = (await part('GET', id, 'sessionlog')).body.logs
      assert.deepEqual(
        logs.map((entry: { session_status: string }) => entry.session_status),
        ['Deleted', 'Created'],
      )
      assert.equal((await attach(1)).reason, 'gateway_down')
      assert.equal((await ask('PUT', `/appliance/${id}/power`)).status, 200)
      assert.equal((await attach(1)).accepted, true)
      await wait(60)
      assert.equal((await ask('PUT', `/appliance/${id}/reset`)).status, 200)
      assert.deepEqual((await read(id)).Instance, {
        Status: 'up',
        StatusChangedAt: '2026-04-01T00:02:03+09:00',
      })
      assert.equal((await part('GET', id, 'sessionlog')).body.logs[0].session_status, 'Deleted')
    })

    test('answers 409 conflict when it is in that state already', async (t) => {
      const { ask, ready } = await open(t)
      const id = await ready()
      const codes = async (method: string, path: string) => {
        const { status, body } = await ask(method, `/appliance/${id}/${path}`)
        return [status, body.error_code]
      }
      assert.deepEqual(await codes('PUT', 'power'), [409, 'conflict'])
      await ask('DELETE', `/appliance/${id}/power`)
      assert.deepEqual(await codes('DELETE', 'power'), [409, 'conflict'])
      assert.deepEqual(await codes('PUT', 'reset'), [409, 'conflict'])
    })

    test('answers 409 still_creating while migrating, when all other calls work', async (t) => {
      const { ask, create, part, sim, add, attach } = await open(t)
      const id = await create()
      for (const [method, path] of [
        ['PUT', 'power'],
        ['DELETE', 'power'],
        ['PUT', 'reset'],
      ] as const) {
        const answer = await ask(method, `/appliance/${id}/${path}`)
        assert.deepEqual([answer.status, answer.body.error_code], [409, 'still_creating'])
      }
      assert.equal((await ask('PUT', `/appliance/${id}/config`)).status, 200)
      assert.equal((await add(id, await sim(1))).status, 200)
      assert.equal((await attach(1)).reason, 'gateway_down')
      assert.equal((await part('GET', id, 'traffic_status')).status, 200)
    })
  })

  describe(`a gateway of ${engine.name} seen from elsewhere`, () => {
    test('answers 404 in another zone, to another account and for no id at all', async (t) => {
      const { ask, ready, sim } = await open(t)
      const id = await ready()
      const simId = await sim(1)
      const made = await ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
      const switchId = made.body.Switch.ID
      const calls: [string, string, object?][] = [
        ['GET', ''],
        ['PUT', '', { Appliance: { Name: 'x' } }],
        ['PUT', '/config'],
        ['DELETE', ''],
        ['PUT', '/power'],
        ['DELETE', '/power'],
        ['PUT', '/reset'],
        ['PUT', `/interface/1/to/switch/${switchId}`],
        ['DELETE', '/interface/1/to/switch'],
        ['GET', '/mobilegateway/dnsresolver'],
        ['PUT', '/mobilegateway/dnsresolver', { sim_group: { dns_1: '192.0.2.1' } }],
        ['GET', '/mobilegateway/simroutes'],
        ['PUT', '/mobilegateway/simroutes', { sim_routes: [] }],
        ['GET', '/mobilegateway/traffic_monitoring'],
        [
          'PUT',
          '/mobilegateway/traffic_monitoring',
          { traffic_monitoring_config: { traffic_quota_in_mb: 1 } },
        ],
        ['DELETE', '/mobilegateway/traffic_monitoring'],
        ['GET', '/mobilegateway/traffic_status'],
        ['GET', '/mobilegateway/sims'],
        ['POST', '/mobilegateway/sims', { sim: { resource_id: simId } }],
        ['DELETE', `/mobilegateway/sims/${simId}`],
        ['GET', '/mobilegateway/sessionlog'],
      ]
      for (const [method, path, body] of calls) {
        for (const elsewhere of [
          { zone: 'tk1a' },
          { token: 'other-token' },
          { target: '900000000000' },
          { target: 'abc' },
        ]) {
          const { target = id, ...rest } = { target: undefined, ...elsewhere }
          const answer = await ask(method, `/appliance/${target ?? id}${path}`, { ...rest, body })
          assert.equal(answer.status, 404, `${method} ${path} ${JSON.stringify(elsewhere)}`)
          assert.equal(answer.body.error_code, 'not_found')
        }
      }
      for (const elsewhere of [{ zone: 'tk1a' }, { token: 'other-token' }]) {
        assert.equal((await ask('GET', '/appliance', elsewhere)).body.Total, 0)
      }
    })
  })
}
