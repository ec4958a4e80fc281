/**
 * A cloud inside a process: the whole server in memory, on a clock that stands still, with nothing shared
 * between two of them. Without a port there is no socket: `fetch` passes requests to the server. What tests
 * use on top of it is `kumoi/testing` (packages/cli/src/testing.ts).
 */

import { compose } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import { oneKey } from '../kernel/encryption-key.ts'
import { randomHex } from '../kernel/random.ts'
import { INTERFACE_WORDS } from '../kernel/words.ts'
import type { Ports, Secrets } from '../parts.ts'
import { DEMO_KEY } from '../services/operator/public.ts'
import { readToken } from './data-folder.ts'
import { makePorts } from './ports.ts'
import { readSecrets } from './server.ts'
import { readSources } from './sources.ts'
import { openStorage } from './storage.ts'
import { fetchFrom, operatorOf } from './testing-calls.ts'

interface StartOptions {
  /** What a world file holds; the demo world when left out. */
  readonly world?: object
  /** The same seed gives the same ids, tokens and serials. */
  readonly seed?: string
  /** Where the clock stands; `real` lets it run. */
  readonly clock?: Date | 'real'
  /** Listens by TLS on this port of localhost, under a CA of its own; 0 picks one. */
  readonly port?: number
  /** Delivers sites of the web accelerator by HTTP on this port of 127.0.0.1; 0 picks one. */
  readonly edgePort?: number
}

interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

const FIRST_DAY = new Date('2026-04-01T00:00:00+09:00')

export async function startCloud(options: StartOptions = {}) {
  const config = configOf(options)
  const ports = makePorts(config)
  const storage = await openStorage(config, ports.clock.now())
  const secrets = secretsOf(config, ports, options.port !== undefined)
  // What it has opened by then is in memory alone; there is nothing to close when this fails.
  const sources = { ...readSources(config), demo: 'small' as const }
  const cloud = await compose(config, { ports, storage, secrets, sources })
  const port =
    options.port === undefined ? undefined : await cloud.api.listen(config.host, options.port)
  const edge = config.edge && (await openEdge(config, config.edge, cloud, ports))
  await cloud.jobs.start()
  const { clock } = ports
  // What is due at the start has run when the test begins, so that no test races with it.
  if (clock.mode === 'frozen') await clock.advanceTo(clock.now())
  cloud.ready = true
  const stop = async () => {
    await cloud.api.close()
    await edge?.stop()
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
    /** Where sites are delivered, under any name. */
    edgeUrl: edge && `http://127.0.0.1:${edge.address.port}`,
    ...firstsOf(options.world),
    fetch: fetchFrom(cloud.api, origin),
    /** Calls the operator API; a refusal is thrown. */
    operator: operatorOf(cloud.api, secrets.operatorToken),
    clock: {
      now: () => clock.now(),
      /** Runs all that falls due on the way, and tells what it was. */
      advance: (by: Span) => clock.advance(() => new Date(clock.now().getTime() + lengthOf(by))),
      advanceTo: (time: Date) => clock.advanceTo(time),
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Loaded only where it is used. */
async function openEdge(...given: Parameters<typeof import('./edge.ts')['openEdge']>) {
  const { openEdge } = await import('./edge.ts')
  return openEdge(...given)
}

function configOf({ seed = 'test', clock = FIRST_DAY, world, edgePort }: StartOptions): Config {
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
    ...(edgePort === undefined ? [] : ['--edge-port', String(edgePort)]),
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
    encryptionKeys: oneKey(random.bytes(32)),
    operatorToken: randomHex(random, 32),
    networkToken: readToken('network', undefined, undefined),
    edgeToken: readToken('edge', undefined, undefined),
    tls: undefined,
    ca: undefined,
  }
}

/** Of what a world file holds, as far as it is read here. Its schema has been checked. */
interface WorldParts {
  readonly accounts?: readonly {
    readonly keys?: readonly { readonly token: string; readonly secret?: unknown }[]
  }[]
  readonly carriers?: readonly { readonly name: string }[]
}

/** What a test uses that does not care: the first key whose secret is in the world, the first carrier. */
function firstsOf(world: object | undefined) {
  const { accounts = [], carriers = [] }: WorldParts = world ?? {}
  const keys = accounts.flatMap((account) => account.keys ?? [])
  const inWorld = keys.flatMap(({ token, secret }) =>
    typeof secret === 'string' ? [{ token, secret }] : [],
  )
  return {
    key: world === undefined ? DEMO_KEY : inWorld[0],
    carrier: carriers[0]?.name ?? INTERFACE_WORDS.carriers[0] ?? '',
  }
}

function lengthOf({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
