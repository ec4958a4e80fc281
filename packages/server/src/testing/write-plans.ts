/** Samples for every field that a contract lets a caller write, and where it is read back. */
import { gatewayDraft } from './gateways.ts'
import { IMEI } from './sims.ts'
import { BUCKET } from './webaccel.ts'

export interface Plan {
  /** What is sent, one after the other; together they write each field with two values. */
  readonly samples: readonly object[]
  /** Below the base of the family, `{id}` and `{sim}` filled in. */
  readonly path: string
  readonly read: string
  /** Fields that are not to be read, and why. */
  readonly hidden?: Readonly<Record<string, string>>
  /** Undone before the next sample is sent. */
  readonly undo?: string
  readonly method?: 'POST'
}

const labels = (name: string, tags: string[]) => ({
  Name: name,
  Description: `about ${name}`,
  Tags: tags,
  Icon: { ID: name === 'one' ? '900000000123' : '900000000124' },
})

const gatewaySettings = (enabled: string, address: string, prefix: string) => ({
  MobileGateway: {
    InternetConnection: { Enabled: enabled },
    InterDeviceCommunication: { Enabled: enabled },
    Interfaces: [null, { IPAddress: [address], NetworkMaskLen: 24 }],
    StaticRoutes: [{ Prefix: prefix, NextHop: address.replace(/1$/, '254') }],
  },
})

const WEB_ORIGIN = {
  OriginType: '0',
  OriginProtocol: 'http',
  Origin: 'a.example.jp',
  HostHeader: 'b.example.jp',
}

const SITES = [
  {
    ...{ ...WEB_ORIGIN, Name: 'one', RequestProtocol: '1', DefaultCacheTTL: 60, VarySupport: '1' },
    ...{ NormalizeAE: '3', CORSRules: [{ AllowsAnyOrigin: true }] },
    OnetimeURLSecrets: ['first'],
  },
  {
    ...{ ...WEB_ORIGIN, Origin: 'c.example.jp', HostHeader: 'd.example.jp', Name: 'two' },
    ...{ RequestProtocol: '2', DefaultCacheTTL: -1, VarySupport: '0', NormalizeAE: '1' },
    ...{ CORSRules: [{ AllowedOrigins: ['https://x.example'] }], OnetimeURLSecrets: ['a', 'b'] },
  },
  { ...BUCKET, DocIndex: '1' },
  {
    ...{ ...BUCKET, BucketName: 'other', S3Endpoint: 's4.example.jp', S3Region: 'jp-south-2' },
    ...{ AccessKeyID: 'other-id', SecretAccessKey: 'other-secret', DocIndex: '0' },
  },
]

const SECRET = { 'Site.SecretAccessKey': 'a secret is written, never returned' }

const UPLOAD = { Bucket: 'b', Endpoint: 'https://s3.example.jp', Region: 'r', AccessKeyID: 'k' }

/** Operations with a body that write no field of a resource, or that another plan covers. */
export const OTHERS: Readonly<Record<string, string>> = {
  itemCreate: 'the kinds of items read it each in their way; itemUpdate covers what can be changed',
  itemCreateByPut: 'as itemCreate',
  gatewaySimAdd: 'a member of a list, which gatewaySimList shows',
  adapterCreate: 'adapters.test.ts reads each type back from the list',
  deviceMessageSend: 'an act: a message is sent',
  incomingWebhookCall: 'an act: a message is sent',
  smsSendGenerated: 'an act: a message is sent',
  smsSendGiven: 'an act: a message is sent',
  smsReportReceive: 'an act: a message ends; planes/sms/http.test.ts reads it back',
  cacheDelete: 'an act on caches',
  cacheDeleteAll: 'an act on caches',
  siteProbe: 'a question; delivery-routes.test.ts sees what edges are asked',
  certificateCreate: 'a chain and its key; certificate-routes.test.ts reads it back',
  certificateUpdate: 'as certificateCreate',
  autoCertificateEnable: 'an order; auto-certificate-routes.test.ts sees it carried out',
}

export const PLANS: Readonly<Record<string, Plan>> = {
  itemUpdate: {
    path: '/commonserviceitem/{sim}',
    read: '/commonserviceitem/{sim}',
    samples: [
      { CommonServiceItem: labels('one', ['a']) },
      { CommonServiceItem: labels('two', ['b', 'c']) },
    ],
  },
  simCarriersSet: {
    path: '/commonserviceitem/{sim}/sim/network_operator_config',
    read: '/commonserviceitem/{sim}/sim/network_operator_config',
    samples: [carriers(true, false), carriers(false, true)],
  },
  simIpSet: {
    path: '/commonserviceitem/{sim}/sim/ip',
    read: '/commonserviceitem/{sim}/sim/status',
    samples: [{ sim: { ip: '10.1.2.3' } }, { sim: { ip: '192.168.9.8' } }],
    undo: '/commonserviceitem/{sim}/sim/ip',
  },
  simImeiLock: {
    path: '/commonserviceitem/{sim}/sim/imeilock',
    read: '/commonserviceitem/{sim}/sim/status',
    samples: [{ sim: { imei: IMEI } }, { sim: { imei: '12345678901234' } }],
  },
  gatewayCreate: {
    method: 'POST',
    path: '/appliance',
    read: '/appliance/{new}',
    samples: [
      gatewayDraft('one', {
        ...labels('one', ['a']),
        Settings: gatewaySettings('True', '192.168.1.1', '10.1.0.0/24'),
      }),
      gatewayDraft('two', {
        ...labels('two', ['b']),
        Plan: { ID: 3 },
        Settings: gatewaySettings('False', '192.168.2.1', '10.2.0.0/24'),
      }),
    ],
  },
  gatewayUpdate: {
    path: '/appliance/{id}',
    read: '/appliance/{id}',
    hidden: { 'Appliance.SettingsHash': 'what the caller believes, not what is written' },
    samples: [
      {
        Appliance: {
          ...labels('one', ['a']),
          Settings: gatewaySettings('True', '192.168.1.1', '10.1.0.0/24'),
        },
      },
      {
        Appliance: {
          ...labels('two', []),
          Settings: gatewaySettings('False', '192.168.2.1', '10.2.0.0/24'),
        },
      },
    ],
  },
  gatewayDnsUpdate: {
    path: '/appliance/{id}/mobilegateway/dnsresolver',
    read: '/appliance/{id}/mobilegateway/dnsresolver',
    samples: [
      { sim_group: { dns_1: '192.0.2.1', dns_2: '192.0.2.2' } },
      { sim_group: { dns_1: '192.0.2.3', dns_2: '192.0.2.4' } },
    ],
  },
  gatewayRouteUpdate: {
    path: '/appliance/{id}/mobilegateway/simroutes',
    read: '/appliance/{id}/mobilegateway/simroutes',
    samples: [
      { sim_routes: [{ resource_id: '{sim}', prefix: '198.51.100.0/24' }] },
      { sim_routes: [{ resource_id: '{sim}', prefix: '203.0.113.0/25' }] },
    ],
  },
  gatewayTrafficControlUpdate: {
    path: '/appliance/{id}/mobilegateway/traffic_monitoring',
    read: '/appliance/{id}/mobilegateway/traffic_monitoring',
    samples: [
      trafficControl(10, 64, true, 'https://chat.example.jp/1'),
      trafficControl(11, 65, false, 'https://chat.example.jp/2'),
    ],
  },
  switchCreate: {
    method: 'POST',
    path: '/switch',
    read: '/switch/{new}',
    samples: [
      { Switch: { ...labels('one', ['a']), UserSubnet: subnet('192.168.1.1', 24) } },
      { Switch: { ...labels('two', ['b']), UserSubnet: subnet('192.168.2.1', 25) } },
    ],
  },
  switchUpdate: {
    path: '/switch/{switch}',
    read: '/switch/{switch}',
    samples: [
      { Switch: { ...labels('one', ['a']), UserSubnet: subnet('192.168.1.1', 24) } },
      { Switch: { ...labels('two', ['b']), UserSubnet: subnet('192.168.2.1', 25) } },
    ],
  },
  siteCreate: {
    method: 'POST',
    path: '/site',
    read: '/site/{new}',
    hidden: SECRET,
    samples: SITES.map((site, index) => ({
      Site: {
        ...{ Name: `site ${index}`, ...site, Domain: `w${index}.example.jp` },
        ...(index === 3
          ? { DomainType: 'subdomain', Domain: undefined }
          : { DomainType: 'own_domain' }),
      },
    })),
  },
  siteUpdate: {
    path: '/site/{site}',
    read: '/site/{site}',
    hidden: SECRET,
    samples: SITES.map((Site) => ({ Site })),
  },
  siteStatusSet: {
    path: '/site/{site}/status',
    read: '/site/{site}',
    samples: [{ Site: { Status: 'enabled' } }, { Site: { Status: 'disabled' } }],
  },
  aclSet: {
    path: '/site/{site}/acl',
    read: '/site/{site}/acl',
    samples: [{ ACL: 'deny all' }, { ACL: 'deny 192.0.2.0/24\nallow all' }],
  },
  logUploadSet: {
    path: '/site/{site}/log-upload-config',
    read: '/site/{site}/log-upload-config',
    hidden: { 'SiteLogUploadConfig.SecretAccessKey': 'a secret is written, never returned' },
    samples: [
      { SiteLogUploadConfig: { ...UPLOAD, SecretAccessKey: 's', Status: 'enabled' } },
      {
        SiteLogUploadConfig: {
          ...{ Bucket: 'c', Endpoint: 'https://s4.example.jp', Region: 's', AccessKeyID: 'l' },
          ...{ SecretAccessKey: 't', Status: 'disabled' },
        },
      },
    ],
  },
}

function carriers(first: boolean, second: boolean) {
  return {
    network_operator_config: [
      { name: 'carrier-a', allow: first },
      { name: 'carrier-b', allow: second },
      { name: 'carrier-c', allow: true },
    ],
  }
}

function trafficControl(quota: number, limit: number, flag: boolean, url: string) {
  return {
    traffic_monitoring_config: {
      ...{ traffic_quota_in_mb: quota, bandwidth_limit_in_kbps: limit },
      ...{ auto_traffic_shaping: flag, email_config: { enabled: flag } },
      chat_config: { enabled: flag, chat_url: url },
    },
  }
}

function subnet(DefaultRoute: string, NetworkMaskLen: number) {
  return { DefaultRoute, NetworkMaskLen }
}

/** Of which one value exists: what kind of thing it is. */
export const IDENTITY: ReadonlySet<string> = new Set([
  'Appliance.Class',
  'Appliance.Remark.Servers',
  'Appliance.Remark.Switch.Scope',
])
