import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openGateways, PRIVATE, settingsBody } from '../../testing/gateways.ts'
import { iccidOf } from '../../testing/sims.ts'
import { SIM_ROUTES_MAX } from './route-rules.ts'

for (const engine of engines) {
  const open = (t: TestContext) => openGateways(t, engine)

  describe(`policy strict on ${engine.name}`, () => {
    test('answers 409 while the SIM that is to leave has a fixed address', async (t) => {
      const { ask, ready, sim, add, remove } = await openGateways(t, engine, ['--policy', 'strict'])
      const id = await ready()
      const first = await sim(1)
      await add(id, first)
      await ask('PUT', `/commonserviceitem/${first}/sim/ip`, { body: { sim: { ip: '10.0.0.5' } } })
      const refused = await remove(id, first)
      assert.deepEqual([refused.status, refused.body.error_code], [409, 'conflict'])
      await ask('DELETE', `/commonserviceitem/${first}/sim/ip`)
      assert.equal((await remove(id, first)).status, 200)
    })
  })

  describe(`addresses and counters on ${engine.name}`, () => {
    test('answers 400 for the private address of the gateway itself', async (t) => {
      const { ask, create, wait, sim, add } = await open(t)
      const id = await create('gw')
      await ask('DELETE', `/appliance/${id}/power`)
      const lan = await ask('POST', '/switch', { body: { Switch: { Name: 'LAN' } } })
      await wait(3)
      await ask('DELETE', `/appliance/${id}/power`)
      await ask('PUT', `/appliance/${id}/interface/1/to/switch/${lan.body.Switch.ID}`)
      await ask('PUT', `/appliance/${id}`, { body: settingsBody({ Interfaces: PRIVATE }) })
      await ask('PUT', `/appliance/${id}/config`)
      const first = await sim(1)
      await add(id, first)
      const put = (ip: string) =>
        ask('PUT', `/commonserviceitem/${first}/sim/ip`, { body: { sim: { ip } } })
      assert.equal((await put('192.168.1.1')).status, 400)
      assert.equal((await put('192.168.1.2')).status, 200)
    })

    test('answers all of several that set the first routes of a gateway at once', async (t) => {
      const { ask, ready, sim, add } = await open(t)
      const id = await ready()
      const first = await sim(1)
      await add(id, first)
      const body = { sim_routes: [{ resource_id: first, prefix: '192.168.2.0/24' }] }
      const put = () => ask('PUT', `/appliance/${id}/mobilegateway/simroutes`, { body })
      const answers = await Promise.all(Array.from({ length: 8 }, put))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(8).fill(200),
      )
    })

    test('stops counting at what can still be told, and everything goes on', async (t) => {
      const { ask, ready, sim, add, attach, traffic, part, remove } = await open(t)
      const id = await ready()
      const first = await sim(1)
      await add(id, first)
      await attach(1)
      const most = 2 ** 40
      for (let call = 0; call < 520; call += 1) await traffic(1, most, most)
      const counted = String(2 ** 49 - 1)
      const { traffic_status } = (await part('GET', id, 'traffic_status')).body
      assert.deepEqual(
        [traffic_status.uplink_bytes, traffic_status.downlink_bytes],
        [counted, counted],
      )
      assert.equal((await ask('GET', `/commonserviceitem/${first}/sim/status`)).status, 200)
      assert.equal((await remove(id, first)).status, 200)
    })
  })

  describe(`/mobilegateway/sims on ${engine.name}`, () => {
    test('STATE-SIM-05: adds a SIM, whose IP can then be set; lists it with its detail', async (t) => {
      const { ask, ready, sim, add, part } = await open(t)
      const id = await ready()
      const [first, second] = [await sim(1), await sim(2)]
      assert.deepEqual((await part('GET', id, 'sims')).body, {
        sim: [],
        Total: 0,
        From: 0,
        Count: 0,
        is_ok: true,
      })
      assert.deepEqual((await add(id, first)).body, { is_ok: true })
      await add(id, second)
      const ip = await ask('PUT', `/commonserviceitem/${first}/sim/ip`, {
        body: { sim: { ip: '10.0.0.5' } },
      })
      assert.equal(ip.status, 200)
      const { body } = await part('GET', id, 'sims')
      assert.deepEqual([body.From, body.Count, body.Total], [0, 2, 2])
      assert.equal(body.sim[0].iccid, iccidOf(1))
      assert.equal(body.sim[0].ip, '10.0.0.5')
      assert.equal(body.sim[0].simgroup_id, id)
      assert.deepEqual(body.sim[0].traffic_bytes_of_current_month, {
        uplink_bytes: 0,
        downlink_bytes: 0,
      })
      const page = (await part('GET', id, `sims${search({ From: 1, Count: 5 })}`)).body
      assert.deepEqual([page.From, page.Count, page.Total], [1, 1, 2])
      assert.equal(page.sim[0].resource_id, second)
      assert.equal((await part('GET', id, 'sims?From=-1')).status, 400)
    })

    test('STATE-SIM-06: removes a SIM with its IP, its routes and its session', async (t) => {
      const { ask, ready, sim, add, remove, part, attach, simStatus } = await open(t)
      const id = await ready()
      const simId = await sim(1)
      await add(id, simId)
      await ask('PUT', `/commonserviceitem/${simId}/sim/ip`, { body: { sim: { ip: '10.0.0.5' } } })
      const routes = { sim_routes: [{ resource_id: simId, prefix: '10.9.0.0/16' }] }
      await part('PUT', id, 'simroutes', routes)
      await attach(1)
      assert.deepEqual((await remove(id, simId)).body, { is_ok: true })
      const status = await simStatus(simId)
      assert.deepEqual(
        [status.simgroup_id, status.ip, status.session_status],
        [undefined, undefined, 'DOWN'],
      )
      assert.deepEqual((await part('GET', id, 'simroutes')).body.sim_routes, [])
      const again = await remove(id, simId)
      assert.deepEqual([again.status, again.body.error_code], [404, 'not_found'])
    })

    test('takes the routes of a SIM whose item is deleted', async (t) => {
      const { ask, ready, sim, add, part } = await open(t)
      const id = await ready()
      const [first, second] = [await sim(1), await sim(2)]
      await add(id, first)
      await add(id, second)
      await part('PUT', id, 'simroutes', {
        sim_routes: [
          { resource_id: first, prefix: '10.9.0.0/16' },
          { resource_id: second, prefix: '10.10.0.0/16' },
        ],
      })
      await ask('DELETE', `/commonserviceitem/${first}`)
      const left = (await part('GET', id, 'simroutes')).body.sim_routes
      assert.deepEqual(left, [{ iccid: iccidOf(2), prefix: '10.10.0.0/16', resource_id: second }])
      assert.equal((await part('GET', id, 'sims')).body.Total, 1)
    })

    test('ERROR-GATEWAY-SIM-01: answers 404 not_found when the SIM is not registered', async (t) => {
      const { ready, create, add, ask, sim } = await open(t)
      const id = await ready()
      const simId = await sim(1)
      for (const target of ['900000000000', id, 'x', '']) {
        const answer = await add(id, target)
        assert.deepEqual([answer.status, answer.body.error_code], [404, 'not_found'], target)
      }
      const other = await ask('POST', '/appliance', {
        token: 'other-token',
        body: { Appliance: { Class: 'mobilegateway', Plan: { ID: 2 } } },
      })
      const foreign = await ask(
        'POST',
        `/appliance/${other.body.Appliance.ID}/mobilegateway/sims`,
        { token: 'other-token', body: { sim: { resource_id: simId } } },
      )
      assert.equal(foreign.status, 404)
      assert.equal((await add(await create(), simId)).status, 200)
    })

    test('ERROR-GATEWAY-SIM-02: answers 409 conflict when the SIM is in a gateway, this or another', async (t) => {
      const { ready, sim, add } = await open(t)
      const [id, other] = [await ready('one'), await ready('two')]
      const simId = await sim(1)
      await add(id, simId)
      for (const target of [id, other]) {
        const answer = await add(target, simId)
        assert.deepEqual([answer.status, answer.body.error_code], [409, 'conflict'])
      }
    })

    test('ERROR-GATEWAY-SIM-03: answers 404 not_found when there is no such gateway', async (t) => {
      const { sim, add } = await open(t)
      const answer = await add('900000000000', await sim(1))
      assert.deepEqual([answer.status, answer.body.error_code], [404, 'not_found'])
    })

    test('ERROR-GATEWAY-SIM-04: answers 409 conflict one past the limit, also when all come at once', async (t) => {
      const { operator, ready, sim, add, remove, part } = await open(t)
      await operator('POST', '/world', { body: { version: 1, settings: { sims_per_gateway: 3 } } })
      const id = await ready()
      const ids: string[] = []
      for (let n = 0; n < 8; n += 1) ids.push(await sim(n))
      const answers = await Promise.all(ids.map((simId) => add(id, simId)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [
        ...[200, 200, 200],
        ...[409, 409, 409, 409, 409],
      ])
      const inside = (await part('GET', id, 'sims')).body
      assert.deepEqual([inside.Total, inside.sim.length], [3, 3])
      await remove(id, inside.sim[0].resource_id)
      const outside = ids.find((_, n) => answers[n]?.status === 409) ?? ''
      assert.equal((await add(id, outside)).status, 200)
    })

    test('takes all of many SIMs that come at once', async (t) => {
      const { ready, sim, add, part } = await open(t)
      const id = await ready()
      const ids: string[] = []
      for (let n = 0; n < 60; n += 1) ids.push(await sim(n))
      const answers = await Promise.all(ids.map((simId) => add(id, simId)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.equal((await part('GET', id, 'sims')).body.Total, 60)
    })

    test('gives an address to one of two SIMs that ask for it at once', async (t) => {
      const { ask, ready, sim, add, part } = await open(t)
      const id = await ready()
      const ids = [await sim(1), await sim(2), await sim(3)]
      for (const simId of ids) await add(id, simId)
      const answers = await Promise.all(
        ids.map((simId) =>
          ask('PUT', `/commonserviceitem/${simId}/sim/ip`, { body: { sim: { ip: '10.0.0.5' } } }),
        ),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
      const { sim: all } = (await part('GET', id, 'sims')).body
      assert.equal(all.filter(({ ip }: { ip?: string }) => ip === '10.0.0.5').length, 1)
    })

    test('takes back a SIM into one gateway only, when two ask for it at once', async (t) => {
      const { ready, sim, add } = await open(t)
      const gateways = [await ready('one'), await ready('two')]
      const simId = await sim(1)
      const answers = await Promise.all(gateways.map((id) => add(id, simId)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    })
  })

  describe(`/mobilegateway/dnsresolver on ${engine.name}`, () => {
    test('is empty while unset, then what was set last', async (t) => {
      const { ready, part } = await open(t)
      const id = await ready()
      const read = async () => (await part('GET', id, 'dnsresolver')).body.sim_group
      assert.deepEqual(await read(), [])
      const both = { dns_1: '192.0.2.1', dns_2: '192.0.2.2' }
      const put = await part('PUT', id, 'dnsresolver', { sim_group: both })
      assert.deepEqual(put.body, { is_ok: true })
      assert.deepEqual(await read(), both)
      await part('PUT', id, 'dnsresolver', { sim_group: { dns_1: '192.0.2.3', dns_2: '' } })
      assert.deepEqual(await read(), { dns_1: '192.0.2.3' })
    })

    test('answers 400 that names the address, and changes nothing', async (t) => {
      const { ready, part } = await open(t)
      const id = await ready()
      for (const [path, sim_group] of [
        ['dns_1', {}],
        ['dns_1', { dns_1: '' }],
        ['dns_1', { dns_1: 'resolver' }],
        ['dns_1', { dns_1: 1 }],
        ['dns_2', { dns_1: '192.0.2.1', dns_2: '192.0.2.256' }],
      ] as const) {
        const answer = await part('PUT', id, 'dnsresolver', { sim_group })
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, new RegExp(`sim_group\\.${path}`))
      }
      assert.deepEqual((await part('GET', id, 'dnsresolver')).body.sim_group, [])
    })
  })

  describe(`/mobilegateway/simroutes on ${engine.name}`, () => {
    test('replaces the list and reads it with the ICCIDs, in its order', async (t) => {
      const { ready, sim, add, part } = await open(t)
      const id = await ready()
      const [first, second] = [await sim(1), await sim(2)]
      await add(id, first)
      await add(id, second)
      assert.deepEqual((await part('GET', id, 'simroutes')).body, { sim_routes: [], is_ok: true })
      const sim_routes = [
        { resource_id: second, prefix: '192.168.10.0/24' },
        { resource_id: first, prefix: '10.9.0.0/16' },
        { resource_id: second, prefix: '10.8.0.1/32' },
      ]
      assert.deepEqual((await part('PUT', id, 'simroutes', { sim_routes })).body, { is_ok: true })
      assert.deepEqual((await part('GET', id, 'simroutes')).body.sim_routes, [
        { iccid: iccidOf(2), prefix: '192.168.10.0/24', resource_id: second },
        { iccid: iccidOf(1), prefix: '10.9.0.0/16', resource_id: first },
        { iccid: iccidOf(2), prefix: '10.8.0.1/32', resource_id: second },
      ])
      for (const none of [[], null]) {
        await part('PUT', id, 'simroutes', { sim_routes })
        assert.equal((await part('PUT', id, 'simroutes', { sim_routes: none })).status, 200)
        assert.deepEqual((await part('GET', id, 'simroutes')).body.sim_routes, [])
      }
    })

    test('answers 400 for a prefix with host bits or an overlap, 404 for a SIM elsewhere; nothing changes', async (t) => {
      const { ready, sim, add, part } = await open(t)
      const [id, other] = [await ready('one'), await ready('two')]
      const [inside, outside] = [await sim(1), await sim(2)]
      await add(id, inside)
      await add(other, outside)
      const kept = [{ resource_id: inside, prefix: '10.1.0.0/16' }]
      await part('PUT', id, 'simroutes', { sim_routes: kept })
      const of = (...prefixes: string[]) =>
        prefixes.map((prefix) => ({ resource_id: inside, prefix }))
      const many = (count: number) =>
        of(...Array.from({ length: count }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`))
      const cases: [number, RegExp, unknown][] = [
        [400, /sim_routes\[0\]\.prefix/, of('10.1.0.1/16')],
        [400, /sim_routes\[0\]\.prefix/, of('10.1.0.0')],
        [400, /sim_routes\[1\]\.prefix overlaps sim_routes\[0\]/, of('10.1.0.0/16', '10.1.2.0/24')],
        [400, /sim_routes\[1\]\.prefix overlaps sim_routes\[0\]/, of('10.1.2.0/24', '10.0.0.0/8')],
        [400, /sim_routes\[2\]\.prefix overlaps/, of('10.1.0.0/16', '10.3.0.0/16', '10.1.0.0/16')],
        [400, /sim_routes/, many(SIM_ROUTES_MAX + 1)],
        [400, /sim_routes\[0\]\.resource_id/, [{ prefix: '10.1.0.0/16' }]],
        [404, /is not in gateway/, [...kept, { resource_id: outside, prefix: '10.2.0.0/16' }]],
        [404, /is not in gateway/, [{ resource_id: '900000000000', prefix: '10.2.0.0/16' }]],
      ]
      for (const [status, message, sim_routes] of cases) {
        const answer = await part('PUT', id, 'simroutes', { sim_routes })
        assert.equal(answer.status, status, String(message))
        assert.match(answer.body.error_msg, message)
      }
      const left = (await part('GET', id, 'simroutes')).body.sim_routes
      assert.deepEqual(left, [{ iccid: iccidOf(1), ...kept[0] }])
      const most = await part('PUT', id, 'simroutes', { sim_routes: many(SIM_ROUTES_MAX) })
      assert.equal(most.status, 200)
    })
  })

  describe(`/mobilegateway/sessionlog on ${engine.name}`, () => {
    test('shows the sessions of all SIMs of the gateway, newest first, as many as asked for', async (t) => {
      const { ready, sim, add, part, attach, wait } = await open(t)
      const id = await ready()
      const ids = [await sim(1), await sim(2)]
      for (const simId of ids) await add(id, simId)
      assert.deepEqual((await part('GET', id, 'sessionlog')).body, {
        logs: [],
        Count: 0,
        is_ok: true,
      })
      await attach(1)
      await wait(1)
      await attach(2)
      const { logs, Count } = (await part('GET', id, 'sessionlog')).body
      assert.equal(Count, 2)
      assert.deepEqual(
        logs.map((entry: { resource_id: string; session_status: string }) => [
          entry.resource_id,
          entry.session_status,
        ]),
        [
          [ids[1], 'Created'],
          [ids[0], 'Created'],
        ],
      )
      const one = (await part('GET', id, `sessionlog${search({ Count: 1 })}`)).body
      assert.deepEqual([one.Count, one.logs], [1, logs.slice(0, 1)])
      const query = search({ Filter: { resource_id: ids[0] }, Exclude: ['date'] })
      const [own, ...others] = (await part('GET', id, `sessionlog${query}`)).body.logs
      assert.deepEqual([own.resource_id, own.date, others], [ids[0], undefined, []])
      assert.equal((await part('GET', id, 'sessionlog?Count=x')).status, 400)
    })
  })
}
