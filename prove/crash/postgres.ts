/** kill -9 of one of two servers on one PostgreSQL: the other one goes on answering. */
import { join } from 'node:path'
import { newDatabaseUrl } from '../../packages/server/src/testing/postgres-databases.ts'
import { S3_KEYS, S3Server } from '../../packages/server/src/testing/s3-server.ts'
import { Choices, seedOf } from '../../tools/fuzz/random.ts'
import { Counters } from './counters.ts'
import { Load } from './load.ts'
import { makeFolder, type ServerProcess, startServer, worldOf } from './server.ts'
import { ANSWERS, type KillOptions } from './sqlite.ts'
import { examine } from './state.ts'

/** The other one answers so many at least while it is alone. */
const ALONE = 10

export interface PostgresKills {
  kills: number
  /** Writes that the other server answered while one was down. */
  answeredAlone: number
  deliveries: number
}

export async function killOnPostgres(
  options: KillOptions & {
    readonly serverUrl: string
    /** A job of a process that was killed belongs to it for a minute, so that they come late. */
    readonly waitsForDeliveries: boolean
  },
): Promise<PostgresKills> {
  const { programs, seed, ledger, log } = options
  const ends: (() => void)[] = []
  const after = (end: () => void) => void ends.push(end)
  const flags = [...(await s3Flags(after)), '--database', await newDatabaseUrl(options.serverUrl)]
  const program = join(programs, 'server.cjs')
  const folders = ['one', 'two'].map((name) => makeFolder(join(options.folder, name)))
  const start = (index: number, more: readonly string[] = []) =>
    startServer({ program, folder: folders[index] ?? '', args: [...flags, ...more] })
  const servers = [start(0, worldOf(folders[0] ?? ''))]
  await servers[0]?.ready
  servers.push(start(1))
  await servers[1]?.ready
  const at = (index: number) => servers[index % 2] as ServerProcess

  const counters = await Counters.open(at(0).call)
  const load = new Load(ledger, counters, seed)
  const done: PostgresKills = { kills: 0, answeredAlone: 0, deliveries: 0 }
  for (; done.kills < options.kills; done.kills += 1) {
    const choices = new Choices(seedOf(seed, done.kills))
    const victim = choices.below(2)
    const round = new Round(load, servers, victim)
    await load.untilAnswered(choices.below(ANSWERS))
    round.isDown = true
    await at(victim).kill()
    servers[victim] = start(victim)
    await Promise.all([load.untilAnswered(ALONE), choices.oneIn(4) ? undefined : at(victim).ready])
    for (const violation of await round.end()) ledger.report(violation)
    done.answeredAlone += round.answeredAlone
    await at(victim).ready
    // The one that was just started sees what the other one has answered.
    await ledger.compare(at(victim).call, 'touched')
    await counters.compare(at(victim).call, ledger)
    if (done.kills % 20 === 19) log(`${done.kills + 1} kills, ${ledger.answered} answered writes`)
  }
  await ledger.compare(at(0).call, 'all')
  if (options.waitsForDeliveries) await counters.compareDeliveries(ledger)
  await examine(at(0), programs, folders[0] ?? '', ledger)
  done.deliveries = counters.delivered
  await Promise.all(servers.map((server) => server.kill('SIGTERM')))
  await counters.close()
  for (const end of ends) end()
  return done
}

/** The load on both; a client whose server is killed goes on at the other one. */
class Round {
  isDown = false
  answeredAlone = 0
  readonly #violations: string[] = []
  readonly #running: { end(): Promise<void> }

  constructor(load: Load, servers: readonly ServerProcess[], victim: number) {
    // As they are now: one that is started again is not part of this round.
    const calls = servers.map(({ call }) => call)
    const other = 1 - victim
    const moved = new Set<number>()
    const placeOf = (client: number) => (moved.has(client) ? other : client % 2)
    this.#running = load.begin(
      (client) => calls[placeOf(client)] as ServerProcess['call'],
      ({ status, problem, text }, client) => {
        const place = placeOf(client)
        if (place === other && (problem !== undefined || status >= 500)) {
          this.#violations.push(`the server that lives answered with ${status} ${problem ?? text}`)
        }
        if (place === other && this.isDown && status < 300) this.answeredAlone += 1
        if (problem !== undefined && place === victim) moved.add(client)
        return true
      },
    )
  }

  async end(): Promise<readonly string[]> {
    await this.#running.end()
    return this.#violations
  }
}

/** Both servers need the contents of files. */
export async function s3Flags(after: (end: () => void) => void): Promise<string[]> {
  const { url } = await S3Server.open({ after })
  const { accessKey, secretKey, region } = S3_KEYS
  return [
    ...['--s3-endpoint', url, '--s3-bucket', 'bucket', '--s3-region', region],
    ...['--s3-access-key', accessKey, '--s3-secret-key', secretKey],
  ]
}
