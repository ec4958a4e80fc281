/** One core, 64 connections, the embedded engine: ours against the ceilings and the peers. */
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type Inserts, rawInserts, startBare } from './ceilings.ts'
import { createOne, creation, request, simsFrom, startCloud } from './cloud.ts'
import { measureEncrypted, noteEncrypted } from './encrypted.ts'
import { atLeast, beside, compare, limit, type Run } from './figures.ts'
import type { Load } from './load.ts'
import type { PeerFigures } from './peers.ts'
import {
  allTurns,
  generate,
  inTurns,
  type Measured,
  median,
  ROUNDS,
  residentMib,
} from './processes.ts'

/** Ours, as a row beside the peers. */
export interface Ours extends PeerFigures {
  readonly get: Measured
  readonly create: Measured
}

export async function oneCore(run: Run): Promise<Ours> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(run))
  const startMs = median(rounds.map((round) => round.startMs))
  run.note(limit('start to Ready., with a data folder (ms)', startMs, 700))
  const mib = Math.max(...rounds.map((round) => round.mib))
  run.note(limit('resident memory half a second after start (MiB)', mib, 100))
  const gets = allTurns(rounds.map((round) => round.gets))
  run.note(compare('GET item, SQLite, against bare node:http', gets, 0.55))
  const posts = allTurns(rounds.map((round) => round.posts))
  run.note(compare('durable SIM creation, SQLite, against bare node:http', posts, 0.5))
  await againstInserts(run, posts.ours)
  const read = noteEncrypted(
    run,
    rounds.map((round) => round.encrypted),
  )
  const bare = allTurns(rounds.map((round) => round.bare))
  const encrypted = { ours: read.ours, theirs: bare.ours }
  run.note(beside('GET item over HTTPS against bare node:https', encrypted))
  run.note(beside('bare node:https against bare node:http', bare))
  const inMedians = rounds.map(({ half }) => half.p99 / half.p50)
  run.note({
    name: 'p99 at half of the peak rate, in p50s',
    value: inMedians.map((each) => each.toFixed(1)).join(', '),
    limit: 'under 10',
    holds: Math.max(...inMedians) < 10 && rounds.every(({ half }) => half.failures === 0),
  })
  const loaded = Math.max(...rounds.map((round) => round.loadedMib))
  run.note(limit('resident memory under load (MiB)', loaded, 160))
  const cost = { startMs, mib, installMib: installedMib() }
  return { name: 'kumoi (this)', get: gets.ours, create: posts.ours, ...cost }
}

type Round = Awaited<ReturnType<typeof oneRound>>

/** In new processes: one and the same program is some percent faster or slower from its start to its end. */
async function oneRound(run: Run) {
  const folder = run.newFolder()
  const cold = await startCloud(folder)
  await cold.stop()
  const cloud = await startCloud(folder)
  // What only the start has needed is given back right after it.
  await setTimeout(500)
  const mib = residentMib(cloud.pid)
  const ceiling = await startBare(cloud, run.fresh())
  // Enough for a page of a list.
  const first = run.fresh()
  for (let sim = 0; sim < 30; sim += 1) await createOne(cloud.plainPort, first + sim)
  const item = `/commonserviceitem/${ceiling.id}`
  const load = { connections: 64, seconds: run.seconds, port: cloud.plainPort }
  const loaded = (text: string) => () => ({ ...load, request: text })
  const read = loaded(request('GET', item))
  const creations = () => ({ ...load, request: creation(), first: run.fresh() })
  const ours = (ourLoad: () => Load) => ({ pid: cloud.pid, load: ourLoad })
  const gets = await inTurns(ours(read), ceiling.loaded(read()), 1)
  const figures = {
    ...{ startMs: cloud.milliseconds, mib, gets },
    half: await generate({ ...read(), rate: gets.ours.perSecond / 2 }),
    encrypted: await measureEncrypted(cloud, {
      read,
      status: loaded(request('GET', `${item}/sim/status`)),
      list: loaded(request('GET', simsFrom(0))),
      creation: creations,
    }),
    bare: await inTurns(ceiling.loaded({ ...read(), tls: true }), ceiling.loaded(read()), 1),
    posts: await inTurns(ours(creations), ceiling.loaded(creations()), 1),
    loadedMib: residentMib(cloud.pid),
  }
  await Promise.all([cloud.stop(), ceiling.stop()])
  return figures
}

/** The packages that run, without the Node that some platforms install with them. */
function installedMib(): number {
  const options = { encoding: 'utf8', cwd: new URL('..', import.meta.url) } as const
  const listed = execFileSync('npm', 'ls --omit=dev --all --parseable'.split(' '), options)
  const [, ...folders] = listed.trim().split('\n')
  const own = folders
    .filter((folder) => !/node-linux/.test(folder))
    .map((each) => realpathSync(each))
  const size = execFileSync('du', ['-skc', '--exclude=node_modules', ...own], options)
  return Number.parseInt(size.trim().split('\n').at(-1) ?? '', 10) / 1024
}

async function againstInserts(run: Run, ours: Measured): Promise<void> {
  const { tables, same, short } = await rawInserts(run.newFolder(), run.seconds)
  const detail = ({ perSecond, cpu }: Inserts) =>
    `${Math.round(ours.perSecond)}/s, ${ours.cpu} µs against ${perSecond}/s, ${cpu} µs`
  run.note(
    atLeast(
      `durable SIM creation against raw inserts of the same rows (${tables.join(', ')}) into node:sqlite, one durable transaction a creation, by rate`,
      ours.perSecond / same.perSecond,
      1.3,
      detail(same),
    ),
  )
  run.note({
    name: 'the same against raw inserts of one short row into a table without other indexes than its keys',
    value: `${(ours.perSecond / short.perSecond).toFixed(2)} (${detail(short)})`,
  })
}

export function againstPeers(run: Run, ours: Ours, peers: readonly PeerFigures[]): void {
  const fastest = (of: 'get' | 'create') =>
    Math.min(...peers.flatMap((peer) => peer[of]?.cpu ?? []))
  if (!peers.some(({ get }) => get)) return
  run.note(atLeast("GET item against the fastest peer's, by CPU", fastest('get') / ours.get.cpu, 2))
  run.note(
    atLeast("creation against the fastest peer's, by CPU", fastest('create') / ours.create.cpu, 2),
  )
}
