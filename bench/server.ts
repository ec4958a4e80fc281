/** Our own server in the benchmark: its world, its start and the requests that are measured. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Started, start } from './processes.ts'

const MAIN = new URL('../packages/server/src/main.mjs', import.meta.url).pathname
/** As `npm start` has it. */
const NODE_FLAGS = ['--max-semi-space-size=8']
const API = '/cloud/zone/is1a/api/cloud/1.1'
const KEY = Buffer.from('bench-token:bench-secret').toString('base64')

/** One account, and more cards than any run can claim. */
const WORLD = {
  version: 1,
  accounts: [
    {
      ...{ id: '900000000001', code: 'bench', name: 'Bench' },
      keys: [{ token: 'bench-token', secret: 'bench-secret', permission: 'create', external: [] }],
    },
  ],
  sim_cards: [{ iccid_from: '8981045000000000000', count: 100_000_000, passcode: 'bench' }],
}

export interface ServerProcess extends Started {
  /** Of plain HTTP. */
  readonly port: number
  readonly folder: string
}

export async function startServer(
  folder: string,
  args: readonly string[] = [],
  program = MAIN,
): Promise<ServerProcess> {
  const world = join(folder, 'world.json')
  writeFileSync(world, JSON.stringify(WORLD))
  const own = ['--data', join(folder, 'data'), '--world', world, '--port', '0', '--http-port', '0']
  const started = await start({
    node: NODE_FLAGS,
    args: [program, ...own, ...args],
    logFile: join(folder, 'log'),
    until: /Ready\./,
  })
  const port = Number(/Plain HTTP\s+http:\/\/[^:]+:(\d+)/.exec(started.output)?.[1])
  return { ...started, port, folder }
}

export function request(method: string, path: string, body = ''): string {
  const head = [
    `${method} ${API}${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Basic ${KEY}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

export function searchPath(query: object): string {
  return `/commonserviceitem?${encodeURIComponent(JSON.stringify(query))}`
}

/** The ICCID is 8981045 and the number in place of `{n}`, which has twelve digits (load.ts). */
export function creation(): string {
  const iccid = iccidOf(0)
  const whole = request('POST', '/commonserviceitem', JSON.stringify(draftOf(iccid)))
  return whole.replaceAll(iccid, '8981045{n}')
}

export async function createSim(port: number, card: number) {
  const answer = await send(port, 'POST', '/commonserviceitem', draftOf(iccidOf(card)))
  if (answer.status !== 201) throw new Error(answer.text)
  const id: string = JSON.parse(answer.text).CommonServiceItem.ID
  return { id, answer }
}

function iccidOf(card: number): string {
  return `8981045${String(card).padStart(12, '0')}`
}

function draftOf(iccid: string): object {
  return {
    CommonServiceItem: {
      ...{ Name: `meter ${iccid}`, Provider: { Class: 'sim' } },
      ...{ Status: { ICCID: iccid }, Remark: { PassCode: 'bench' } },
    },
  }
}

export async function send(port: number, method: string, path: string, body?: object) {
  const answer = await fetch(`http://127.0.0.1:${port}${API}${path}`, {
    method,
    headers: { authorization: `Basic ${KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, text: await answer.text() }
}
