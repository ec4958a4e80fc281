/** The real server as a process of its own, for what a test must see from outside: memory, files, death. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { basic, OPERATOR_TOKEN, TEST_WORLD } from './cloud.ts'
import { iccidOf } from './sims.ts'

/** The sources, unless the test command has packed the server. */
const packed = process.env.TEST_PACKAGE
const MAIN =
  packed === undefined
    ? fileURLToPath(new URL('../main.mjs', import.meta.url))
    : join(packed, 'dist/server.cjs')

export interface ServerProcess {
  readonly child: ChildProcess
  /** Of the plain listener. */
  readonly origin: string
  readonly log: () => string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: any }>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  operator(method: string, path: string, body?: object): Promise<{ status: number; body: any }>
}

/** A folder that a server can be started on again and again; `more` is for its world. */
export function serverFolder(t: Pick<TestContext, 'after'>, more: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const cards = [{ iccid_from: iccidOf(0), count: 1000, passcode: 'pass{n}' }]
  writeFileSync(
    join(folder, 'world.json'),
    JSON.stringify({ ...TEST_WORLD, sim_cards: cards, ...more }),
  )
  return folder
}

export async function startProcess(
  t: { after(end: () => void): void },
  folder: string,
  args: readonly string[] = ['--data', join(folder, 'data')],
): Promise<ServerProcess> {
  const world = ['--world', join(folder, 'world.json')]
  const rest = ['--port', '0', '--http-port', '0', '--operator-token', OPERATOR_TOKEN]
  // With the young generation that `npm start` and `kumoi serve` give it.
  const flags = ['--max-semi-space-size=8']
  const child = spawn(process.execPath, [...flags, MAIN, ...args, ...world, ...rest])
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  let log = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  while (!out.includes('Ready.')) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${log}`)
    await sleep(20)
  }
  const [, base = ''] = /Plain HTTP\s+(\S+)/.exec(out) ?? []
  const { origin } = new URL(base)
  const call = async (method: string, url: string, authorization: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url, { method, headers: { authorization }, ...sent })
    return { status: response.status, body: await response.json() }
  }
  return {
    child,
    origin,
    log: () => log,
    ask: (method, path, body) =>
      call(method, `${base}/zone/is1a/api/cloud/1.1${path}`, basic('acme-token'), body),
    operator: (method, path, body) =>
      call(method, `${origin}/_kumoi/v1${path}`, `Bearer ${OPERATOR_TOKEN}`, body),
  }
}

export async function createProject({ ask }: ServerProcess): Promise<string> {
  const body = { CommonServiceItem: { Name: 'p', Provider: { Class: 'iotplatform' } } }
  return (await ask('POST', '/commonserviceitem', body)).body.CommonServiceItem.ID
}
