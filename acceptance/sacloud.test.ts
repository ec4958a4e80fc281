/** The requests of existing clients, as they put them on the wire, with the types that they decode. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  APPLIANCE,
  ITEM,
  PAGE,
  REGION,
  RUNNING,
  SIM,
  SITE,
  SUBNET,
  SWITCH,
} from './client-shapes.ts'
import { engines } from './engines.ts'
import { sendRaw } from './raw-http.ts'
import { type Clients, ICCID, open } from './sacloud-clients.ts'
import { assertShape, type Shape } from './shapes.ts'

async function makeSim({ iaas }: Clients): Promise<string> {
  const made = await iaas('POST', '/commonserviceitem', {
    CommonServiceItem: {
      Name: 'zz 99',
      Status: { ICCID },
      Remark: { PassCode: 'pass000001' },
      Provider: { Class: 'sim' },
      // Noise that the clients send along.
      Icon: { ID: 0, Tags: [] },
      Tags: null,
      CreatedAt: '0001-01-01T00:00:00Z',
      ServiceClass: 'cloud/sim/1',
    },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assertShape(made.body, { CommonServiceItem: ITEM, Success: 'boolean' })
  return made.body.CommonServiceItem.ID
}

for (const engine of engines) {
  describe(`existing clients on ${engine.name}`, () => {
    test('send queries and bodies in forms of their own, and are understood', async (t) => {
      const clients = await open(t, engine)
      const { port, iaas, authorization } = clients
      await clients.operator('POST', '/world', {
        version: 1,
        sim_cards: [{ iccid: ICCID, passcode: 'pass000001', imsi: ['440100000000001'] }],
      })
      await makeSim(clients)
      const found = async (query: string) =>
        (await iaas('GET', `/commonserviceitem${query}`)).body.CommonServiceItems.length
      const sims = await found('?{"Filter":{"Provider.Class":["sim"]}}')
      assert.ok(sims > 0)
      const raw =
        '{"Count":0,"From":0,"Filter":{"Provider.Class":["sim"]},"Include":["*","Status.sim"]}'
      assert.equal(await found(`?${raw}`), sims)
      assert.equal(await found(`?${encodeURIComponent(raw)}`), sims)
      assert.equal(await found('?{"Filter":{"Name":"zz%2099","Provider.Class":"sim"}}'), 1)
      assert.equal(await found('?From=0'), await found(''))
      assert.equal((await iaas('GET', '/commonserviceitem.json')).status, 200)
      assert.equal((await iaas('GET', '/auth-status.json')).status, 200)
      for (const zone of ['tk1a', 'tk1b', 'is1a', 'is1b', 'is1c', 'tk1v']) {
        const line = `GET /cloud/zone/${zone}/api/cloud/1.1/appliance`
        assert.equal((await sendRaw(port, { line, headers: { authorization } })).status, 200, zone)
      }
      const listed = await iaas('GET', `/commonserviceitem?${raw}`)
      assertShape(listed.body, {
        ...PAGE,
        CommonServiceItems: [{ ...ITEM, Index: 'integer', Status: { ICCID: 'string', sim: SIM } }],
      })
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', '']) {
        const made = await sendRaw(port, {
          line: 'POST /cloud/zone/is1a/api/cloud/1.1/switch',
          headers: { authorization, ...(type === '' ? {} : { 'Content-Type': type }) },
          body: JSON.stringify({ Switch: { Name: 'any type' } }),
        })
        assert.equal(made.status, 201, type)
      }
      const pretty = await sendRaw(port, {
        line: 'GET /cloud/zone/is1a/api/cloud/1.1/zone',
        headers: { authorization, 'X-Sakura-API-Beautify': '1' },
      })
      assert.equal(pretty.status, 200)
    })

    test('decode what SIMs, gateways and switches answer', async (t) => {
      const clients = await open(t, engine)
      const { iaas } = clients
      await clients.operator('POST', '/world', {
        version: 1,
        sim_cards: [{ iccid: ICCID, passcode: 'pass000001', imsi: ['440100000000001'] }],
      })
      const id = await makeSim(clients)
      const sim = `/commonserviceitem/${id}`
      const ok: Shape = { is_ok: 'boolean' }
      const lines: [string, string, Shape, unknown?][] = [
        [
          'PUT',
          sim,
          { CommonServiceItem: ITEM, Success: 'boolean' },
          {
            CommonServiceItem: { Name: 'n', Description: 'd', Tags: ['t'], Icon: { ID: 0 } },
          },
        ],
        ['GET', `${sim}/sim/status`, { sim: SIM }],
        ['PUT', `${sim}/sim/activate`, ok],
        [
          'GET',
          `${sim}/sim/network_operator_config`,
          {
            network_operator_config: [{ name: 'string', country_code: 'string', allow: 'boolean' }],
          },
        ],
        [
          'PUT',
          `${sim}/sim/network_operator_config`,
          ok,
          {
            network_operator_config: [{ name: 'SoftBank', allow: true }],
          },
        ],
        ['PUT', `${sim}/sim/imeilock`, ok, { sim: { imei: '490154203237518' } }],
        ['GET', `${sim}/sim/sessionlog?{"Count":10}`, { logs: [{}], Count: 'integer' }],
        ['GET', `${sim}/sim/metrics`, { Data: {} }],
        ['GET', `${sim}/sim/metrics/monitor`, { Data: {} }],
        ['GET', '/appliance?{"Filter":{"Class":"loadbalancer"}}', { ...PAGE, Appliances: [] }],
        ['GET', '/appliance?{"Filter":{"Class":"vpcrouter"}}', { ...PAGE, Appliances: [] }],
        ['GET', '/appliance?{"Filter":{"Class":"database"}}', { ...PAGE, Appliances: [] }],
        ['GET', '/appliance?{"Filter":{"Class":"nfs"}}', { ...PAGE, Appliances: [] }],
        [
          'GET',
          '/appliance?{"Filter":{"Class":"mobilegateway"}}',
          {
            ...PAGE,
            Appliances: [{ ...APPLIANCE, Index: 'integer' }],
          },
        ],
        ['GET', '/switch', { ...PAGE, Switches: [SWITCH] }],
        ['GET', '/zone', { ...PAGE, Zones: [{ ID: 'integer', Name: 'string', Region: REGION }] }],
        ['GET', '/zone/31001', { Zone: { ID: 'integer', Name: 'string', Region: REGION } }],
        ['GET', '/region', { ...PAGE, Regions: [REGION] }],
        [
          'GET',
          '/auth-status',
          {
            Account: { ID: 'string', Code: 'string' },
            ExternalPermission: 'string',
            IsAPIKey: 'boolean',
          },
        ],
      ]
      for (const [method, path, shape, body] of lines) {
        const answer = await iaas(method, path, body)
        assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
        assertShape(answer.body, shape, `${method} ${path}`)
      }
      assert.equal((await iaas('GET', `${sim}/sim/status`)).body.sim.imei_lock, true)
      const item = (await iaas('GET', sim)).body.CommonServiceItem
      assert.deepEqual(item.Provider, {
        ...{ ID: 8000001, Class: 'sim' },
        ...{ Name: 'sakura-sim', ServiceClass: 'cloud/sim' },
      })
    })

    test('walk a gateway through its whole life, refusals included', async (t) => {
      const clients = await open(t, engine)
      const { iaas, advance } = clients
      await clients.operator('POST', '/world', {
        version: 1,
        sim_cards: [{ iccid: ICCID, passcode: 'pass000001', imsi: ['440100000000001'] }],
      })
      const simId = await makeSim(clients)
      const made = await iaas('POST', '/appliance', {
        Appliance: {
          ...{ Class: 'mobilegateway', Name: 'gw', Description: '', Tags: null },
          ...{ Plan: { ID: 2 }, Icon: { ID: 0, Tags: [] } },
          Remark: { Switch: { Scope: 'shared' }, Servers: [{}] },
          Settings: { MobileGateway: { InternetConnection: { Enabled: 'True' } } },
        },
      })
      assert.equal(made.status, 202)
      assertShape(made.body, { Appliance: APPLIANCE, Success: 'string' })
      const id = `/appliance/${made.body.Appliance.ID}`
      const gateway = async () => (await iaas('GET', id)).body.Appliance
      const code = async (...request: Parameters<typeof iaas>) =>
        (await iaas(...request)).body.error_code
      assert.equal((await gateway()).Availability, 'migrating')
      assert.equal(await code('PUT', `${id}/power`), 'still_creating')

      await advance('3s')
      assertShape(await gateway(), RUNNING)
      assert.deepEqual((await gateway()).Instance.Status, 'down')
      assertShape((await gateway()).Interfaces[0].Switch.Subnet, SUBNET)
      const lan = (await iaas('POST', '/switch', { Switch: { Name: 'lan' } })).body.Switch
      assertShape(lan, SWITCH)
      assert.equal((await iaas('PUT', `${id}/interface/1/to/switch/${lan.ID}`)).status, 200)
      assert.equal((await gateway()).Interfaces[1].Switch.ID, lan.ID)
      assert.equal((await iaas('DELETE', `/switch/${lan.ID}`)).status, 409)

      assert.equal(
        (await iaas('POST', `${id}/mobilegateway/sims`, { sim: { resource_id: simId } })).status,
        200,
      )
      const routes = { sim_routes: [{ resource_id: simId, prefix: '192.168.100.0/24' }] }
      assert.equal(await code('PUT', `${id}/mobilegateway/simroutes`, routes), 'conflict')
      const { SettingsHash } = await gateway()
      const Settings = {
        MobileGateway: {
          InternetConnection: { Enabled: 'True' },
          InterDeviceCommunication: { Enabled: 'False' },
          Interfaces: [null, { IPAddress: ['192.168.0.1'], NetworkMaskLen: 24 }],
        },
      }
      const set = await iaas('PUT', id, { Appliance: { Settings, SettingsHash } })
      assert.equal(set.status, 200)
      const stale = { Appliance: { Settings, SettingsHash } }
      assert.equal(await code('PUT', id, stale), 'original_hash_mismatch')
      assert.equal((await iaas('PUT', `${id}/config`)).status, 200)
      assert.equal((await iaas('PUT', `${id}/mobilegateway/simroutes`, routes)).status, 200)
      assertShape((await iaas('GET', `${id}/mobilegateway/simroutes`)).body.sim_routes, [
        { iccid: 'string', prefix: 'string', resource_id: 'string' },
      ])

      await walkParts(clients, id)
      assert.equal((await iaas('PUT', `${id}/power`)).status, 200)
      assert.equal((await gateway()).Instance.Status, 'up')
      assert.equal(await code('PUT', `${id}/power`), 'conflict')
      assert.equal((await iaas('PUT', `${id}/reset`)).status, 200)
      const refused = await iaas('DELETE', id)
      assert.equal(refused.body.error_code, 'server_power_must_be_down')
      assert.equal((await iaas('DELETE', `${id}/power`, { Force: true })).status, 200)
      assert.equal((await gateway()).Instance.Status, 'down')
      assert.equal((await iaas('DELETE', `${id}/mobilegateway/sims/${simId}`)).status, 200)
      assert.equal((await iaas('DELETE', `${id}/interface/1/to/switch`)).status, 200)
      assert.equal((await iaas('DELETE', id)).status, 200)
      assertShape((await iaas('GET', `/switch/${lan.ID}/server`)).body, { ...PAGE, Servers: [] })
      assert.equal((await iaas('DELETE', `/switch/${lan.ID}`)).status, 200)
    })

    test('decode what the web accelerator answers', async (t) => {
      const { web } = await open(t, engine)
      const made = await web('POST', '/site', {
        Site: {
          ...{ Name: 'shop', DomainType: 'subdomain', OriginType: '0', OriginProtocol: 'https' },
          ...{ Origin: 'origin.example.jp', RequestProtocol: '0', DefaultCacheTTL: 0 },
          CORSRules: [{ AllowsAnyOrigin: true, AllowedOrigins: null }],
        },
      })
      assert.equal(made.status, 200, JSON.stringify(made.body))
      assertShape(made.body, { Site: SITE })
      const site = `/site/${made.body.Site.ID}`
      assert.deepEqual((await web('GET', `${site}/certificate`)).body.Certificate, [])
      const tokens: Shape = { OriginGuardToken: 'string', NextOriginGuardToken: 'string' }
      const upload = { Bucket: 'b', Endpoint: 'https://s3.example.jp', Region: 'r' }
      const key = { AccessKeyID: 'k', SecretAccessKey: 's', Status: 'enabled' }
      const lines: [string, string, Shape, unknown?][] = [
        ['GET', '/site', { Total: 'integer', CountLimit: 'integer', Sites: [SITE] }],
        [
          'PUT',
          site,
          { Site: SITE },
          {
            Site: {
              CORSRules: [{ AllowsAnyOrigin: false, AllowedOrigins: ['https://a.example'] }],
            },
          },
        ],
        ['PUT', `${site}/acl`, { ACL: 'string' }, { ACL: 'deny 192.0.2.5/25\nallow all' }],
        ['GET', `${site}/acl`, { ACL: 'string' }],
        ['DELETE', `${site}/acl`, { is_ok: 'boolean' }],
        ['POST', `${site}/origin-guard-token`, tokens],
        ['POST', `${site}/origin-guard-token/next`, tokens],
        ['DELETE', `${site}/origin-guard-token/next`, tokens],
        ['DELETE', `${site}/origin-guard-token`, tokens],
        ['POST', `${site}/auto-cert-update`, { is_ok: 'boolean' }, { Type: 'letsencrypt' }],
        ['DELETE', `${site}/auto-cert-update`, { is_ok: 'boolean' }],
        [
          'PUT',
          `${site}/log-upload-config`,
          { SiteLogUploadConfig: { Bucket: 'string' } },
          {
            SiteLogUploadConfig: { ...upload, ...key },
          },
        ],
        ['GET', `${site}/log-upload-config`, { SiteLogUploadConfig: { Bucket: 'string' } }],
        ['DELETE', `${site}/log-upload-config`, { is_ok: 'boolean' }],
        [
          'POST',
          '/deletecache',
          { Results: [{ URL: 'string', Status: 'integer' }] },
          {
            URL: [`https://${made.body.Site.Domain}/a`],
          },
        ],
        [
          'POST',
          '/deleteallcache',
          { is_ok: 'boolean' },
          { Site: { Domain: made.body.Site.Domain } },
        ],
        [
          'GET',
          '/monthlyusage?target=',
          { MonthlyUsages: [{ SiteID: 'string', Price: 'integer' }] },
        ],
        ['DELETE', site, { Site: SITE }],
      ]
      for (const [method, path, shape, body] of lines) {
        const answer = await web(method, path, body)
        assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
        assertShape(answer.body, shape, `${method} ${path}`)
      }
    })
  })
}

/** What is below a gateway, before and after it is set. */
async function walkParts({ iaas }: Clients, id: string): Promise<void> {
  const part = (name: string) => `${id}/mobilegateway/${name}`
  assert.deepEqual((await iaas('GET', part('dnsresolver'))).body.sim_group, [])
  const dns = { sim_group: { dns_1: '192.0.2.53', dns_2: '192.0.2.54' } }
  assert.equal((await iaas('PUT', part('dnsresolver'), dns)).status, 200)
  assert.equal((await iaas('GET', part('traffic_monitoring'))).status, 404)
  const config = {
    traffic_monitoring_config: {
      ...{ traffic_quota_in_mb: 10, bandwidth_limit_in_kbps: 64, auto_traffic_shaping: true },
      ...{ email_config: { enabled: false } },
      slack_config: { enabled: true, slack_url: 'https://chat.example.jp/hook' },
    },
  }
  assert.equal((await iaas('PUT', part('traffic_monitoring'), config)).status, 200)
  const read = await iaas('GET', part('traffic_monitoring'))
  assert.deepEqual(read.body.traffic_monitoring_config, config.traffic_monitoring_config)
  assertShape((await iaas('GET', part('traffic_status'))).body, {
    traffic_status: {
      ...{ uplink_bytes: 'string', downlink_bytes: 'string', traffic_shaping: 'boolean' },
    },
  })
  assertShape((await iaas('GET', part('sims'))).body, { sim: [SIM], Total: 'integer' })
  assertShape((await iaas('GET', `${id}/interface/monitor`)).body, { Data: {} })
  assertShape((await iaas('GET', `${id}/interface/1/monitor`)).body, { Data: {} })
}
