import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { gatewayDraft, openGateways } from '../../testing/gateways.ts'

for (const engine of engines) {
  const open = (t: TestContext, ...args: string[]) => openGateways(t, engine, args)

  describe(`POST /appliance on ${engine.name}`, () => {
    test('STATE-GATEWAY-01: answers 202 Accepted with a gateway that is migrating', async (t) => {
      const { ask } = await open(t)
      const body = gatewayDraft('gate', { Description: 'first', Tags: ['a'], Noise: 1 })
      const answer = await ask('POST', '/appliance', { body })
      assert.equal(answer.status, 202)
      const { Appliance, ...envelope } = answer.body
      assert.deepEqual(envelope, {
        Success: 'Accepted',
        ReturnCode: 0,
        ResponseHeaders: { Status: '202 Accepted', Cause: null },
        Out: null,
        is_ok: true,
      })
      assert.match(Appliance.ID, /^9\d{11}$/)
      assert.deepEqual(Appliance, {
        ID: Appliance.ID,
        Class: 'mobilegateway',
        Name: 'gate',
        Description: 'first',
        Plan: { ID: 2 },
        Settings: null,
        SettingsHash: null,
        Remark: { Servers: [{}], Switch: { Scope: 'shared' }, Zone: { ID: '31001' } },
        Availability: 'migrating',
        Instance: null,
        ServiceClass: 'cloud/appliance/mobilegateway/1',
        CreatedAt: '2026-04-01T00:00:00+09:00',
        Icon: null,
        Switch: null,
        Interfaces: [],
        Tags: ['a'],
      })
    })

    test('is available and up with a public address after the time of provisioning', async (t) => {
      const { create, read, wait } = await open(t, '--provisioning-seconds', '5')
      const id = await create()
      await wait(4.999)
      assert.equal((await read(id)).Availability, 'migrating')
      await wait(0.001)
      const made = await read(id)
      assert.equal(made.Availability, 'available')
      assert.deepEqual(made.Instance, {
        Status: 'up',
        StatusChangedAt: '2026-04-01T00:00:05+09:00',
      })
      const [{ IPAddress, ...rest }, ...others] = made.Interfaces
      assert.match(IPAddress, /^198\.1[89]\.\d+\.\d+$/)
      assert.deepEqual(others, [])
      assert.equal(made.Remark.MobileGateway.GlobalAddress, IPAddress)
      assert.deepEqual(rest, {
        UserIPAddress: null,
        HostName: null,
        Switch: {
          ID: '999999999999',
          Name: 'shared',
          Scope: 'shared',
          Subnet: {
            NetworkAddress: '198.18.0.0',
            NetworkMaskLen: 15,
            DefaultRoute: '198.18.0.1',
            Internet: { BandWidthMbps: 100 },
          },
          UserSubnet: { DefaultRoute: '198.18.0.1', NetworkMaskLen: 15 },
        },
      })
    })

    test('answers as migrating and is available at once when provisioning takes no time', async (t) => {
      const { ask, read } = await open(t, '--provisioning-seconds', '0')
      const made = await ask('POST', '/appliance', { body: gatewayDraft('gate') })
      assert.equal(made.body.Appliance.Availability, 'migrating')
      assert.equal((await read(made.body.Appliance.ID)).Availability, 'available')
    })

    test('stores settings that come along, and applies nothing', async (t) => {
      const { create, read } = await open(t)
      const id = await create('gate', {
        Settings: { MobileGateway: { InternetConnection: { Enabled: 'True' } } },
      })
      const { Settings } = await read(id)
      assert.deepEqual(Settings, { MobileGateway: { InternetConnection: { Enabled: 'True' } } })
    })

    test('answers 400 that names the field, and makes nothing', async (t) => {
      const { ask } = await open(t)
      const cases: [string, object][] = [
        ['Class', { Class: 'loadbalancer' }],
        ['Plan', { Plan: null }],
        ['Plan\\.ID', { Plan: { ID: 0 } }],
        ['Plan\\.ID', { Plan: { ID: '2' } }],
        ['Remark\\.Switch\\.Scope', { Remark: { Switch: { Scope: 'user' } } }],
        ['Name', { Name: 'x'.repeat(256) }],
        ['Tags\\[0\\]', { Tags: ['line\nbreak'] }],
        [
          'Settings\\.MobileGateway\\.StaticRoutes\\[0\\]\\.Prefix',
          { Settings: { MobileGateway: { StaticRoutes: [{ Prefix: 'x', NextHop: '10.0.0.1' }] } } },
        ],
      ]
      for (const [path, more] of cases) {
        const answer = await ask('POST', '/appliance', { body: gatewayDraft('g', more) })
        assert.equal(answer.status, 400, path)
        assert.equal(answer.body.error_code, 'bad_request')
        assert.match(answer.body.error_msg, new RegExp(`Appliance\\.${path}`))
      }
      assert.equal((await ask('GET', '/appliance')).body.Total, 0)
    })

    test('accepts the limits themselves, and the noise that clients send', async (t) => {
      const { ask } = await open(t)
      const body = gatewayDraft('x'.repeat(255), {
        Description: null,
        Tags: null,
        Icon: { ID: 0, Tags: [] },
        Settings: null,
        SettingsHash: 'f'.repeat(32),
        Plan: { ID: 1, Name: 'x' },
        Remark: { Servers: null, Switch: { Scope: 'shared' } },
        CreatedAt: '0001-01-01T00:00:00Z',
      })
      assert.equal((await ask('POST', '/appliance', { body })).status, 202)
    })

    test('keeps the icon, shows it in lists too, and takes the ID 0 for none', async (t) => {
      const { ask, create, read } = await open(t)
      const id = await create('gw', { Icon: { ID: 112233445566 } })
      await ask('PUT', `/appliance/${id}`, { body: { Appliance: { Name: 'other' } } })
      assert.deepEqual((await read(id)).Icon, { ID: '112233445566' })
      const listed = (await ask('GET', '/appliance')).body.Appliances[0]
      assert.deepEqual(listed.Icon, { ID: '112233445566' })
      const body = { Appliance: { Icon: { ID: 0, Tags: [] } } }
      assert.equal((await ask('PUT', `/appliance/${id}`, { body })).body.Appliance.Icon, null)
      assert.equal((await read(id)).Icon, null)
    })

    test('gives each gateway an address of its own, also at once, until none is free', async (t) => {
      const { ask, operator, wait } = await open(t)
      // Sixteen addresses, of which the network, its default route and the broadcast are not given.
      await operator('POST', '/world', {
        body: { version: 1, settings: { public_addresses: '203.0.113.16/28' } },
      })
      const answers = await Promise.all(
        Array.from({ length: 15 }, (_, n) =>
          ask('POST', '/appliance', { body: gatewayDraft(`g${n}`) }),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [...Array(13).fill(202), 503, 503])
      await wait(3)
      const list = async () => (await ask('GET', '/appliance')).body
      const { Total, Appliances } = await list()
      assert.equal(Total, 13)
      const addresses = Appliances.map(
        (found: { Interfaces: { IPAddress: string }[] }) => found.Interfaces[0]?.IPAddress,
      )
      const all = Array.from({ length: 13 }, (_, n) => `203.0.113.${18 + n}`)
      assert.deepEqual([...addresses].sort(), all)

      const [first] = Appliances
      await ask('DELETE', `/appliance/${first.ID}`)
      const again = await ask('POST', '/appliance', { body: gatewayDraft('again') })
      assert.equal(again.status, 202)
      await wait(3)
      const back = (await list()).Appliances.at(-1)
      assert.equal(back.Interfaces[0].IPAddress, first.Interfaces[0].IPAddress)
    })
  })

  describe(`GET /appliance on ${engine.name}`, () => {
    test('gives Total of the whole, the page asked for and its Index', async (t) => {
      const { ask, create } = await open(t)
      const ids: string[] = []
      for (const name of ['c', 'a', 'b', 'd']) ids.push(await create(name))
      await create('elsewhere', {}, 'tk1a')
      await ask('DELETE', `/appliance/${ids[3]}`)
      const query = { From: 1, Count: 2, Sort: ['Name'], Filter: { Class: 'mobilegateway' } }
      const { body } = await ask('GET', `/appliance${search(query)}`)
      assert.deepEqual([body.From, body.Count, body.Total], [1, 2, 3])
      assert.deepEqual(
        body.Appliances.map((found: { Index: number; Name: string }) => [found.Index, found.Name]),
        [
          [1, 'b'],
          [2, 'c'],
        ],
      )
    })

    test('finds by every field that it shows, and no other class', async (t) => {
      const { ask, create, wait, read } = await open(t)
      const tokyo = await create('Tokyo gate', { Tags: ['red'], Plan: { ID: 7 } })
      await wait(3)
      const osaka = await create('Osaka gate', {
        Settings: { MobileGateway: { InternetConnection: { Enabled: 'True' } } },
      })
      const found = async (filter: object) => {
        const { body } = await ask('GET', `/appliance${search({ Filter: filter })}`)
        const names = body.Appliances.map(({ ID }: { ID: string }) => ID)
        assert.equal(body.Total, names.length, JSON.stringify(filter))
        return names
      }
      assert.deepEqual(await found({ 'Appliances.Class': 'mobilegateway' }), [tokyo, osaka])
      assert.deepEqual(await found({ Class: ['mobilegateway'] }), [tokyo, osaka])
      assert.deepEqual(await found({ Class: 'mobile' }), [])
      for (const other of ['loadbalancer', 'vpcrouter', 'database', 'nfs']) {
        assert.deepEqual(await found({ Class: other }), [])
      }
      assert.deepEqual(await found({ Name: 'GATE tokyo' }), [tokyo])
      assert.deepEqual(await found({ 'Tags.Name': ['red'] }), [tokyo])
      assert.deepEqual(await found({ Availability: 'migrating' }), [osaka])
      assert.deepEqual(await found({ 'Instance.Status': 'up', Class: 'mobilegateway' }), [tokyo])
      assert.deepEqual(await found({ 'Plan.ID': 7 }), [tokyo])
      assert.deepEqual(await found({ 'Remark.Zone.ID': '31001' }), [tokyo, osaka])
      assert.deepEqual(await found({ SettingsHash: (await read(osaka)).SettingsHash }), [osaka])
      await wait(3)
      assert.deepEqual(await found({ Availability: 'migrating' }), [])
      assert.deepEqual(await found({ 'Instance.StatusChangedAt>': '2026-04-01T00:00:04+09:00' }), [
        osaka,
      ])
    })

    test('answers 400 for a broken search object and for an unknown field', async (t) => {
      const { ask } = await open(t)
      for (const query of ['?{broken', '?From=-1', search({ Sort: ['Nothing'] })]) {
        assert.equal((await ask('GET', `/appliance${query}`)).status, 400, query)
      }
    })
  })
}
