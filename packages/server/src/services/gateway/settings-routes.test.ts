import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { openGateways, PRIVATE, settingsBody } from '../../testing/gateways.ts'

for (const engine of engines) {
  const open = (t: TestContext) => openGateways(t, engine)

  describe(`PUT /appliance/{appliance_id} on ${engine.name}`, () => {
    const settings = {
      InternetConnection: { Enabled: 'True' },
      Interfaces: PRIVATE,
      StaticRoutes: [{ Prefix: '172.20.0.0/16', NextHop: '192.168.1.254' }],
      InterDeviceCommunication: { Enabled: 'False' },
    }

    test('STATE-GATEWAY-02: stores the settings and answers with them and their hash', async (t) => {
      const { ask, create, read } = await open(t)
      const id = await create()
      const answer = await ask('PUT', `/appliance/${id}`, { body: settingsBody(settings) })
      assert.equal(answer.status, 200)
      const { Appliance, ...envelope } = answer.body
      assert.deepEqual(envelope, {
        Success: true,
        ReturnCode: 0,
        ResponseHeaders: { Status: '200 OK', Cause: null },
        Out: null,
        is_ok: true,
      })
      assert.deepEqual(Appliance.Settings, { MobileGateway: settings })
      assert.match(Appliance.SettingsHash, /^[0-9a-f]{32}$/)
      assert.deepEqual(await read(id), Appliance)
    })

    test('replaces the stored settings whole, and leaves alone what is not sent', async (t) => {
      const { ask, create, read } = await open(t)
      const id = await create('one', { Description: 'd', Tags: ['x'] })
      await ask('PUT', `/appliance/${id}`, { body: settingsBody(settings) })
      await ask('PUT', `/appliance/${id}`, { body: { Appliance: { Name: 'two', Tags: null } } })
      const renamed = await read(id)
      assert.deepEqual([renamed.Name, renamed.Description, renamed.Tags], ['two', 'd', []])
      assert.deepEqual(renamed.Settings, { MobileGateway: settings })
      const little = { InternetConnection: { Enabled: 'False' } }
      const answer = await ask('PUT', `/appliance/${id}`, { body: settingsBody(little) })
      assert.deepEqual(answer.body.Appliance.Settings, { MobileGateway: little })
      assert.notEqual(answer.body.Appliance.SettingsHash, renamed.SettingsHash)
    })

    test('answers 409 original_hash_mismatch when SettingsHash is stale, and stores nothing', async (t) => {
      const { ask, create, read } = await open(t)
      const id = await create()
      const put = (MobileGateway: object, SettingsHash: string | null) =>
        ask('PUT', `/appliance/${id}`, { body: settingsBody(MobileGateway, { SettingsHash }) })
      const on = { InternetConnection: { Enabled: 'True' } }
      const off = { InternetConnection: { Enabled: 'False' } }
      assert.equal((await put(on, 'f'.repeat(32))).body.error_code, 'original_hash_mismatch')
      assert.equal((await read(id)).Settings, null)
      const first = (await put(on, null)).body.Appliance.SettingsHash
      assert.equal((await put(off, first)).status, 200)
      const stale = await put(on, first)
      assert.deepEqual([stale.status, stale.body.error_code], [409, 'original_hash_mismatch'])
      assert.deepEqual((await read(id)).Settings, { MobileGateway: off })
      assert.equal((await put(on, '')).status, 200)
    })

    test('answers 400 that names the path of a broken setting, and stores nothing', async (t) => {
      const { ask, create, read } = await open(t)
      const id = await create()
      const on = (IPAddress: unknown, NetworkMaskLen: unknown = 24) => ({
        Interfaces: [null, { IPAddress, NetworkMaskLen }],
      })
      const route = (Prefix: unknown, NextHop: unknown) => ({ StaticRoutes: [{ Prefix, NextHop }] })
      const cases: [string, object][] = [
        ['InternetConnection\\.Enabled', { InternetConnection: { Enabled: true } }],
        ['InterDeviceCommunication\\.Enabled', { InterDeviceCommunication: { Enabled: 'true' } }],
        ['Interfaces\\[0\\]', { Interfaces: [{ IPAddress: ['10.0.0.1'], NetworkMaskLen: 8 }] }],
        ['Interfaces', { Interfaces: [null, null, null] }],
        ['Interfaces\\[1\\]\\.IPAddress\\[0\\]', on(['203.0.113.1'])],
        ['Interfaces\\[1\\]\\.IPAddress\\[0\\]', on(['192.168.1.256'])],
        ['Interfaces\\[1\\]\\.IPAddress\\[0\\]', on(['192.168.1.0'])],
        ['Interfaces\\[1\\]\\.IPAddress\\[0\\]', on(['192.168.1.255'])],
        ['Interfaces\\[1\\]\\.IPAddress\\[1\\]', on(['192.168.1.1', '192.168.2.1'])],
        ['Interfaces\\[1\\]\\.IPAddress', on([])],
        ['Interfaces\\[1\\]\\.IPAddress', on('192.168.1.1')],
        ['Interfaces\\[1\\]\\.NetworkMaskLen', on(['192.168.1.1'], 7)],
        ['Interfaces\\[1\\]\\.NetworkMaskLen', on(['192.168.1.1'], 31)],
        ['Interfaces\\[1\\]\\.NetworkMaskLen', on(['192.168.1.1'], '24')],
        ['StaticRoutes\\[0\\]\\.Prefix', route('172.20.0.1/16', '192.168.1.254')],
        ['StaticRoutes\\[0\\]\\.Prefix', route('172.20.0.0', '192.168.1.254')],
        ['StaticRoutes\\[0\\]\\.NextHop', route('172.20.0.0/16', 'gateway')],
        ['StaticRoutes\\[0\\]\\.NextHop', route('172.20.0.0/16', 1)],
      ]
      for (const [path, broken] of cases) {
        const answer = await ask('PUT', `/appliance/${id}`, { body: settingsBody(broken) })
        assert.equal(answer.status, 400, JSON.stringify(broken))
        const at = `Appliance\\.Settings\\.MobileGateway\\.${path}`
        assert.match(answer.body.error_msg, new RegExp(at), JSON.stringify(broken))
      }
      assert.equal((await read(id)).Settings, null)
      for (const maskLength of [8, 30]) {
        const fine = settingsBody(on(['192.168.1.1'], maskLength))
        assert.equal((await ask('PUT', `/appliance/${id}`, { body: fine })).status, 200)
      }
    })
  })

  describe(`PUT /appliance/{appliance_id}/config on ${engine.name}`, () => {
    test('STATE-GATEWAY-02, STATE-GATEWAY-03: the network acts on what is applied, not on what is stored', async (t) => {
      const { ask, ready, sim, add, attach, read } = await open(t)
      const id = await ready()
      for (const n of [1, 2, 3]) await add(id, await sim(n))
      const made = await ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
      await ask('PUT', `/appliance/${id}/interface/1/to/switch/${made.body.Switch.ID}`)
      const address = async () => (await read(id)).Interfaces[1].UserIPAddress

      assert.match((await attach(1)).ip, /^10\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./)
      // A network that the private interface is in cannot be the one that devices get addresses of.
      const lan = { Interfaces: [null, { IPAddress: ['10.100.0.1'], NetworkMaskLen: 16 }] }
      await ask('PUT', `/appliance/${id}`, { body: settingsBody(lan) })
      assert.match((await attach(2)).ip, /^10\./)
      assert.equal(await address(), null)

      const applied = await ask('PUT', `/appliance/${id}/config`)
      assert.deepEqual(applied.body, {
        Success: true,
        ReturnCode: 0,
        ResponseHeaders: { Status: '200 OK', Cause: null },
        Out: null,
        is_ok: true,
      })
      assert.match((await attach(3)).ip, /^172\.(1[6-9]|2\d|3[01])\./)
      assert.equal(await address(), '10.100.0.1')

      await ask('PUT', `/appliance/${id}`, { body: settingsBody({}) })
      assert.equal(await address(), '10.100.0.1')
      await ask('PUT', `/appliance/${id}/config`)
      assert.equal(await address(), null)
    })
  })
}
