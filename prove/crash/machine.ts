/** The part with faults of the machine: each comes under load and goes again, without a restart of the server. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Options, Part } from '../part.ts'
import { Counters } from './counters.ts'
import { figure, figuresOf } from './crash.ts'
import { Faults } from './faults.ts'
import { Ledger } from './ledger.ts'
import { Load } from './load.ts'
import {
  makeFolder,
  packPrograms,
  type ServerOptions,
  type ServerProcess,
  startServer,
  worldOf,
} from './server.ts'
import { examine } from './state.ts'

const TIMES = { full: 3, sample: 1 }
/** Writes that are to be answered or refused before the fault, in it and after it. */
const WRITES = 30
const PATIENCE_MS = 20_000
const MEMORY_MIB = 48

interface Fault {
  readonly name: string
  begin(faults: Faults, server: ServerProcess): void
  end(faults: Faults, server: ServerProcess): void
  /** In the log, where the server cannot go on as usual. */
  readonly says?: RegExp
  /** Refusals that the fault explains, besides 503. */
  readonly expected?: RegExp
}

const disk = (name: string, begin: (faults: Faults) => void, says: RegExp): Fault => ({
  ...{ name, begin, says },
  end(faults) {
    faults.failWrites(undefined)
    faults.failFlushes(undefined)
  },
})

const clock = (name: string, seconds: number): Fault => ({
  name,
  begin: (faults) => faults.stepClock(seconds),
  end: (faults) => faults.stepClock(0),
  // It is for a while only.
  expected: /The upload token (was|is)/,
})

/** More than the hour that some limits are for. */
const STEP_SECONDS = 90 * 60

const FAULTS: readonly Fault[] = [
  disk('disk full', (faults) => faults.failWrites('ENOSPC'), /"msg":"disk full"/),
  disk('disk read-only', (faults) => faults.failWrites('EROFS'), /"msg":"disk not writable"/),
  disk('disk that fails', (faults) => faults.failWrites('EIO'), /"msg":"disk not writable"/),
  disk('failing fsync', (faults) => faults.failFlushes('EIO'), /"msg":"disk fails to flush"/),
  clock('clock ahead', STEP_SECONDS),
  clock('clock back', -STEP_SECONDS),
  {
    name: 'file descriptors used up',
    begin: (_, server) => limitFiles(server, openFiles(server)),
    end: (_, server) => limitFiles(server, 1024),
    says: /"msg":"file descriptors used up"/,
  },
]

export const machine: Part = {
  name: 'machine',
  title: 'Faults of the machine',
  claim: `Under the load of the part before, the disk becomes full, read-only or failing, its flushes fail, the wall clock
steps by an hour and a half forth and back, and file descriptors run out; a library between the server and the system
brings it about. Meanwhile each request has an answer: 503 says that nothing was changed, 500 that it is not known. The
log names the fault, but for a clock that steps. When it is gone, the server goes on without a restart. All that was
answered is compared then, and again after a kill. In the end the server gets little memory and large requests, and is
started again when it ends.`,
  async run(options) {
    const ledger = new Ledger()
    const figures = await tryAll(options, ledger)
    return { figures, violations: ledger.violations }
  },
}

async function tryAll({ folder, size, seed, log }: Options, ledger: Ledger): Promise<Figure[]> {
  const programs = await packPrograms(folder)
  const place = makeFolder(join(folder, 'machine'))
  const faults = Faults.prepare(place, join(place, 'data'))
  if (faults === undefined) {
    ledger.report('There is no C compiler, so no fault was tried.')
    return []
  }
  const { environment } = faults
  const program = join(programs, 'server.cjs')
  const start = (more: Partial<ServerOptions> = {}) =>
    startServer({ program, folder: place, environment, ...more })
  let server = start({ args: worldOf(place) })
  await server.ready
  const counters = await Counters.open(server.call)
  const load = new Load(ledger, counters, seed)
  const compare = async () => {
    await ledger.compare(server.call, 'touched')
    await counters.compare(server.call, ledger)
  }
  const startAgain = async (more: Partial<ServerOptions> = {}) => {
    await server.kill()
    server = start(more)
    await server.ready
  }
  let endedOfMemory = 0
  for (let time = 0; time < TIMES[size]; time += 1) {
    for (const fault of FAULTS) {
      await tryOne(fault, faults, server, load, ledger)
      await compare()
      await startAgain()
      await ledger.compare(server.call, 'all')
      log(`${fault.name}: ${ledger.answered} answered, ${ledger.refused} refused`)
    }
    await startAgain({ flags: [`--max-old-space-size=${MEMORY_MIB}`] })
    if (await useMemory(server, load, ledger)) endedOfMemory += 1
    await startAgain()
    await compare()
  }
  if (size === 'full' && endedOfMemory === 0) ledger.report('No server ended for want of memory.')
  await ledger.compare(server.call, 'all')
  await counters.compareDeliveries(ledger)
  await examine(server, programs, place, ledger)
  await server.kill('SIGTERM')
  await counters.close()
  return [
    figure('Faults of the machine', (FAULTS.length + 1) * TIMES[size]),
    ...figuresOf('a machine with faults', [ledger]),
    figure('Refused writes', ledger.refused),
    figure('Servers that ended for want of memory', endedOfMemory),
    figure('Calls of the system that failed', faults.met),
  ]
}

async function tryOne(
  fault: Fault,
  faults: Faults,
  server: ServerProcess,
  load: Load,
  ledger: Ledger,
): Promise<void> {
  const { name, says, expected } = fault
  const running = load.begin(
    () => server.call,
    ({ problem }) => {
      if (problem !== undefined) ledger.report(`${name}: a request had no answer: ${problem}`)
      return problem === undefined
    },
  )
  await load.untilAnswered(WRITES)
  const before = server.log().length
  const isSaid = () => says === undefined || says.test(server.log().slice(before))
  const count = () => ledger.answered + ledger.refused + ledger.unknown
  const wanted = count() + WRITES
  ledger.expected = expected
  fault.begin(faults, server)
  for (let waited = 0; (count() < wanted || !isSaid()) && waited < PATIENCE_MS; waited += 1) {
    await sleep(1)
  }
  fault.end(faults, server)
  if (!isSaid()) ledger.report(`${name}: the log does not say so: ${server.log().slice(before)}`)
  // By itself: nothing is restarted.
  await load.untilAnswered(WRITES)
  await running.end()
  ledger.expected = undefined
}

/** Of many accounts; the same each time. */
const LARGE = {
  query: { mode: 'add' },
  body: {
    version: 1,
    accounts: Array.from({ length: 2000 }, (_, n) => ({
      code: `large${n}`,
      name: 'x'.repeat(200),
    })),
  },
}

/** Answers with whether it ended of that. */
async function useMemory(server: ServerProcess, load: Load, ledger: Ledger): Promise<boolean> {
  const { child } = server
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const running = load.begin(() => server.call)
  for (let time = 0; time < 5 && !hasEnded(); time += 1) {
    await Promise.all(Array.from({ length: 8 }, () => server.call('worldApply', LARGE)))
  }
  await running.end()
  if (hasEnded() && !/out of memory/.test(server.log())) {
    ledger.report(`it ended, and did not say that there was no memory: ${server.log()}`)
  }
  return hasEnded()
}

function openFiles({ child }: ServerProcess): number {
  return readdirSync(`/proc/${child.pid}/fd`).length
}

/** The soft limit of a process that runs. */
function limitFiles({ child }: ServerProcess, most: number): void {
  spawnSync('prlimit', ['--pid', String(child.pid), `--nofile=${most}:`])
}
