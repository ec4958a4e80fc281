/** The part with kills: two servers with databases of their own beside each other, then two on one PostgreSQL. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type PostgresServer,
  startPostgres,
} from '../../packages/server/src/testing/postgres-server.ts'
import type { Figure, Options, Part, Size } from '../part.ts'
import { Ledger } from './ledger.ts'
import { killOnPostgres } from './postgres.ts'
import { packPrograms } from './server.ts'
import { killOnSqlite } from './sqlite.ts'

const KILLS = { full: { sqlite: 1000, postgres: 200 }, sample: { sqlite: 6, postgres: 3 } }

export const crash: Part = {
  name: 'crash',
  title: 'Kills',
  claim: `Servers are killed by SIGKILL under a mixed load: clients create, change and delete SIMs, gateways, IoT projects,
sites, files, snapshots and accounts with keys, count traffic and short messages, and send messages that go to a webhook.
After each kill all that was changed since the one before is read and compared with the answers; all is compared at the
end. What was answered is there with its last value, what was deleted is gone, what was not answered is whole or absent,
each message has reached its webhook, and nothing is counted twice. Some kills come during a start, or during the first
one with its migrations.`,
  async run(options) {
    const programs = await packPrograms(options.folder)
    const ledgers: Ledger[] = []
    const figures = [
      ...(await onSqlite(options, programs, ledgers)),
      ...(await onPostgres(options, programs, ledgers)),
    ]
    const violations = ledgers.flatMap((ledger) => ledger.violations)
    return { figures, violations }
  },
}

/** A server for each core, since most of its time goes into starts. */
async function onSqlite(
  { seed, size, folder, log }: Options,
  programs: string,
  ledgers: Ledger[],
): Promise<Figure[]> {
  const count = Math.min(2, availableParallelism())
  const kills = Math.ceil(KILLS[size].sqlite / count)
  const own = Array.from({ length: count }, () => new Ledger())
  ledgers.push(...own)
  const done = await Promise.all(
    own.map((ledger, index) =>
      killOnSqlite({
        ...{ programs, folder: join(folder, `sqlite${index}`), seed: seed + index, kills, ledger },
        log: (text) => log(`SQLite ${index}: ${text}`),
      }),
    ),
  )
  const sum = (pick: (one: (typeof done)[number]) => number) =>
    done.reduce((total, one) => total + pick(one), 0)
  return [
    figure(
      'Kills of a server on SQLite under load',
      sum(({ underLoad }) => underLoad),
    ),
    figure(
      'Kills during a start',
      sum(({ duringStart }) => duringStart),
    ),
    figure(
      'Kills during a first start',
      sum(({ duringFirstStart }) => duringFirstStart),
    ),
    ...figuresOf('SQLite', own),
    figure(
      'Webhook deliveries on SQLite',
      sum(({ deliveries }) => deliveries),
    ),
  ]
}

async function onPostgres(
  { seed, size, folder, log }: Options,
  programs: string,
  ledgers: Ledger[],
): Promise<Figure[]> {
  const ledger = new Ledger()
  ledgers.push(ledger)
  const server = await postgresFor(size)
  if (server === undefined) {
    ledger.report('There is no PostgreSQL, so nothing was tried on it.')
    return []
  }
  try {
    const { kills, answeredAlone, deliveries } = await killOnPostgres({
      ...{ programs, folder: join(folder, 'postgres'), seed, kills: KILLS[size].postgres, ledger },
      ...{ serverUrl: server.url, waitsForDeliveries: size === 'full' },
      log: (text) => log(`PostgreSQL: ${text}`),
    })
    return [
      figure('Kills of one of two servers on PostgreSQL under load', kills),
      figure('Writes that the other one answered meanwhile', answeredAlone),
      ...figuresOf('PostgreSQL', [ledger]),
      figure('Webhook deliveries on PostgreSQL', deliveries),
    ]
  } finally {
    server.stop()
  }
}

/** The test command has one already. */
async function postgresFor(size: Size): Promise<Pick<PostgresServer, 'url' | 'stop'> | undefined> {
  const url = process.env.TEST_POSTGRES_URL
  if (size === 'sample' && url) return { url, stop: () => undefined }
  return startPostgres({ isDurable: size === 'full' })
}

export function figuresOf(where: string, ledgers: readonly Ledger[]): Figure[] {
  const sum = (pick: (ledger: Ledger) => number) =>
    ledgers.reduce((total, ledger) => total + pick(ledger), 0)
  return [
    figure(
      `Answered writes on ${where}`,
      sum(({ answered }) => answered),
    ),
    figure(
      `Writes on ${where} whose outcome was unknown`,
      sum(({ unknown }) => unknown),
    ),
    figure(
      `Things on ${where} that were compared`,
      sum(({ compared }) => compared),
    ),
  ]
}

export function figure(name: string, value: number): Figure {
  return { name, value: String(value) }
}
