/** The embedded store on one core: ours against bare `node:http`. */
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startBare } from './bare.ts'
import { alternate, median, mergeCompared, ROUNDS, residentMib } from './processes.ts'
import { below, compare, type PeerFigures, type Run } from './report.ts'
import { creation, request, startServer } from './server.ts'

/** Answers with the row beside the peers. */
export async function measureSqlite(run: Run): Promise<PeerFigures> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(run))
  const startMs = median(rounds.map((round) => round.startMs))
  const mib = Math.max(...rounds.map((round) => round.mib))
  const gets = mergeCompared(rounds.map((round) => round.gets))
  const creations = mergeCompared(rounds.map((round) => round.creations))
  const loadedMib = Math.max(...rounds.map((round) => round.loadedMib))
  run.note(below('start to Ready., with a data folder (ms)', startMs, 700))
  run.note(below('resident memory after the start (MiB)', mib, 110))
  run.note({ name: 'resident memory after the loads below (MiB)', value: loadedMib.toFixed(0) })
  run.note(compare('GET item, SQLite, against bare node:http', gets, 0.55))
  run.note(compare('durable SIM creation, SQLite, against bare node:http', creations, 0.33))
  const sizes = { startMs, mib, installMib: installedMib() }
  return { name: 'kumoi (this)', get: gets.ours, create: creations.ours, ...sizes }
}

type Round = Awaited<ReturnType<typeof oneRound>>

/** In new processes: one and the same program is some percent faster or slower from its start to its end. */
async function oneRound(run: Run) {
  const folder = run.newFolder()
  await (await startServer(folder)).stop()
  const server = await startServer(folder)
  // The memory that only the start needed is returned right after it.
  await setTimeout(500)
  const mib = residentMib(server.pid)
  const bare = await startBare(server, run.newCards())
  const common = { connections: 64, seconds: run.seconds, port: server.port }
  const get = { ...common, request: request('GET', `/commonserviceitem/${bare.id}`) }
  const create = () => ({ ...common, request: creation(), first: run.newCards() })
  const { pid } = server
  const figures = {
    ...{ startMs: server.milliseconds, mib },
    gets: await alternate({ pid, load: () => get }, bare.measurement(get), 1),
    creations: await alternate({ pid, load: create }, bare.measurement(create()), 1),
    loadedMib: residentMib(pid),
  }
  await Promise.all([server.stop(), bare.stop()])
  return figures
}

/** The packages that run, without the Node that some platforms install with them. */
function installedMib(): number {
  const options = { encoding: 'utf8', cwd: new URL('..', import.meta.url) } as const
  const listed = execFileSync('npm', 'ls --omit=dev --all --parseable'.split(' '), options)
  const [, ...folders] = listed.trim().split('\n')
  const own = folders
    .filter((folder) => !/node-linux/.test(folder))
    .map((folder) => realpathSync(folder))
  const size = execFileSync('du', ['-skc', '--exclude=node_modules', ...own], options)
  return Number.parseInt(size.trim().split('\n').at(-1) ?? '', 10) / 1024
}
