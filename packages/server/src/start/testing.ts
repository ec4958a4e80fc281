/**
 * A cloud inside a test: the whole server in this process, in memory, on a clock that stands still, with
 * nothing shared between two of them. Without a port there is no socket: `fetch` hands requests over.
 */
import { type Cloud, compose, type Secrets } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import { pause } from '../kernel/clock.ts'
import { randomHex } from '../kernel/random.ts'
import { INTERFACE_WORDS } from '../kernel/words.ts'
import { makePorts, type Ports } from './ports.ts'
import { readSecrets } from './server.ts'
import { openStorage } from './storage.ts'
import { fetchFrom, operatorOf } from './testing-calls.ts'

export interface StartOptions {
  /** What a world file holds; the demo world when left out. */
  readonly world?: object
  /** The same seed gives the same ids, tokens and serials. */
  readonly seed?: string
  /** Where the clock stands; `real` lets it run. */
  readonly clock?: Date | 'real'
  /** Listens by TLS on this port of localhost, under a CA of its own; 0 picks one. */
  readonly port?: number
}

/** As POST /faults takes it; see docs/testing.md. */
export interface FaultOrder {
  readonly operation: string
  readonly effect: object
  readonly [field: string]: unknown
}

export interface Message {
  readonly messageId: string
  readonly destination: string
  readonly text: string
  readonly otp: string
  readonly status: string
}

export interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

const FIRST_DAY = new Date('2026-04-01T00:00:00+09:00')
/** Real time: how long `waitFor` looks, and how often. */
const PATIENCE_MS = 5000
const LOOK_MS = 10

export async function startCloud(options: StartOptions = {}) {
  const config = configOf(options)
  const ports = makePorts(config)
  const storage = await openStorage(config, ports.clock.now())
  const secrets = secretsOf(config, ports, options.port !== undefined)
  // What it has opened by then is in memory alone; there is nothing to close when this fails.
  const cloud = await compose(config, ports, storage, secrets)
  const port =
    options.port === undefined ? undefined : await cloud.api.listen(config.host, options.port)
  await cloud.jobs.start()
  // What is due at the start has run when the test begins, so that no test races with it.
  if (ports.clock.mode === 'frozen') await ports.clock.advanceTo(ports.clock.now())
  cloud.ready = true
  const stop = async () => {
    await cloud.api.close()
    await cloud.jobs.stop()
    await storage.close()
  }
  const origin = port === undefined ? 'http://localhost' : `https://localhost:${port}`
  return {
    /** What paths of the interface are appended to, such as `/zone/is1a/api/cloud/1.1/auth-status`. */
    url: `${origin}${config.prefix}`,
    origin,
    /** To be trusted by a client that comes through the port. */
    ca: secrets.ca,
    operatorToken: secrets.operatorToken,
    fetch: fetchFrom(cloud.api, origin),
    ...controls(cloud, ports, secrets.operatorToken),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export type RunningCloud = Awaited<ReturnType<typeof startCloud>>

function configOf({ seed = 'test', clock = FIRST_DAY, world }: StartOptions): Config {
  const time = clock === 'real' ? 'real' : `frozen@${clock.toISOString()}`
  const flags = [
    '--memory',
    '--check-answers',
    '--fault-header',
    '--log-level',
    'silent',
    '--seed',
    seed,
    '--clock',
    time,
  ]
  const config = readConfig(flags, {})
  if (config === 'help') throw new Error('The flags ask for help.')
  return { ...config, worlds: world === undefined ? [] : [world] }
}

/** A certificate costs more than all the rest of the start, so it is made only for a socket. */
function secretsOf(config: Config, ports: Ports, listens: boolean): Secrets {
  if (listens) return readSecrets(config, ports)
  const { random } = ports
  return {
    encryptionKey: random.bytes(32),
    operatorToken: randomHex(random, 32),
    tls: undefined,
    ca: undefined,
  }
}

function controls(cloud: Cloud, { clock }: Ports, token: string) {
  const operator = operatorOf(cloud.api, token)
  let saved = 0
  const messages = async (): Promise<Message[]> =>
    (await operator('GET', '/outbox/sms')).messages as Message[]
  return {
    /** Calls the operator API; a refusal is thrown. */
    operator,
    clock: {
      now: () => clock.now(),
      /** Runs all that falls due on the way, and tells what it was. */
      advance: (by: Span) => clock.advance(() => new Date(clock.now().getTime() + lengthOf(by))),
      advanceTo: (time: Date) => clock.advanceTo(time),
    },
    faults: {
      add: async (order: FaultOrder) => (await operator('POST', '/faults', order)).fault,
      list: async () => (await operator('GET', '/faults')).faults,
      clear: () => operator('DELETE', '/faults'),
    },
    /** A device with this SIM card in it. */
    device: (iccid: string) => deviceOf(operator, iccid),
    sms: {
      /** The newest message to there, as soon as there is one. */
      async waitFor({ destination }: { readonly destination: string }): Promise<Message> {
        for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
          const found = (await messages()).find((message) => message.destination === destination)
          if (found !== undefined) return found
          await pause(LOOK_MS)
        }
        throw new Error(`No message to ${destination} came in ${PATIENCE_MS} ms.`)
      },
    },
    /** Answers with the name to come back to. */
    async snapshot(): Promise<string> {
      saved += 1
      const name = `test-${saved}`
      await operator('POST', '/snapshots', { name })
      return name
    },
    restore: (name: string) => operator('POST', `/snapshots/${name}/load`),
  }
}

export interface Attached {
  readonly accepted: boolean
  /** Why not, when it was not let in. */
  readonly reason?: string | null
  readonly ip?: string | null
}

function deviceOf(operator: ReturnType<typeof operatorOf>, iccid: string) {
  const call = (verb: string, body?: object) => operator('POST', `/devices/${iccid}/${verb}`, body)
  return {
    attach: async (device: { readonly imei?: string; readonly carrier?: string } = {}) =>
      (await call('attach', {
        imei: DEVICE.imei,
        carrier: DEVICE.carrier,
        ...device,
      })) as unknown as Attached,
    detach: () => call('detach'),
    /** Bytes more than so far. */
    traffic: ({
      uplink = 0,
      downlink = 0,
    }: {
      readonly uplink?: number
      readonly downlink?: number
    }) => call('traffic', { uplink_bytes: uplink, downlink_bytes: downlink }),
  }
}

/** What a device is when a test does not care. */
const DEVICE = { imei: '490154203237518', carrier: INTERFACE_WORDS.carriers[0] ?? '' }

function lengthOf({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

/** What a runner hands to a test to clean up with: `after` of node:test, `onTestFinished` of Vitest. */
export type TestEnd =
  | { after(work: () => Promise<void>): void }
  | { onTestFinished(work: () => Promise<void>): void }

/** For runners that hand something to a test: node:test and Vitest. */
export async function cloudFor(test: TestEnd, options: StartOptions = {}): Promise<RunningCloud> {
  const cloud = await startCloud(options)
  if ('after' in test) test.after(cloud.stop)
  else test.onTestFinished(cloud.stop)
  return cloud
}

/** The hooks that Jest, Vitest and node:test have by these names. */
export interface Hooks {
  beforeEach(work: () => Promise<void>): unknown
  afterEach(work: () => Promise<void>): unknown
}

/** For every runner with hooks, Jest among them: `cloud.current` is another one in each test. */
export function cloudForEach(
  { beforeEach, afterEach }: Hooks,
  options: StartOptions = {},
): { readonly current: RunningCloud } {
  let running: RunningCloud | undefined
  beforeEach(async () => {
    running = await startCloud(options)
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
  })
  return {
    get current() {
      if (running === undefined) throw new Error('There is a cloud only while a test runs.')
      return running
    },
  }
}
