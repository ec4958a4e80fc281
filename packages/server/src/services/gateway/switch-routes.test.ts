import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openGateways } from '../../testing/gateways.ts'

for (const engine of engines) {
  const open = async (t: TestContext) => {
    const gateways = await openGateways(t, engine)
    const { ask } = gateways
    const createSwitch = async (Name: string, more: object = {}, zone = 'is1a') => {
      const made = await ask('POST', '/switch', { zone, body: { Switch: { Name, ...more } } })
      return made.body.Switch.ID as string
    }
    const connect = (id: string, switchId: string) =>
      ask('PUT', `/appliance/${id}/interface/1/to/switch/${switchId}`)
    return { ...gateways, createSwitch, connect }
  }

  describe(`/switch on ${engine.name}`, () => {
    test('answers 201 with the switch, reads, changes and deletes it', async (t) => {
      const { ask, wait } = await open(t)
      const made = await ask('POST', '/switch', {
        body: { Switch: { Name: 'lan', Description: 'd', Tags: ['a'] } },
      })
      assert.equal(made.status, 201)
      const { ID } = made.body.Switch
      assert.deepEqual(made.body, {
        Switch: {
          ID,
          Name: 'lan',
          Description: 'd',
          Tags: ['a'],
          Icon: null,
          Scope: 'user',
          Subnet: null,
          Subnets: [],
          UserSubnet: null,
          ServerCount: 0,
          ApplianceCount: 0,
          Zone: { ID: '31001', Name: 'is1a' },
          CreatedAt: '2026-04-01T00:00:00+09:00',
          ModifiedAt: '2026-04-01T00:00:00+09:00',
        },
        Success: true,
        is_ok: true,
      })
      await wait(60)
      const UserSubnet = { DefaultRoute: '192.168.1.1', NetworkMaskLen: 24 }
      const body = { Switch: { Name: 'LAN', UserSubnet } }
      const changed = await ask('PUT', `/switch/${ID}`, { body })
      assert.deepEqual(
        [changed.body.Switch.Name, changed.body.Switch.Tags, changed.body.Switch.UserSubnet],
        ['LAN', ['a'], UserSubnet],
      )
      assert.equal(changed.body.Switch.ModifiedAt, '2026-04-01T00:01:00+09:00')
      const read = await ask('GET', `/switch/${ID}`)
      assert.deepEqual(read.body.Switch, changed.body.Switch)
      const servers = await ask('GET', `/switch/${ID}/server`)
      assert.deepEqual(servers.body, { From: 0, Count: 0, Total: 0, Servers: [], is_ok: true })
      const gone = await ask('DELETE', `/switch/${ID}`)
      assert.deepEqual([gone.status, gone.body.Success, gone.body.Switch.ID], [200, true, ID])
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['GET', '/server'],
      ] as const) {
        assert.equal((await ask(method, `/switch/${ID}${path}`, { body })).status, 404)
      }
    })

    test('takes an empty subnet, as Go clients send it, for none, and clears one by it', async (t) => {
      const { ask } = await open(t)
      const none = { DefaultRoute: '', NetworkMaskLen: 0 }
      const made = await ask('POST', '/switch', { body: { Switch: { UserSubnet: none } } })
      assert.deepEqual([made.status, made.body.Switch.UserSubnet], [201, null])
      const path = `/switch/${made.body.Switch.ID}`
      const some = { DefaultRoute: '192.168.1.1', NetworkMaskLen: 8 }
      await ask('PUT', path, { body: { Switch: { UserSubnet: some } } })
      assert.deepEqual((await ask('GET', path)).body.Switch.UserSubnet, some)
      const cleared = await ask('PUT', path, { body: { Switch: { UserSubnet: none } } })
      assert.deepEqual([cleared.status, cleared.body.Switch.UserSubnet], [200, null])
      assert.equal((await ask('GET', path)).body.Switch.UserSubnet, null)
    })

    test('keeps its icon, shows it in lists too, and takes the ID 0 for none', async (t) => {
      const { ask, createSwitch } = await open(t)
      const path = `/switch/${await createSwitch('lan', { Icon: { ID: '112233445566' } })}`
      await ask('PUT', path, { body: { Switch: { Name: 'other' } } })
      assert.deepEqual((await ask('GET', path)).body.Switch.Icon, { ID: '112233445566' })
      const listed = (await ask('GET', '/switch')).body.Switches[0]
      assert.deepEqual(listed.Icon, { ID: '112233445566' })
      await ask('PUT', path, { body: { Switch: { Icon: { ID: 0, Tags: [] } } } })
      assert.equal((await ask('GET', path)).body.Switch.Icon, null)
      const broken = { Switch: { Icon: { ID: 'a\0b' } } }
      assert.equal((await ask('PUT', path, { body: broken })).status, 400)
    })

    test('lists those of the zone and the account, a page of them and by name', async (t) => {
      const { ask, createSwitch } = await open(t)
      for (const name of ['b', 'a', 'c']) await createSwitch(name)
      await createSwitch('elsewhere', {}, 'tk1a')
      const { body } = await ask('GET', `/switch${search({ From: 1, Count: 1, Sort: ['Name'] })}`)
      assert.deepEqual([body.From, body.Count, body.Total], [1, 1, 3])
      assert.deepEqual([body.Switches[0].Name, body.Switches[0].Index], ['b', 1])
      const named = await ask('GET', `/switch${search({ Filter: { Name: 'c' } })}`)
      assert.equal(named.body.Total, 1)
      assert.equal((await ask('GET', '/switch', { token: 'other-token' })).body.Total, 0)
      assert.equal((await ask('GET', `/switch${search({ Sort: ['No'] })}`)).status, 400)
    })

    test('answers 404 in another zone and to another account, 400 for a broken field', async (t) => {
      const { ask, createSwitch } = await open(t)
      const id = await createSwitch('lan')
      const body = { Switch: { Name: 'x' } }
      for (const elsewhere of [{ zone: 'tk1a' }, { token: 'other-token' }]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          assert.equal((await ask(method, `/switch/${id}`, { ...elsewhere, body })).status, 404)
        }
      }
      for (const [path, broken] of [
        ['Name', { Name: 'x'.repeat(256) }],
        ['UserSubnet\\.DefaultRoute', { UserSubnet: { DefaultRoute: 'x', NetworkMaskLen: 24 } }],
        [
          'UserSubnet\\.NetworkMaskLen',
          { UserSubnet: { DefaultRoute: '10.0.0.1', NetworkMaskLen: 31 } },
        ],
        [
          'UserSubnet\\.NetworkMaskLen',
          { UserSubnet: { DefaultRoute: '10.0.0.1', NetworkMaskLen: 0 } },
        ],
        ['UserSubnet\\.DefaultRoute', { UserSubnet: { DefaultRoute: '', NetworkMaskLen: 24 } }],
      ] as const) {
        for (const [method, target] of [
          ['POST', '/switch'],
          ['PUT', `/switch/${id}`],
        ] as const) {
          const answer = await ask(method, target, { body: { Switch: broken } })
          assert.equal(answer.status, 400)
          assert.match(answer.body.error_msg, new RegExp(`Switch\\.${path}`))
        }
      }
    })
  })

  describe(`/appliance/{appliance_id}/interface/1/to/switch on ${engine.name}`, () => {
    test('connects the private interface, which is then shown, and disconnects it', async (t) => {
      const { ask, ready, read, createSwitch, connect } = await open(t)
      const id = await ready()
      const UserSubnet = { DefaultRoute: '192.168.1.1', NetworkMaskLen: 24 }
      const lan = await createSwitch('lan', { UserSubnet })
      assert.deepEqual((await connect(id, lan)).body, { Success: true, is_ok: true })
      const { Interfaces } = await read(id)
      assert.equal(Interfaces.length, 2)
      assert.deepEqual(Interfaces[1], {
        IPAddress: null,
        UserIPAddress: null,
        HostName: null,
        Switch: { ID: lan, Name: 'lan', Scope: 'user', Subnet: null, UserSubnet },
      })
      assert.equal((await ask('GET', `/switch/${lan}`)).body.Switch.ApplianceCount, 1)
      const listed = (await ask('GET', '/appliance')).body.Appliances[0]
      assert.equal(listed.Interfaces[1].Switch.ID, lan)
      const off = await ask('DELETE', `/appliance/${id}/interface/1/to/switch`)
      assert.deepEqual(off.body, { Success: true, is_ok: true })
      assert.equal((await read(id)).Interfaces.length, 1)
    })

    test('answers 409 conflict when connected already, or not at all', async (t) => {
      const { ask, ready, createSwitch, connect } = await open(t)
      const id = await ready()
      const [one, two] = [await createSwitch('one'), await createSwitch('two')]
      const off = () => ask('DELETE', `/appliance/${id}/interface/1/to/switch`)
      assert.deepEqual((await off()).body.error_code, 'conflict')
      await connect(id, one)
      for (const target of [one, two]) {
        const again = await connect(id, target)
        assert.deepEqual([again.status, again.body.error_code], [409, 'conflict'])
      }
    })

    test('answers 400 when the switch serves another gateway, also when two ask at once', async (t) => {
      const { ready, createSwitch, connect } = await open(t)
      const gateways = [await ready('one'), await ready('two'), await ready('three')]
      const lan = await createSwitch('lan')
      const answers = await Promise.all(gateways.map((id) => connect(id, lan)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
    })

    test('answers 404 for a switch of another zone, and for another interface', async (t) => {
      const { ask, ready, createSwitch, connect } = await open(t)
      const id = await ready()
      assert.equal((await connect(id, await createSwitch('lan', {}, 'tk1a'))).status, 404)
      const lan = await createSwitch('lan')
      const other = await ask('PUT', `/appliance/${id}/interface/0/to/switch/${lan}`)
      assert.equal(other.status, 404)
    })

    test('keeps a switch from being deleted with 409 conflict, until the gateway is gone', async (t) => {
      const { ask, ready, createSwitch, connect } = await open(t)
      const id = await ready()
      const lan = await createSwitch('lan')
      await connect(id, lan)
      const refused = await ask('DELETE', `/switch/${lan}`)
      assert.deepEqual([refused.status, refused.body.error_code], [409, 'conflict'])
      await ask('DELETE', `/appliance/${id}`)
      assert.equal((await ask('DELETE', `/switch/${lan}`)).status, 200)
    })
  })
}
