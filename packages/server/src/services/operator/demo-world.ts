/**
 * What a first start shows when no world is given, as of the time of the start. Its keys are no secrets: they are in
 * the documents, and only a server in dev mode, which listens on this machine alone by default, ever has them.
 * What has happened in it until then is added by the slices (services/demo.ts).
 */
import { japanMonth, japanPlain, japanTime, nextJapanMonthStart } from '../../kernel/datetime.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { DEMO, DEMO_MONTHS, monthsBefore } from '../demo.ts'
import {
  DEMO_CARDS,
  DEMO_PARTNER_CARDS,
  FIRST_SIMS,
  FORKLIFTS,
  iccidsOf,
  KIOSKS,
  METERS,
  SENSORS,
  SPARE,
  simEntries,
  VANS,
} from './demo-sims.ts'

export const DEMO_KEY = { token: 'demo-token', secret: 'demo-secret' }

const ACCOUNT = {
  id: '900000099001',
  code: 'demo',
  name: 'Demo',
  member: { code: 'demo00001', class: 'member' },
  keys: [
    { ...DEMO_KEY, permission: 'create', external: ['bill', 'cdn'] },
    { token: 'demo-view', secret: 'demo-view-secret', permission: 'view', external: [] },
  ],
}

const PARTNER = {
  id: '900000099002',
  code: 'demo-partner',
  name: 'Demo Partner',
  member: { code: 'demo00002', class: 'member' },
  keys: [
    {
      token: 'partner-token',
      secret: 'partner-secret',
      permission: 'create',
      external: ['bill', 'cdn'],
    },
  ],
}

const [WWW, SHOP] = DEMO.siteIds
const OWN_DOMAIN = { DomainType: 'own_domain', OriginType: '0', OriginProtocol: 'https' }

function site(id: string, name: string) {
  const Domain = `${name}.example.jp`
  const Origin = name === 'www' ? 'origin.example.jp' : `${name}-origin.example.jp`
  const Site = { ...OWN_DOMAIN, ID: id, Name: name, Domain, Origin, HostHeader: Domain }
  return { account: 'demo', Site: { ...Site, Status: 'enabled' } }
}

const SMS = {
  account: 'demo',
  CommonServiceItem: {
    ID: DEMO.smsId,
    Name: 'login codes',
    Description: 'one-time passwords',
    Tags: ['demo'],
  },
}

const cards = ({ from, count }: typeof DEMO_CARDS, passcode: string) => ({
  ...{ iccid_from: from, count, passcode },
})
const gateway = (account: string, Name: string, sims: readonly string[]) => ({
  ...{ account, zone: 'is1a', Appliance: { Name }, sims },
})
const PRICES = [{ ServiceClassID: 50050, Price: { Base: 8 }, accounts: ['demo'] }]
const DASHBOARD = { type: 'websocket', name: 'dashboard' }
/** Nothing is sent there: it has answered that it is gone. */
const ALERTS = {
  ...{ type: 'outgoing-webhook', name: 'alerts', secret: 'demoAlerts' },
  url: 'https://alerts.example.jp/sensors',
}

/** What a cloud inside a test has when it is given no world: a little of everything, without a past. */
export function smallDemoWorld(now: Date) {
  const [meters, sensors] = [FIRST_SIMS.slice(1, 3), FIRST_SIMS.slice(3)]
  return {
    version: 1,
    accounts: [ACCOUNT],
    sites: [site(WWW, 'www')],
    site_usage: [usage(WWW, monthsBefore(now, 1), 120_000)],
    sms: [SMS],
    sim_cards: [cards(DEMO_CARDS, 'demo{n}')],
    sims: simEntries('demo', FIRST_SIMS),
    gateways: [gateway('demo', 'meters', iccidsOf(meters))],
    projects: [project(iccidsOf(sensors), [DASHBOARD])],
    prices: PRICES,
    bills: [lastBill(now)],
    maintenances: [maintenance(now, 'm-0001', 'is1b', 9, 'Host maintenance')],
    fleet: [{ iccid_from: DEMO_CARDS.from, count: DEMO_CARDS.count, seed: DEMO.fleetSeed }],
  }
}

export function demoWorld(now: Date) {
  const [meters, sensors] = [FIRST_SIMS.slice(1, 3), FIRST_SIMS.slice(3)]
  return {
    version: 1,
    accounts: [ACCOUNT, PARTNER],
    sites: [site(WWW, 'www'), site(SHOP, 'shop')],
    // The running month and the one before it are known by day.
    site_usage: Array.from({ length: DEMO_MONTHS - 1 }, (_, n) => [
      usage(WWW, monthsBefore(now, DEMO_MONTHS - n), 2_300_000 + 180_000 * n),
      usage(SHOP, monthsBefore(now, DEMO_MONTHS - n), 910_000 + 45_000 * n),
    ]).flat(),
    sms: [SMS],
    sim_cards: [cards(DEMO_CARDS, 'demo{n}'), cards(DEMO_PARTNER_CARDS, 'partner{n}')],
    sims: [
      ...simEntries('demo', [...FIRST_SIMS, ...METERS, ...VANS, ...KIOSKS, ...SENSORS, SPARE]),
      ...simEntries('demo-partner', FORKLIFTS),
    ],
    gateways: [
      gateway('demo', 'meters', iccidsOf(meters, METERS)),
      gateway('demo', 'delivery vans', iccidsOf(VANS)),
      gateway('demo', 'kiosks', iccidsOf(KIOSKS)),
      gateway('demo-partner', 'warehouse', iccidsOf(FORKLIFTS)),
    ],
    projects: [project(iccidsOf(sensors, SENSORS), [DASHBOARD, ALERTS])],
    prices: PRICES,
    maintenances: [maintenance(now, 'm-0002', 'is1b', 19, 'Network maintenance')],
  }
}

function project(sims: readonly string[], adapters: readonly object[]) {
  return { account: 'demo', CommonServiceItem: { Name: 'sensors' }, sims, adapters }
}

function usage(id: string, month: Date, AccessCount: number) {
  const BytesSent = AccessCount * 45_000
  const CacheMissBytesSent = Math.floor(BytesSent / 9)
  return { site: id, month: japanMonth(month), AccessCount, BytesSent, CacheMissBytesSent }
}

/** From one o'clock to five in the night, so many days ahead. */
function maintenance(now: Date, id: string, zone: string, days: number, title: string) {
  const day = japanPlain(new Date(now.getTime() + days * DAY_MS)).slice(0, 10)
  return {
    ...{ maintenance_id: id, zone, title, info_url: `https://status.example.jp/${id}` },
    ...{ start_at: `${day} 01:00:00`, end_at: `${day} 05:00:00` },
  }
}

function lastBill(now: Date) {
  const [month, next] = [monthsBefore(now, 1), monthsBefore(now, 0)]
  const payLimit = new Date(nextJapanMonthStart(now).getTime() - DAY_MS)
  const seconds = (next.getTime() - month.getTime()) / 1000
  const gate = { Index: 0, ContractID: '900000099301', ServiceClassID: 50060, Usage: seconds }
  const messages = { Index: 1, ContractID: DEMO.smsId, ServiceClassID: 50050, Usage: 8 }
  return {
    account: 'demo',
    Bill: {
      ...{ BillID: 1000001, Date: japanTime(month), PayLimit: japanTime(payLimit) },
      ...{ Paid: false, Amount: 1188 },
    },
    details: [
      { ...gate, Amount: 1100, Name: 'meters' },
      { ...messages, Amount: 88, Name: 'login codes' },
    ],
  }
}
