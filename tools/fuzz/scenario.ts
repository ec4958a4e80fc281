/**
 * A walk through every operation that clients have, each in the state that it needs, so that each is answered
 * with a success at least once. The fuzzer puts its mutations of a step before the step.
 */
import { gatewayDraft, settingsBody } from '../../packages/server/src/testing/gateways.ts'
import { iccidOf, draft as simDraft } from '../../packages/server/src/testing/sims.ts'
import { RESET } from './commands.ts'
import { networkSteps } from './scenario-network.ts'
import { operatorSteps } from './scenario-operator.ts'
import { smsSteps } from './scenario-sms.ts'
import { webSteps } from './scenario-web.ts'
import { type Pool, type Step, step } from './step.ts'

const item = (Class: string) => ({
  body: { CommonServiceItem: { Name: 'a', Provider: { Class } } },
})
const gateway = (pool: Pool) => ({ params: { appliance_id: pool.get('gateway') } })
const sim = (pool: Pool) => ({ params: { sim_id: pool.get('sim') } })
const project = (pool: Pool) => ({ params: { project_id: pool.get('project') } })
const link = (pool: Pool) => ({
  params: { project_id: pool.get('project'), sim_id: pool.get('device') },
})
const file = (pool: Pool) => ({ params: { project_id: pool.get('project'), file_id: 'a.txt' } })
const switchOf = (pool: Pool) => ({ params: { switch_id: pool.get('switch') } })
const wait = step('clockAdvance', { body: { by: '10s' } })
/** Until a webhook that nobody answers is given up; with many of them it takes seconds. */
export const longWait = step('clockAdvance', { body: { by: '5d' } })
const id = 'CommonServiceItem.ID'

const begin: readonly Step[] = [
  RESET,
  step('authStatus', {}, { account: 'Account.ID', member: 'Member.Code' }),
  step('authContext'),
  step('ownQuotaList'),
  step('ownAuditList', { query: { Operation: 'itemCreate' } }),
  step('zoneList', {}, { zone: 'Zones.0.ID', region: 'Zones.0.Region.ID' }),
  step('zoneRead', (pool) => ({ params: { zone_id: pool.get('zone') } })),
  step('regionList'),
  step('regionRead', (pool) => ({ params: { region_id: pool.get('region') } })),
  step('priceList', { headers: { 'x-requested-with': 'XMLHttpRequest' } }),
]

const sims: readonly Step[] = [
  step('itemCreate', { body: simDraft(1) }, { sim: id }),
  step('itemCreateByPut', { body: simDraft(2) }, { device: id }),
  step('simActivate', sim),
  step('simStatus', sim),
  step('simCarriersSet', (pool) => ({
    ...sim(pool),
    body: { network_operator_config: [{ name: 'carrier-a', allow: true }] },
  })),
  step('simCarriersRead', sim),
  step('simImeiLock', (pool) => ({ ...sim(pool), body: { sim: { imei: '350000000000001' } } })),
  step('simImeiUnlock', sim),
  step('itemList', {
    query: { Include: ['*', 'Status.sim'], Filter: { 'Provider.Class': 'sim' } },
  }),
]

const gateways: readonly Step[] = [
  step('gatewayCreate', { body: gatewayDraft('a') }, { gateway: 'Appliance.ID' }),
  wait,
  step('gatewayList', { query: { Filter: { Class: 'mobilegateway' }, Sort: ['-Name'] } }),
  step('gatewayRead', gateway),
  step('gatewayPowerOff', gateway),
  step(
    'switchCreate',
    { body: { Switch: { Name: 'a', UserSubnet: null } } },
    { switch: 'Switch.ID' },
  ),
  step('switchList', { query: { Count: 10 } }),
  step('switchRead', switchOf),
  step('switchUpdate', (pool) => ({ ...switchOf(pool), body: { Switch: { Name: 'b' } } })),
  step('switchServerList', switchOf),
  step('gatewaySwitchConnect', (pool) => ({
    params: { ...gateway(pool).params, ...switchOf(pool).params },
  })),
  step('gatewaySwitchDisconnect', gateway),
  step('switchDelete', switchOf),
  step('gatewayUpdate', (pool) => ({
    ...gateway(pool),
    body: settingsBody({ InternetConnection: { Enabled: 'True' }, StaticRoutes: [] }),
  })),
  step('gatewayConfigure', gateway),
  step('gatewayAppliedRead', gateway),
  step('gatewayPowerOn', gateway),
  step('gatewayReset', gateway),
  step('gatewayDnsUpdate', (pool) => ({
    ...gateway(pool),
    body: { sim_group: { dns_1: '192.0.2.1', dns_2: '192.0.2.2' } },
  })),
  step('gatewayDnsRead', gateway),
  step('gatewaySimAdd', (pool) => ({
    ...gateway(pool),
    body: { sim: { resource_id: pool.get('sim') } },
  })),
  step('gatewaySimList', (pool) => ({ ...gateway(pool), query: { From: 0, Count: 5 } })),
  step('simIpSet', (pool) => ({ ...sim(pool), body: { sim: { ip: '10.0.0.1' } } })),
  step('gatewayRouteUpdate', (pool) => ({
    ...gateway(pool),
    body: { sim_routes: [{ resource_id: pool.get('sim'), prefix: '192.168.9.0/24' }] },
  })),
  step('gatewayRouteList', gateway),
  step('gatewayTrafficControlUpdate', (pool) => ({
    ...gateway(pool),
    body: {
      traffic_monitoring_config: {
        traffic_quota_in_mb: 1,
        auto_traffic_shaping: true,
        bandwidth_limit_in_kbps: 64,
        email_config: { enabled: true },
      },
    },
  })),
  step('gatewayTrafficControlRead', gateway),
  step('deviceAttach', {
    params: { iccid: iccidOf(1) },
    body: { imei: '350000000000001', carrier: 'carrier-a' },
  }),
  step('deviceTraffic', {
    params: { iccid: iccidOf(1) },
    body: { uplink_bytes: 2_000_000, downlink_bytes: 1 },
  }),
  step('sessionList', { query: { Count: 5 } }),
  step('noticeList', { query: { Count: 5 } }, { notice: 'notices.0.id' }),
  // It was kept, since the account had no contact.
  step('accountUpdate', {
    params: { code: 'acme' },
    body: { name: 'Acme', contact: { email: 'owner@example.jp', language: 'ja' } },
  }),
  step('noticeResend', (pool) => ({ params: { notice_id: pool.get('notice') } })),
  step('deviceRefusals', { params: { iccid: iccidOf(1) } }),
  step('refusalList', { query: { Count: 5 } }),
  step('accountTrafficRead', { params: { code: 'acme' }, query: { span: 'month' } }),
  step('accountEventList', { params: { code: 'acme' } }),
  step('accountSmsRead', { params: { code: 'acme' } }),
  wait,
  step('gatewayTrafficRead', gateway),
  step('gatewaySessionLog', (pool) => ({ ...gateway(pool), query: { Count: 3 } })),
  step('gatewayMonitor', gateway),
  step('gatewayInterfaceMonitor', (pool) => ({
    params: { ...gateway(pool).params, interface: '0' },
  })),
  step('simSessionLog', (pool) => ({ ...sim(pool), query: { Count: 3 } })),
  step('simMetrics', (pool) => ({
    ...sim(pool),
    query: { Start: '2026-04-01T00:00:00.000+09:00', End: '2026-04-01T01:00:00.000+09:00' },
  })),
  step('simMetricsMonitor', sim),
  step('simReconnect', sim),
  step('deviceDetach', { params: { iccid: iccidOf(1) } }),
  ...networkSteps,
  step('simIpClear', sim),
  step('gatewayTrafficControlDelete', gateway),
  step('gatewaySimRemove', (pool) => ({
    params: { ...gateway(pool).params, sim_id: pool.get('sim') },
  })),
  step('simDeactivate', sim),
  step('gatewayPowerOff', gateway),
  step('gatewayDelete', gateway),
]

const payload = [
  { tag: '00', type: 'string', value: 'x' },
  { tag: '01', type: 'uint8', value: 1 },
]
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const adapter = (type: string, own: object) => (pool: Pool) => ({
  ...project(pool),
  body: { IoTPlatform: { type, name: type, settings: { [type]: own } } },
})

const iot: readonly Step[] = [
  step('itemCreate', item('iotplatform'), { project: id }),
  step('simActivate', (pool) => ({ params: { sim_id: pool.get('device') } })),
  step('projectSimConnect', link),
  step('projectSimIpSet', link, { deviceId: 'IoTPlatform.device_id' }),
  step('projectSimList', project),
  step('adapterCreate', adapter('incoming-webhook', {}), { incoming: 'IoTPlatform.token' }),
  // Nothing listens there: what is sent there becomes a dead letter.
  step('adapterCreate', adapter('outgoing-webhook', { url: 'http://127.0.0.1:9/' }), {
    adapter: 'IoTPlatform.id',
  }),
  step('adapterList', project),
  step('deviceSecretCreate', { params: { iccid: iccidOf(2) } }, { secret: 'secret' }),
  step('deviceMessageSend', (pool) => ({ ...bearer(pool.get('secret')), body: { payload } }), {
    message: 'message.id',
  }),
  step('operatorMessageSend', { params: { iccid: iccidOf(2) }, body: { payload } }),
  step('incomingWebhookCall', (pool) => ({
    params: { token: pool.get('incoming') },
    body: { device_id: pool.get('deviceId'), payload },
  })),
  step('deviceMessageFetch', (pool) => bearer(pool.get('secret'))),
  step('operatorMessageFetch', { params: { iccid: iccidOf(2) } }),
  step('projectMessageList', (pool) => ({ params: { project_id: pool.get('project') } })),
  longWait,
  step('webhookOutboxList', { query: { Count: 5 } }, { webhook: 'webhooks.0.id' }),
  step('webhookOutboxRead', (pool) => ({ params: { webhook_id: pool.get('webhook') } })),
  step('webhookOutboxRedeliver', (pool) => ({ params: { webhook_id: pool.get('webhook') } })),
  step('adapterDelete', (pool) => ({
    params: { ...project(pool).params, service_adapter_id: pool.get('adapter') },
  })),
  step('fileStat', file),
  step('fileUploadRequest', file, { upload: 'IoTPlatform.token' }),
  step('fileContentPut', (pool) => ({
    ...file(pool),
    headers: {
      authorization: `Bearer ${pool.get('upload')}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    text: '--b\r\nContent-Disposition: form-data; name="attachment"\r\n\r\nhello\r\n--b--\r\n',
  })),
  step('fileDownload', file, { download: 'IoTPlatform.url' }),
  step('fileContentGet', (pool) => ({ params: { token: pool.get('download') } })),
  step('projectSimIpRelease', link),
  step('projectSimDisconnect', link),
]

export const scenario: readonly Step[] = [
  ...begin,
  ...sims,
  ...gateways,
  ...iot,
  ...smsSteps,
  ...webSteps,
  ...operatorSteps,
]
