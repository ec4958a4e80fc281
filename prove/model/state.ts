/**
 * What the model knows of the cloud: plain maps. Its rules are those of the interface and of our documents, written
 * down a second time; nothing here is the server's.
 */

export interface Model {
  /** Milliseconds; the server's clock stands still between commands. */
  now: number
  readonly accounts: Map<string, Account>
  /** By their token. */
  readonly keys: Map<string, Key>
  /** By their id, like all that follows. What was created by a call whose answer was lost has a provisional id. */
  readonly sims: Map<string, Sim>
  readonly gateways: Map<string, Gateway>
  readonly switches: Map<string, Switch>
  readonly projects: Map<string, Project>
  /** By the token that allows them. */
  readonly uploads: Map<string, Upload>
  /** By the path that allows them. */
  readonly downloads: Map<string, Upload>
  readonly sites: Map<string, Site>
  readonly announcements: Map<string, Announcement>
  /** What the price lists have shown first, as text, by who may see them. */
  readonly prices: Map<string, string>
  /** When short messages were accepted, for the bills. */
  readonly sends: { readonly account: string; readonly at: number }[]
  /** That send short messages. */
  readonly services: Map<string, Service>
  /** Why devices were refused, by card, oldest first. */
  readonly refusals: Map<number, string[]>
  /** The times of wrong pass codes, by account and card. */
  readonly wrongPassCodes: Map<string, number[]>
}

export const QUOTAS = ['sims', 'gateways', 'projects', 'sites'] as const
export type Quota = (typeof QUOTAS)[number]

export interface Account {
  name: string
  /** How many it may have; a quota that is not set is missing. */
  readonly limits: Map<Quota, number>
}

export const LEVELS = ['view', 'power', 'arrange', 'create'] as const
export type Level = (typeof LEVELS)[number]

export interface Key {
  readonly account: string
  /** Undefined after a rotation whose answer was lost. */
  secret: string | undefined
  readonly level: Level
  readonly external: readonly string[]
  readonly expiresAt: number | undefined
}

/** What all items have. */
export interface Labels {
  readonly account: string
  name: string
  description: string | null
  tags: readonly string[]
  readonly createdAt: number
}

export interface Sim extends Labels {
  readonly card: number
  activated: boolean
  activatedAt: number | undefined
  deactivatedAt: number | undefined
  lock: string | undefined
  carriers: readonly string[]
  gateway: string | undefined
  project: string | undefined
  ip: string | undefined
  /** Of the device that has this card. */
  secret: string | undefined
  session: Session | undefined
  /** Newest first. */
  readonly log: LogEntry[]
  /** Bytes by month. */
  readonly traffic: Map<string, Bytes>
}

export interface Session {
  readonly imei: string
  readonly carrier: string
  /** The gateway or project. */
  readonly at: string
  /** The fixed one. */
  readonly ip: string | undefined
}

export interface Gateway extends Labels {
  readonly zone: string
  readonly availableAt: number
  isUp: boolean
  stored: string | undefined
  applied: string | undefined
  dns: string | undefined
  quotaMb: number | undefined
  switch: string | undefined
  routes: readonly { readonly sim: string; readonly prefix: string }[]
  readonly traffic: Map<string, Bytes>
}

export interface Switch {
  readonly account: string
  readonly zone: string
  name: string
  description: string
  subnet: Subnet | undefined
  readonly createdAt: number
  modifiedAt: number
}

export interface Subnet {
  readonly DefaultRoute: string
  readonly NetworkMaskLen: number
}

export interface Bytes {
  up: number
  down: number
}

export interface Project extends Labels {
  /** By the SIM; they stay when it is disconnected. */
  readonly links: Map<string, Link>
  readonly adapters: Map<string, Adapter>
  readonly files: Map<string, { readonly size: number; readonly type: string }>
  /** Of and to devices, newest first. */
  readonly messages: DeviceMessage[]
}

export interface Adapter {
  readonly name: string
  readonly type: string
  /** An incoming webhook with a secret accepts signed calls alone. */
  readonly isSigned: boolean
  /** Of its address; undefined while no answer has shown it. */
  path: string | undefined
}

export interface DeviceMessage {
  readonly direction: 'up' | 'down'
  readonly sim: string
  readonly value: number
  /** Undefined while no answer has shown it. */
  id: string | undefined
}

export interface Link {
  /** Whether the SIM has its address now. */
  isSet: boolean
  /** Undefined while no answer has shown it. */
  address: string | undefined
  device: string | undefined
}

export interface Upload {
  readonly project: string
  readonly file: string
  readonly expiresAt: number
}

export interface Site {
  readonly account: string
  name: string
  readonly domain: string
  isEnabled: boolean
  /** Undefined while it is the server's default. */
  ttl: number | undefined
  acl: string
  /** Numbers of the certificates that are in use, and that were before. */
  certificate: number | undefined
  oldCertificate: number | undefined
}

export interface Announcement {
  readonly zone: string
  readonly startAt: number
  readonly endAt: number
  readonly title: string
  readonly affects: readonly { readonly account: string; readonly resource: string }[]
}

export interface Service extends Labels {
  /** Newest first. */
  readonly messages: Message[]
}

export interface Message {
  readonly destination: string
  readonly sentAt: number
  /** Undefined while no answer has shown it. */
  otp: string | undefined
  id: string | undefined
}

export interface LogEntry {
  readonly at: number
  readonly status: 'Created' | 'Deleted'
  readonly imei: string | undefined
}

export const START = Date.parse('2026-04-01T00:00:00+09:00')
/** So many cards exist, counted from 0. */
export const CARDS = 4
export const IMEIS = ['1', '22', '350000000000001']
export const CARRIERS = ['carrier-a', 'carrier-b', 'carrier-c']
export const HOUR_MS = 3_600_000

const FIRST_ACCOUNTS = ['Acme', 'Other']

export function newModel(keys: Iterable<[string, Key]>): Model {
  return {
    now: START,
    accounts: new Map(FIRST_ACCOUNTS.map((name) => [name.toLowerCase(), newAccount(name)])),
    keys: new Map(keys),
    sims: new Map(),
    gateways: new Map(),
    switches: new Map(),
    projects: new Map(),
    uploads: new Map(),
    downloads: new Map(),
    sites: new Map(),
    announcements: new Map(),
    prices: new Map(),
    sends: [],
    services: new Map(),
    wrongPassCodes: new Map(),
    refusals: new Map(),
  }
}

export const newAccount = (name: string): Account => ({ name, limits: new Map() })

/** As the world of the server does; it names no quotas, so they stay. */
export function nameAccounts({ accounts }: Model): void {
  for (const name of FIRST_ACCOUNTS) {
    const account = accounts.get(name.toLowerCase())
    if (account !== undefined) account.name = name
  }
}

/** What a thing is kept under until its id is known. */
export const provisional = (name: string): string => `unknown ${name}`
export const isProvisional = (id: string): boolean => id.startsWith('unknown ')

/** Puts it under its id. */
export function identify<T>(map: Map<string, T>, from: string, to: string): void {
  const thing = map.get(from)
  if (thing === undefined) return
  map.delete(from)
  map.set(to, thing)
}

export function addBytes(traffic: Map<string, Bytes>, at: number, { up, down }: Bytes): void {
  const sum = traffic.get(month(at)) ?? { up: 0, down: 0 }
  traffic.set(month(at), { up: sum.up + up, down: sum.down + down })
}

/** The interface's datetimes: Japan's time for items, UTC for SIMs. */
export const japan = (at: number): string =>
  new Date(at + 9 * HOUR_MS).toISOString().replace('.000Z', '+09:00')
export const utc = (at: number): string => new Date(at).toISOString().replace('.000Z', '+00:00')
export const month = (at: number): string => japan(at).slice(0, 7)
