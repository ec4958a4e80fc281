/** kill -9 of a server with the embedded database: under load, during its start and during its first start. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Choices, seedOf } from '../../tools/fuzz/random.ts'
import { Counters } from './counters.ts'
import { type Ledger, readOf } from './ledger.ts'
import { Load } from './load.ts'
import { makeFolder, type ServerProcess, startServer, worldOf } from './server.ts'
import { SNAPSHOT_VALUE, snapshots } from './snapshots.ts'
import { examine } from './state.ts'

export interface KillOptions {
  /** The folder of the programs. */
  readonly programs: string
  /** Not there yet. */
  readonly folder: string
  readonly seed: number
  /** Under load; those during starts come besides. */
  readonly kills: number
  readonly ledger: Ledger
  log(text: string): void
}

export interface Kills {
  underLoad: number
  duringStart: number
  duringFirstStart: number
  deliveries: number
}

/** A start takes about so long, and a first one twice that. */
const START_MS = 500
/** A kill comes after so many answers at most. */
export const ANSWERS = 50
/** All things are compared each time that so many kills are done, and at the end. */
const ALL_EVERY = 100

export async function killOnSqlite(options: KillOptions): Promise<Kills> {
  const { programs, seed, ledger, log } = options
  const folder = makeFolder(options.folder)
  const program = join(programs, 'server.cjs')
  const done: Kills = { underLoad: 0, duringStart: 0, duringFirstStart: 0, deliveries: 0 }
  let server = startServer({ program, folder, args: worldOf(folder) })
  await server.ready
  const counters = await Counters.open(server.call)
  const load = new Load(ledger, counters, seed)
  while (done.underLoad < options.kills) {
    const choices = new Choices(seedOf(seed, done.underLoad))
    await compareAll(server, ledger, counters, done.underLoad % ALL_EVERY === 0 ? 'all' : 'touched')
    await killUnderLoad(server, ledger, load, choices)
    done.underLoad += 1
    if (choices.oneIn(20)) {
      await killFirstStart(program, `${folder}-first`, choices, ledger)
      done.duringFirstStart += 1
    }
    server = startServer({ program, folder })
    while (choices.oneIn(6)) {
      await sleep(choices.below(START_MS))
      await server.kill()
      done.duringStart += 1
      server = startServer({ program, folder })
    }
    await server.ready
    if (done.underLoad % 50 === 0)
      log(`${done.underLoad} kills, ${ledger.answered} answered writes`)
  }
  await compareAll(server, ledger, counters, 'all')
  await counters.compareDeliveries(ledger)
  await examine(server, programs, folder, ledger)
  done.deliveries = counters.delivered
  await server.kill('SIGTERM')
  await counters.close()
  return done
}

async function compareAll(
  { call }: ServerProcess,
  ledger: Ledger,
  counters: Counters,
  which: 'touched' | 'all',
): Promise<void> {
  await ledger.compare(call, which)
  await counters.compare(call, ledger)
}

async function killUnderLoad(
  server: ServerProcess,
  ledger: Ledger,
  load: Load,
  choices: Choices,
): Promise<void> {
  const running = load.begin(() => server.call)
  const enough = load.untilAnswered(choices.below(ANSWERS))
  if (choices.oneIn(10)) {
    const thing = ledger.newThing(snapshots)
    const act = () => snapshots.create(server.call, thing, SNAPSHOT_VALUE)
    void ledger.change(thing, SNAPSHOT_VALUE, act)
  }
  await enough
  await server.kill()
  await running.end()
}

/** Migrations and the world are applied then: all of them afterwards, or after the next start. */
async function killFirstStart(
  program: string,
  path: string,
  choices: Choices,
  ledger: Ledger,
): Promise<void> {
  const folder = makeFolder(path)
  const args = worldOf(folder)
  const first = startServer({ program, folder, args })
  await sleep(choices.below(2 * START_MS))
  await first.kill()
  const second = startServer({ program, folder, args })
  try {
    await second.ready
    const keys = readOf(await second.call('keyList', { params: { code: 'acme' } }))?.keys.length
    if (keys !== 4) ledger.report(`after a kill of the first start an account has ${keys} keys`)
  } catch (error) {
    ledger.report(`after a kill of the first start: ${error}`)
  }
  await second.kill()
  rmSync(folder, { recursive: true })
}
