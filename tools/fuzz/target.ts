/** A server of its own process under test, and what a request to it comes to. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EDGE_TOKEN,
  ENCRYPTION_KEYS,
  NETWORK_TOKEN,
  TEST_WORLD,
} from '../../packages/server/src/testing/cloud.ts'
import { startProcess } from '../../packages/server/src/testing/server-process.ts'
import { iccidOf } from '../../packages/server/src/testing/sims.ts'
import type { Wire } from './call.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

const SHARED_MEMORY = '/dev/shm'

/** A server that has not answered by then hangs. Days of the clock take seconds on a busy machine. */
export const HANG_MS = 120_000

/** One is used while requests follow each other. */
const SOCKETS = 8

export interface Outcome {
  /** 0 without an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Why there is no whole answer. */
  readonly problem: string | undefined
}

export interface Target {
  readonly engine: EngineName
  readonly origin: string
  send(wire: Wire): Promise<Outcome>
  /** How long the server has been computing since it was started, where the system says so. */
  cpuMs(): number | undefined
  close(): void
}

/** The same clock and the same seed, so that two servers give the same answers to the same requests. */
const REPEATABLE = ['--clock', 'frozen@2026-04-01T00:00:00+09:00', '--seed', 'fuzz']

/** What gateways of short messages sign their reports with. */
export const SMS_SECRET = 'a secret of the gateway'

export const WORLD = {
  ...TEST_WORLD,
  settings: { webaccel_calls_per_hour: 100_000 },
  sim_cards: [{ iccid_from: iccidOf(0), count: 100, passcode: 'pass{n}' }],
  bills: [
    {
      account: 'acme',
      Bill: {
        BillID: 1,
        Date: '2026-03-01T00:00:00+09:00',
        PayLimit: '2026-04-30T00:00:00+09:00',
        Paid: false,
        Amount: 100,
      },
      details: [{ Index: 0, ContractID: '1', ServiceClassID: 1, Usage: 1, Amount: 100 }],
    },
  ],
}

/** `databaseUrl` is for PostgreSQL: an empty database. */
export async function startTarget(
  engine: EngineName,
  databaseUrl: string | undefined,
  world: object = WORLD,
): Promise<Target> {
  // In memory where the system has a place for that: what survives a loss of power is not the question here.
  const folder = mkdtempSync(
    join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), 'kumoi-fuzz-'),
  )
  const ends: (() => void)[] = [() => rmSync(folder, { recursive: true, force: true })]
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
  writeFileSync(join(folder, 'key'), Buffer.from(ENCRYPTION_KEYS[0].bytes).toString('base64'))
  writeFileSync(join(folder, 'sms-secret'), SMS_SECRET)
  const server = await startProcess({ after: (end) => ends.unshift(end) }, folder, [
    ...['--data', join(folder, 'data'), '--check-answers', '--log-level', 'error'],
    ...['--key-file', join(folder, 'key'), '--sms-secret-file', join(folder, 'sms-secret')],
    ...(databaseUrl === undefined ? [] : ['--database', databaseUrl]),
    // Nobody listens there: what is sent fails at once.
    ...['--network-token', NETWORK_TOKEN, '--edge-token', EDGE_TOKEN],
    ...['--trust-proxy', '127.0.0.1'],
    ...['--smtp-url', 'smtp://127.0.0.1:1', '--mail-from', 'kumoi@example.jp'],
    ...REPEATABLE,
  ])
  const target = targetAt(engine, server.origin)
  return {
    ...target,
    cpuMs: () => cpuMs(server.child.pid),
    close() {
      target.close()
      for (const end of ends) end()
    },
  }
}

/** One that somebody else has started, and will end. */
export function targetAt(engine: EngineName, origin: string): Target {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  return {
    engine,
    origin,
    send: (wire) => send(origin, agent, wire),
    cpuMs: () => undefined,
    close: () => agent.destroy(),
  }
}

/** Of Linux's `/proc/PID/stat`, the fields 14 and 15: hundredths of a second in the process and for it. */
function cpuMs(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  // The second field is the name, in parentheses.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function send(origin: string, agent: Agent, wire: Wire): Promise<Outcome> {
  const { method, path, headers, body } = wire
  const { hostname, port } = new URL(origin)
  const signal = AbortSignal.timeout(HANG_MS)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const nothing = { status: 0, headers: {}, text: '' }
    const fail = (error: Error) =>
      resolve({ ...nothing, problem: signal.aborted ? 'it hangs' : `no answer: ${error.message}` })
    const outgoing = request(
      // Not as one address: that would escape what is to be sent as it is.
      { hostname, port, path, method, headers: { ...headers, ...length }, agent, signal },
      (response) => {
        const { statusCode: status = 0, headers: received } = response
        let text = ''
        const done = (problem?: string) => resolve({ status, headers: received, text, problem })
        if (received['content-type']?.startsWith('text/event-stream')) {
          // It has no end of its own.
          done()
          response.destroy()
          return
        }
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.once('error', (error) => done(`the answer breaks off: ${error.message}`))
        response.once('end', () => done())
      },
    )
    outgoing.once('error', fail)
    outgoing.end(body)
  })
}
