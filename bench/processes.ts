/** Starts the processes of the benchmark, each on its core, and measures what they cost. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import { CONNECTED, type Load, type LoadResult } from './load.ts'

/** The server's core; the load has the other one, where there is one and `taskset` to say so. */
const SERVER_CORE = 0
const LOAD_CORE = 1
export const isPinned = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0
/** What the kernel counts CPU time in (USER_HZ). */
const TICK_SECONDS = 0.01

const READY_MS = 60_000

export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly output: string
  readonly milliseconds: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface StartOptions {
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Where standard error goes, the log of ours. */
  readonly logFile?: string
  /** Where standard output goes, of one that logs there. */
  readonly outputFile?: string
  /** What it prints when it can be used. */
  readonly until: RegExp
  readonly node?: readonly string[]
  /** Node without it. */
  readonly program?: string
}

/** A process on the server's core, from its start to what it prints when it is ready. */
export async function start(options: StartOptions): Promise<Started> {
  const { args, cwd, env, logFile, outputFile, until, node = [] } = options
  const command = [options.program ?? process.execPath, ...node, ...args]
  const [program, ...rest] = pin(SERVER_CORE, command)
  const files = [outputFile, logFile].map((file) =>
    file === undefined ? 'pipe' : openSync(file, 'a'),
  )
  const began = performance.now()
  const child = spawn(program ?? '', rest, {
    ...(cwd && { cwd }),
    stdio: ['ignore', ...files],
    env: { ...process.env, ...env },
  })
  for (const file of files) if (typeof file === 'number') closeSync(file)
  const output = await readiness(child, until, args)
  return {
    ...{ child, pid: child.pid ?? 0, output, milliseconds: performance.now() - began },
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        child.removeAllListeners('exit')
        child.once('exit', () => resolve())
        child.kill(signal)
      }),
  }
}

/** What it has printed when it can be used; what it prints later is discarded. */
function readiness(child: ChildProcess, until: RegExp, args: readonly string[]): Promise<string> {
  const outputs = [child.stdout, child.stderr]
  return new Promise<string>((resolve, reject) => {
    let text = ''
    const ready = () => {
      clearTimeout(timer)
      for (const output of outputs) output?.removeAllListeners('data').resume()
      resolve(text)
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`It is not ready (${args.join(' ')}): ${text}`))
    }, READY_MS)
    for (const output of outputs) {
      output?.on('data', (chunk: Buffer) => {
        text += chunk
        if (until.test(text)) ready()
      })
    }
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`It ended with ${code} (${args.join(' ')}): ${text}`))
    })
    // Of one that prints nothing the caller finds out.
    if (until.test('')) ready()
  })
}

export interface Measured extends LoadResult {
  /** CPU microseconds of the server a request. */
  readonly cpu: number
}

/** Load on the other core; the CPU time that the server's process used meanwhile is divided by the requests. */
export async function measure(pid: number, load: Load): Promise<Measured> {
  let before = 0
  const result = await generate(load, () => {
    before = cpuSeconds(pid)
  })
  const used = cpuSeconds(pid) - before
  return { ...result, cpu: Math.round((used / Math.max(1, result.requests)) * 1e7) / 10 }
}

export interface Measurement {
  readonly pid: number
  /** Called for each round, since each creates SIMs of its own. */
  load(): Load
}

/** What comes and goes on the machine affects both that are compared. */
export const ROUNDS = 3

export interface Compared {
  readonly ours: Measured
  readonly other: Measured
}

export function mergeCompared(rounds: readonly Compared[]): Compared {
  return { ours: merge(rounds.map(({ ours }) => ours)), other: merge(rounds.map((r) => r.other)) }
}

/** One after the other, several times. Before that both run once, so that their code is compiled. */
export async function alternate(
  ours: Measurement,
  other: Measurement,
  rounds = ROUNDS,
): Promise<Compared> {
  const measured: Compared[] = []
  for (const { load } of [ours, other]) await generate(load())
  for (let round = 0; round < rounds; round += 1) {
    const first = await measure(ours.pid, ours.load())
    measured.push({ ours: first, other: await measure(other.pid, other.load()) })
  }
  return {
    ours: merge(measured.map((one) => one.ours)),
    other: merge(measured.map((one) => one.other)),
  }
}

/** Several rounds as one. */
export function merge(rounds: readonly Measured[]): Measured {
  const sum = (of: (one: Measured) => number) => rounds.reduce((total, one) => total + of(one), 0)
  const requests = sum((one) => one.requests)
  const seconds = sum((one) => one.seconds)
  return {
    ...{ requests, seconds, failures: sum((one) => one.failures) },
    perSecond: Math.round((requests / seconds) * 100) / 100,
    cpu: Math.round((sum((one) => one.cpu * one.requests) / requests) * 10) / 10,
    ...{ p50: median(rounds.map(({ p50 }) => p50)), p99: median(rounds.map(({ p99 }) => p99)) },
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** `connected` is called when all connections are there, just before the first request. */
export function generate(load: Load, connected: () => void = () => {}): Promise<LoadResult> {
  return runLoad('load.ts', load, CONNECTED, connected)
}

/** A program of this folder on the core of the load, which prints `begins` and, at the end, its result as JSON. */
export async function runLoad<Result>(
  name: string,
  load: object,
  begins: string,
  connected: () => void,
): Promise<Result> {
  const file = new URL(name, import.meta.url).pathname
  const [program, ...rest] = pin(LOAD_CORE, [process.execPath, file, JSON.stringify(load)])
  const running = promisify(execFile)(program ?? '', rest)
  running.child.stdout?.once('data', connected)
  const { stdout } = await running
  return JSON.parse(stdout.slice(begins.length))
}

export function residentMib(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

export function cpuSeconds(pid: number): number {
  // The fields after the name, which may have blanks in it: the 12th and 13th are user and system.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_SECONDS
}

/** What runs already, with all that it starts from now on. */
export function pinToServerCore(pid: number): void {
  if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', String(SERVER_CORE), String(pid)])
}

function pin(core: number, command: readonly string[]): string[] {
  return isPinned ? ['taskset', '-c', String(core), ...command] : [...command]
}
