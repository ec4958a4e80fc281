/** The published server as a process that can be killed, limited and started again on the same folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ENCRYPTION_KEYS,
  OPERATOR_TOKEN,
  TEST_WORLD,
} from '../../packages/server/src/testing/cloud.ts'
import { iccidOf } from '../../packages/server/src/testing/sims.ts'
import { toWire } from '../../tools/fuzz/call.ts'
import { callOf, type Draft, Pool, step } from '../../tools/fuzz/step.ts'
import { type Outcome, send } from '../../tools/fuzz/target.ts'

export interface ServerProcess {
  readonly child: ChildProcess
  /** Rejects when it ends before. */
  readonly ready: Promise<void>
  /** Standard error so far. */
  log(): string
  call: Call
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** By the name of an operation. */
export type Call = (name: string, draft?: Draft) => Promise<Outcome>

export interface ServerOptions {
  readonly program: string
  readonly folder: string
  readonly args?: readonly string[]
  /** Of Node. */
  readonly flags?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** Instead of Node: a program that starts what follows it. */
  readonly prefix?: readonly string[]
}

/** Bundled, since that starts in two thirds of the time of the sources. Answers with the folder of its programs. */
export async function packPrograms(folder: string): Promise<string> {
  const packed = process.env.TEST_PACKAGE
  if (packed !== undefined) return join(packed, 'dist')
  // Only then: the bundler takes a second to load.
  const { bundleKumoi } = await import('../../tools/build.ts')
  await bundleKumoi(join(folder, 'package', 'dist'))
  copyFileSync('packages/cli/package.json', join(folder, 'package', 'package.json'))
  return join(folder, 'package', 'dist')
}

/** They end with this process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** More cards than a run registers SIMs. */
const CARDS = 50_000

export function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const world = {
    ...TEST_WORLD,
    settings: { webaccel_calls_per_hour: 100_000 },
    sim_cards: [{ iccid_from: iccidOf(0), count: CARDS, passcode: 'pass{n}' }],
  }
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
  writeFileSync(join(folder, 'key'), Buffer.from(ENCRYPTION_KEYS[0].bytes).toString('base64'))
  return folder
}

/** The arguments of a first start: the world is applied once. */
export const worldOf = (folder: string) => ['--world', join(folder, 'world.json')]

export function startServer(options: ServerOptions): ServerProcess {
  const { program, folder, args = [], flags = [], environment = {}, prefix = [] } = options
  const [command = '', ...rest] = [
    ...[...prefix, process.execPath, '--max-semi-space-size=8', ...flags, program],
    ...['--data', join(folder, 'data'), '--key-file', join(folder, 'key')],
    ...['--port', '0', '--http-port', '0', '--operator-token', OPERATOR_TOKEN],
    ...['--provisioning-seconds', '0', '--log-level', 'error', ...args],
  ]
  const cache = join(tmpdir(), 'node-compile-cache')
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache, ...environment },
  })
  const ended = once(child, 'close')
  running.add(child)
  child.once('exit', () => running.delete(child))
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  const agent = new Agent({ keepAlive: true })
  const origin = originOf(child, () => log)
  const ready = origin.then(() => undefined)
  // Who kills it during its start does not wait for it.
  ready.catch(() => undefined)
  const pool = new Pool()
  return {
    child,
    ready,
    log: () => log,
    call: async (name, draft = {}) =>
      send(await origin, agent, toWire(callOf(step(name, draft), pool))),
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await ended
      agent.destroy()
    },
  }
}

function originOf(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const [, address] = /Plain HTTP\s+(\S+)/.exec(text) ?? []
      if (text.includes('\nReady.') && address !== undefined) resolve(new URL(address).origin)
    })
    child.once('close', (code) => reject(new Error(`The server ended with ${code}: ${log()}`)))
  })
}
