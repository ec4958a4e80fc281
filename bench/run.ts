/**
 * The benchmark: `npm run bench`. Everything side by side in one run, the server on one core and the load on the
 * other, since only ratios inside one run say anything. Prints a table and writes bench/report.md.
 * `--sims N` fills fewer than a million, `--minutes N` is the length of the run for flat memory.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PostgresDatabase } from '../packages/server/src/storage/postgres.ts'
import { raw } from '../packages/server/src/storage/sql.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite.ts'
import { newDatabaseUrl } from '../packages/server/src/testing/engines.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import {
  ask,
  type CloudProcess,
  createOne,
  creation,
  newFolder,
  request,
  searchPath,
  startCloud,
} from './cloud.ts'
import { fillSims } from './fill-sims.ts'
import { measurePeers, type PeerFigures } from './peers.ts'
import { generate, isPinned, type Measured, measure, residentMib, start } from './processes.ts'
import { type Figure, report } from './report.ts'

const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const SECONDS = Number(values.seconds)
const SIMS = Number(values.sims)
const folders: string[] = []
const figures: Figure[] = []
const newOne = () => {
  const folder = newFolder()
  folders.push(folder)
  return folder
}
const say = (text: string) => process.stdout.write(`${text}\n`)
const note = (figure: Figure) => {
  figures.push(figure)
  write()
  say(
    `${figure.name}: ${figure.value}${figure.holds === undefined ? '' : figure.holds ? '  (holds)' : '  (does not hold)'}`,
  )
}
let peers: readonly PeerFigures[] = []
/** After each figure, so that a run that is broken off leaves what it has. */
const write = () => {
  const run = { isPinned, sims: SIMS, minutes: Number(values.minutes), peers }
  writeFileSync(new URL('report.md', import.meta.url), report(figures, run))
}
const postgres = await startPostgres()
let next = 1000

try {
  await bare()
  if (postgres !== undefined) await onPostgres(postgres.url)
  await largeAccount('SQLite')
  if (postgres !== undefined) await largeAccount('PostgreSQL', postgres.url)
  await flat(Number(values.minutes))
} finally {
  postgres?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

/** One core, 64 connections: ours against the ceilings and the peers. */
async function bare() {
  const folder = newOne()
  const cold = await startCloud(folder)
  await cold.stop()
  const cloud = await startCloud(folder)
  note(limit('start to Ready., with a data folder (ms)', cloud.milliseconds, 700))
  note(limit('resident memory after start (MiB)', residentMib(cloud.pid), 100))
  const { samples, id } = await sample(cloud)
  const ceiling = await startBare(samples)
  const load = { connections: 64, seconds: SECONDS }
  const get = { ...load, request: request('GET', `/commonserviceitem/${id}`) }
  const post = { ...load, request: creation() }
  await warmUp(cloud, get)
  await generate({ ...get, port: ceiling.port })

  const bareGet = await measure([ceiling.pid], { ...get, port: ceiling.port })
  const ourGet = await measure([cloud.pid], { ...get, port: cloud.plainPort })
  compare('GET item, SQLite, against bare node:http', ourGet, bareGet, 0.55)
  const barePost = await measure([ceiling.pid], { ...post, port: ceiling.port })
  const ourPost = await measure([cloud.pid], { ...post, port: cloud.plainPort, first: fresh() })
  compare('durable SIM creation, SQLite, against bare node:http', ourPost, barePost, 0.5)
  const inserts = JSON.parse(
    execFileSync(
      process.execPath,
      [pathOf('raw-inserts.ts'), join(folder, 'raw.db'), String(SECONDS)],
      { encoding: 'utf8' },
    ),
  )
  note(
    atLeast(
      'durable SIM creation against raw single-row durable inserts, by rate',
      ourPost.perSecond / inserts.perSecond,
      1.3,
      `${ourPost.perSecond} against ${inserts.perSecond} a second`,
    ),
  )
  const status = await measure([cloud.pid], {
    ...load,
    port: cloud.plainPort,
    request: request('GET', `/commonserviceitem/${id}/sim/status`),
  })
  note({ name: 'SIM status', value: shown(status) })
  const tls = await measure([cloud.pid], { ...get, port: cloud.tlsPort, tls: true })
  const again = await measure([cloud.pid], { ...get, port: cloud.plainPort })
  compare('HTTPS keep-alive against HTTP', tls, again, 0.7)
  const half = await generate({ ...get, port: cloud.plainPort, rate: again.perSecond / 2 })
  note({
    name: 'p99 at half of the peak rate, in p50s',
    value: `${(half.p99 / half.p50).toFixed(1)} (p50 ${half.p50} ms, p99 ${half.p99} ms)`,
    limit: 'under 10',
    holds: half.p99 < 10 * half.p50,
  })
  note(limit('resident memory under load (MiB)', residentMib(cloud.pid), 160))
  await Promise.all([cloud.stop(), ceiling.stop()])
  await againstPeers(ourGet, ourPost)
}

async function againstPeers(ourGet: Measured, ourPost: Measured): Promise<void> {
  peers = values.peers ? await measurePeers(newOne(), SECONDS) : []
  const fastest = (of: 'get' | 'create') =>
    Math.min(...peers.flatMap((peer) => peer[of]?.cpu ?? []))
  if (peers.some(({ get }) => get)) {
    note(atLeast("GET item against the fastest peer's, by CPU", fastest('get') / ourGet.cpu, 2))
    note(atLeast("creation against the fastest peer's, by CPU", fastest('create') / ourPost.cpu, 2))
  }
}

/** The same on the other engine, and two processes on one database. */
async function onPostgres(server: string): Promise<void> {
  const folder = newOne()
  const database = [
    '--database',
    await newDatabaseUrl(server),
    '--key-file',
    join(folder, 'data', 'encryption.key'),
  ]
  const first = await startCloud(folder, database.slice(0, 2))
  const { samples, id } = await sample(first)
  const ceiling = await startBare(samples)
  const get = {
    connections: 64,
    seconds: SECONDS,
    request: request('GET', `/commonserviceitem/${id}`),
  }
  const post = { ...get, request: creation() }
  await warmUp(first, get)
  await generate({ ...get, port: ceiling.port })
  compare(
    'GET item, PostgreSQL, against bare node:http',
    await measure([first.pid], { ...get, port: first.plainPort }),
    await measure([ceiling.pid], { ...get, port: ceiling.port }),
    0.35,
  )
  compare(
    'SIM creation, PostgreSQL, against bare node:http',
    await measure([first.pid], { ...post, port: first.plainPort, first: fresh() }),
    await measure([ceiling.pid], { ...post, port: ceiling.port }),
    0.3,
  )
  const alone = await measure([first.pid], { ...get, port: first.plainPort })
  const other = newOne()
  const second = await startCloud(other, database)
  await warmUp(second, get)
  const half = { ...get, connections: 32 }
  const both = await Promise.all([
    measure([first.pid], { ...half, port: first.plainPort }),
    measure([second.pid], { ...half, port: second.plainPort }),
  ])
  const cpu =
    (both[0].cpu * both[0].requests + both[1].cpu * both[1].requests) /
    (both[0].requests + both[1].requests)
  note({
    name: '2 processes on PostgreSQL against 1, CPU a request (load and database share the two cores)',
    value: `${cpu.toFixed(1)} µs against ${alone.cpu} µs`,
    limit: 'within 10 %',
    holds: cpu <= alone.cpu * 1.1,
  })
  await Promise.all([first.stop(), second.stop(), ceiling.stop()])
}

/** A list and a search at a thousand and at a million SIMs in one account. */
async function largeAccount(engine: string, server?: string): Promise<void> {
  const folder = newOne()
  const url = server && (await newDatabaseUrl(server))
  const args = url === undefined ? [] : ['--database', url]
  const small = await filled(folder, args, url, 0, 1000)
  const page = searchPath({ Filter: { 'Provider.Class': ['sim'] }, Sort: ['Name'], Count: 20 })
  const load = { connections: 16, seconds: SECONDS, request: request('GET', page) }
  await warmUp(small, load)
  const few = await measure([small.pid], { ...load, port: small.plainPort })
  await small.stop()
  const large = await filled(folder, args, url, 1000, SIMS)
  await warmUp(large, load)
  const many = await measure([large.pid], { ...load, port: large.plainPort })
  compare(
    `list of 20 with Total, by class, sorted by name, ${engine}, ${SIMS} SIMs against 1000`,
    many,
    few,
    0.7,
  )
  const { id } = await createOne(large.plainPort, fresh())
  const others = {
    connections: 8,
    seconds: SECONDS,
    rate: 200,
    port: large.plainPort,
    request: request('GET', `/commonserviceitem/${id}`),
  }
  const calm = await generate(others)
  const find = searchPath({ Filter: { 'Provider.Class': ['sim'], Name: '0158380' }, Count: 20 })
  const search = {
    connections: 1,
    seconds: SECONDS,
    rate: 20,
    port: large.plainPort,
    request: request('GET', find),
  }
  const [searched, meanwhile] = await Promise.all([generate(search), generate(others)])
  note({
    name: `name search that matches few, ${engine}, ${SIMS} SIMs (ms)`,
    value: `p50 ${searched.p50}, p99 ${searched.p99}`,
    limit: 'under 25',
    holds: searched.p50 < 25,
  })
  note({
    name: `other requests meanwhile, ${engine} (p99, ms)`,
    value: `${meanwhile.p99}; without searches ${calm.p99}`,
  })
  await large.stop()
}

async function filled(
  folder: string,
  args: readonly string[],
  url: string | undefined,
  from: number,
  to: number,
) {
  // The first start makes the tables.
  await (await startCloud(folder, args)).stop()
  const database =
    url === undefined
      ? new SqliteDatabase(join(folder, 'data', 'kumoi.db'))
      : await PostgresDatabase.connect(url)
  await fillSims(database, from, to)
  if (url !== undefined) await database.write((tx) => tx.run(raw('ANALYZE item')))
  await database.close()
  return startCloud(folder, args)
}

/** Reads and writes mixed, and what the process holds every half minute. */
async function flat(minutes: number): Promise<void> {
  const cloud = await startCloud(newOne())
  const { id } = await createOne(cloud.plainPort, fresh())
  const sizes: number[] = []
  const timer = setInterval(() => sizes.push(residentMib(cloud.pid)), 30_000)
  const common = { seconds: minutes * 60, port: cloud.plainPort }
  const [reads, writes] = await Promise.all([
    generate({
      ...common,
      connections: 16,
      rate: 500,
      request: request('GET', `/commonserviceitem/${id}`),
    }),
    generate({ ...common, connections: 16, rate: 100, first: fresh(), request: creation() }),
  ])
  clearInterval(timer)
  const half = sizes.slice(Math.floor(sizes.length / 2))
  const grown = Math.max(...half) - Math.max(...sizes.slice(0, Math.floor(sizes.length / 2)))
  note({
    name: `memory over ${minutes} minutes of 500 reads and 100 creations a second (MiB)`,
    value: `${sizes.map((size) => size.toFixed(0)).join(' ')}; ${reads.failures + writes.failures} failures`,
    limit: 'flat',
    holds: grown < 10,
  })
  await cloud.stop()
}

async function sample(cloud: CloudProcess) {
  const { id, answer: post } = await createOne(cloud.plainPort, fresh())
  const get = await ask(cloud.plainPort, 'GET', `/commonserviceitem/${id}`)
  const bytes = ({ status, headers, text }: typeof get) => {
    const { date: _d, connection: _c, 'keep-alive': _k, ...own } = headers
    return { status, headers: own, body: text }
  }
  const samples = join(cloud.folder, 'samples.json')
  writeFileSync(samples, JSON.stringify({ GET: bytes(get), POST: bytes(post) }))
  return { samples, id }
}

async function startBare(samples: string) {
  const started = await start({ args: [pathOf('bare.ts'), samples], until: /Ready\. \d+/ })
  return { ...started, port: Number(/Ready\. (\d+)/.exec(started.output)?.[1]) }
}

async function warmUp(
  cloud: CloudProcess,
  load: { connections: number; request: string },
): Promise<void> {
  await generate({ ...load, seconds: SECONDS * 2, port: cloud.plainPort })
}

function compare(name: string, ours: Measured, theirs: Measured, least: number): void {
  const byCpu = theirs.cpu / ours.cpu
  const detail = `${shown(ours)} against ${shown(theirs)}`
  const failures = ours.failures + theirs.failures
  note({
    name,
    value: `${byCpu.toFixed(2)} by CPU, ${(ours.perSecond / theirs.perSecond).toFixed(2)} by rate (${detail}${failures > 0 ? `, ${failures} failures` : ''})`,
    limit: `at least ${least}`,
    holds: byCpu >= least && failures === 0,
  })
}

function shown({ perSecond, cpu, p50, p99 }: Measured): string {
  return `${Math.round(perSecond)}/s, ${cpu} µs, p50 ${p50} ms, p99 ${p99} ms`
}

function limit(name: string, value: number, most: number): Figure {
  return { name, value: value.toFixed(0), limit: `under ${most}`, holds: value < most }
}

function atLeast(name: string, value: number, least: number, detail = ''): Figure {
  return {
    name,
    value: `${value.toFixed(2)}${detail && ` (${detail})`}`,
    limit: `at least ${least}`,
    holds: value >= least,
  }
}

function fresh(): number {
  next += 1_000_000
  return next
}

function pathOf(file: string): string {
  return new URL(file, import.meta.url).pathname
}
