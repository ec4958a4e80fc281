/** A whole cloud inside a test: composed as in production, on a frozen clock, without sockets. */
import type { TestContext } from 'node:test'
import { type Cloud, compose } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import { FrozenClock } from '../kernel/clock.ts'
import { ControlledClock } from '../kernel/controlled-clock.ts'
import { oneKey } from '../kernel/encryption-key.ts'
import { type Log, newLog, silentLog } from '../kernel/log.ts'
import { SeededRandom } from '../kernel/random.ts'
import type { Parts, Secrets } from '../parts.ts'
import type { Sender } from '../services/element-requests/public.ts'
import type { Mailer } from '../services/mail/public.ts'
import type { Transport } from '../services/sms/public.ts'
import { readSources } from '../start/sources.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { MemoryBlobs } from '../storage/blobs/memory.ts'
import type { Database } from '../storage/database.ts'
import { onSqlite, TEST_NOW, type TestEngine } from './engines.ts'

export const OPERATOR_TOKEN = 'test-operator-token'
export const NETWORK_TOKEN = 'test-network-token'
export const EDGE_TOKEN = 'test-edge-token'

/** Two accounts, so that each test can ask what the other one sees. */
export const TEST_WORLD = {
  version: 1,
  accounts: [
    {
      id: '900000000001',
      code: 'acme',
      name: 'Acme',
      member: { code: 'mem00001', class: 'member' },
      keys: [
        key('acme-token', 'create', ['bill', 'cdn']),
        key('acme-arrange', 'arrange'),
        key('acme-power', 'power'),
        key('acme-view', 'view'),
      ],
    },
    { id: '900000000002', code: 'other', name: 'Other', keys: [key('other-token', 'create')] },
  ],
}

function key(token: string, permission: string, external: string[] = []) {
  return { token, secret: `${token}-secret`, permission, external }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface Ask {
  /** `null` sends no credentials. */
  readonly token?: string | null
  readonly secret?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly zone?: string
}

export const ENCRYPTION_KEYS = oneKey(Buffer.alloc(32, 7))

export interface TestCloud {
  readonly cloud: Cloud
  readonly clock: ControlledClock
  readonly database: Database
  readonly blobs: Blobs
  /** The path is below `{api}/cloud/1.1`; `body` is sent as JSON, a string or bytes as they are. */
  ask(method: string, path: string, options?: Ask): Promise<Answer>
  operator(method: string, path: string, options?: Ask): Promise<Answer>
  inject(method: string, url: string, options?: Ask): Promise<Answer>
}

const NO_SENDER: Sender = {
  send: async () => ({ outcome: 'unavailable', reason: 'this test sends nothing' }),
  check: async () => ({ ok: false, detail: 'this test sends nothing' }),
}

export interface CloudOptions extends Pick<Parts, 'kinds' | 'networks'> {
  readonly engine?: TestEngine
  readonly args?: readonly string[]
  /** Of the random bytes. */
  readonly seed?: string
  /** Where the clock stands. */
  readonly start?: Date
  /** What no argument of a test can say, such as a mode that needs files. */
  readonly config?: Partial<Config>
  /** Stands in for what carries short messages. */
  readonly sms?: Transport
  /** Sends mail; none is sent otherwise. */
  readonly mail?: Mailer | undefined
  /** Sends to network elements; nothing is sent otherwise. */
  readonly radius?: Sender
  /** Of the transport that the settings name. */
  readonly smsSecrets?: NonNullable<Secrets['sms']>
  /** Gets every line of the log, which is silent otherwise. */
  readonly logTo?: (line: string) => void
}

export async function openCloud(
  t: Pick<TestContext, 'after'>,
  options: CloudOptions = {},
): Promise<TestCloud> {
  const database = await (options.engine ?? onSqlite).open()
  const clock = new ControlledClock(new FrozenClock(options.start ?? TEST_NOW))
  const read = readConfig(['--memory', '--check-answers', ...(options.args ?? [])], {}) as Config
  // Applied at the start: the demo world in its place, then a reset, would take longer than all the rest.
  const config = { ...read, worlds: [TEST_WORLD], ...options.config }
  const storage = {
    database,
    blobs: new MemoryBlobs(),
    snapshots: new MemoryBlobs(),
    close: () => database.close(),
  }
  const { sms, mail, radius = NO_SENDER } = options
  const log = logOf(options, clock)
  const random = new SeededRandom(options.seed ?? 'test')
  const ports = { clock, random, log, mail, radius, ...(sms === undefined ? {} : { sms }) }
  const secrets = {
    encryptionKeys: ENCRYPTION_KEYS,
    operatorToken: OPERATOR_TOKEN,
    networkToken: NETWORK_TOKEN,
    edgeToken: EDGE_TOKEN,
    tls: undefined,
    ca: 'CA',
    ...(options.smsSecrets && { sms: options.smsSecrets }),
  }
  const { kinds, networks } = options
  const sources = readSources(config)
  const cloud = await compose(config, { ports, storage, secrets, sources, kinds, networks })
  await cloud.jobs.start()
  cloud.ready = true
  t.after(async () => {
    await cloud.api.close()
    await cloud.jobs.stop()
    await database.close()
  })

  const inject = injector(cloud)
  const operator: TestCloud['operator'] = (method, path, { headers = {}, ...rest } = {}) =>
    inject(method, `/_kumoi/v1${path}`, {
      ...rest,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...headers },
    })

  return {
    cloud,
    clock,
    database,
    blobs: storage.blobs,
    inject,
    operator,
    ask(method, path, { token = 'acme-token', secret, zone = 'is1a', headers = {}, ...rest } = {}) {
      const credentials = token === null ? {} : { authorization: basic(token, secret) }
      return inject(method, `/cloud/zone/${zone}/api/cloud/1.1${path}`, {
        ...rest,
        headers: { ...credentials, ...headers },
      })
    },
  }
}

function logOf({ logTo }: CloudOptions, clock: ControlledClock): Log {
  return logTo === undefined ? silentLog : newLog('info', () => clock.now(), { write: logTo })
}

function injector(cloud: Cloud): TestCloud['inject'] {
  return async (method, url, { headers = {}, body } = {}) => {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const response = await cloud.api.inject({
      // The type of `inject` knows the usual methods; tests send others too.
      method: method as 'GET',
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && response.body !== '' ? JSON.parse(response.body) : undefined,
    }
  }
}

export function basic(token: string, secret = `${token}-secret`): string {
  return `Basic ${Buffer.from(`${token}:${secret}`).toString('base64')}`
}

/** The search object as clients send it. */
export function search(query: object): string {
  return `?${encodeURIComponent(JSON.stringify(query))}`
}
