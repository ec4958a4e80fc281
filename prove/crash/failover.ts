/** The part with the loss of the database's leader, under Patroni with a synchronous standby. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Options, Part } from '../part.ts'
import { Counters } from './counters.ts'
import { figure, figuresOf } from './crash.ts'
import { Ledger } from './ledger.ts'
import { Load } from './load.ts'
import { Patroni } from './patroni.ts'
import { s3Flags } from './postgres.ts'
import { makeFolder, packPrograms, type ServerProcess, startServer, worldOf } from './server.ts'
import { examine } from './state.ts'

const LOSSES = { full: 20, sample: 1 }
/** Writes that are answered before the loss and after it. */
const WRITES = 30

export const failover: Part = {
  name: 'failover',
  title: 'Loss of the database’s leader',
  claim: `Two servers use two PostgreSQL servers under Patroni, with etcd, \`synchronous_mode\` and both hosts in the
address. Under the load of the kills, PostgreSQL and Patroni of the leader are killed by SIGKILL. Each request has an
answer meanwhile: 503 says that nothing was changed, 500 that it is not known. When the standby leads, the servers go on
without a restart, and what was answered is compared; then the lost one comes back as standby.`,
  async run(options) {
    const ledger = new Ledger()
    // PostgreSQL runs as another user.
    chmodSync(options.folder, 0o711)
    const patroni = await Patroni.start(join(options.folder, 'patroni'))
    if (patroni === undefined) {
      const missing = 'Patroni is missing (Debian: patroni, etcd-server), so nothing was tried.'
      return { figures: [], violations: [missing] }
    }
    try {
      const figures = await loseLeaders(options, patroni, ledger)
      return { figures, violations: ledger.violations }
    } finally {
      patroni.stop()
    }
  },
}

async function loseLeaders(
  { folder, size, seed, log }: Options,
  patroni: Patroni,
  ledger: Ledger,
): Promise<Figure[]> {
  const ends: (() => void)[] = []
  const programs = await packPrograms(folder)
  const flags = [...(await s3Flags((end) => ends.push(end))), '--database', patroni.url]
  const servers: ServerProcess[] = []
  for (const name of ['one', 'two']) {
    const place = makeFolder(join(folder, name))
    const world = servers.length === 0 ? worldOf(place) : []
    const args = [...flags, ...world]
    servers.push(startServer({ program: join(programs, 'server.cjs'), folder: place, args }))
    await servers.at(-1)?.ready
  }
  const at = (index: number) => servers[index % servers.length] as ServerProcess
  const counters = await Counters.open(at(0).call)
  const load = new Load(ledger, counters, seed)
  const seconds: number[] = []
  for (let loss = 0; loss < LOSSES[size]; loss += 1) {
    const running = load.begin(
      (client) => at(client).call,
      ({ problem }) => {
        if (problem !== undefined) ledger.report(`a request had no answer: ${problem}`)
        return true
      },
    )
    await load.untilAnswered(WRITES)
    const began = Date.now()
    const lost = await patroni.loseLeader(size === 'sample')
    // By themselves: no server is restarted.
    await load.untilAnswered(WRITES)
    seconds.push((Date.now() - began) / 1000)
    await running.end()
    await ledger.compare(at(loss).call, 'touched')
    await counters.compare(at(loss).call, ledger)
    lost.comeBack()
    await patroni.untilWhole()
    log(`${loss + 1} leaders lost, ${ledger.answered} answered writes, ${ledger.refused} refused`)
  }
  await ledger.compare(at(0).call, 'all')
  if (size === 'full') await counters.compareDeliveries(ledger)
  await examine(at(0), programs, join(folder, 'one'), ledger)
  await Promise.all(servers.map((server) => server.kill('SIGTERM')))
  await counters.close()
  for (const end of ends) end()
  return [
    figure('Leaders that were lost', LOSSES[size]),
    ...figuresOf('PostgreSQL under Patroni', [ledger]),
    figure('Refused writes', ledger.refused),
    figure('Seconds until writes were answered again, at most', Math.ceil(Math.max(...seconds))),
  ]
}
