/**
 * Accounting: `node_modules/.bin/node bench/radius.ts`. Packets at the endpoint and through FreeRADIUS, on SQLite and on
 * PostgreSQL, against FreeRADIUS that writes to PostgreSQL by itself. All servers, PostgreSQL too, are on one core, the
 * load is on the other; every answered packet is on disk. Needs Debian's freeradius, freeradius-rest and
 * freeradius-postgresql.
 *
 *   --seconds N     length of each load, 5 without it
 *   --sims N        sessions at once, 256 without it
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeConfig } from '../acceptance/freeradius.ts'
import { freeUdpPort } from '../acceptance/ports.ts'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import { postgresSeconds, postmasterOf } from './postgres-cpu.ts'
import { cpuSeconds, pinToServerCore, runLoad, type Started, start } from './processes.ts'
import { BEGINS, type RadiusLoad, type RadiusLoadResult } from './radius-load.ts'
import { writeSqlConfig } from './radius-sql.ts'

const MAIN = new URL('../packages/server/src/main.mjs', import.meta.url).pathname
const NETWORK_TOKEN = 'bench-network-token'
const ELEMENT = { name: 'pgw-1', address: '127.0.0.2', secret: 'bench-secret' }
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    sims: { type: 'string', default: '256' },
  },
})
const iccids = Array.from(
  { length: Number(values.sims) },
  (_, n) => `8981047${String(n).padStart(12, '0')}`,
)
const WORLD = {
  version: 1,
  accounts: [{ id: '900000000001', code: 'bench', name: 'Bench' }],
  sim_cards: [{ iccid_from: iccids[0], count: iccids.length, passcode: 'bench' }],
  sims: iccids.map((iccid) => ({
    account: 'bench',
    CommonServiceItem: { Name: iccid, Status: { ICCID: iccid } },
    activated: true,
  })),
  gateways: [{ account: 'bench', zone: 'is1a', Appliance: { Name: 'bench' }, sims: iccids }],
  network_elements: [{ ...ELEMENT, carriers: { 44010: 'carrier-a' } }],
}

/** CPU microseconds a packet. */
interface Cost {
  readonly name: string
  readonly perSecond: number
  readonly kumoi: number
  readonly freeradius: number
  readonly postgres: number
}

interface Watched {
  readonly kumoi?: Started
  readonly freeradius?: Started
}

const folders: string[] = []
const running: Started[] = []
let runs = 0

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-radius-'))
  folders.push(folder)
  return folder
}

async function launch(options: Parameters<typeof start>[0]): Promise<Started> {
  const started = await start(options)
  running.push(started)
  return started
}

function startFreeradius(folder: string): Promise<Started> {
  return launch({
    program: '/usr/sbin/freeradius',
    args: ['-d', folder, '-f', '-l', 'stdout'],
    until: /Ready to process requests/,
  })
}

interface Kumoi extends Started {
  readonly port: number
  readonly data: string
}

async function startKumoi(args: readonly string[]): Promise<Kumoi> {
  const folder = newFolder()
  const world = join(folder, 'world.json')
  writeFileSync(world, JSON.stringify(WORLD))
  const data = join(folder, 'data')
  const own = ['--data', data, '--world', world, '--port', '0', '--http-port', '0']
  const started = await launch({
    node: ['--max-semi-space-size=8'],
    args: [MAIN, ...own, '--network-token', NETWORK_TOKEN, '--log-level', 'error', ...args],
    logFile: join(folder, 'log'),
    until: /Ready\./,
  })
  const port = Number(/Plain HTTP\s+http:\/\/[^:]+:(\d+)/.exec(started.output)?.[1])
  return { ...started, port, data }
}

/** As long again before it without being measured, so that its code is compiled. */
async function measure(
  name: string,
  { kumoi, freeradius }: Watched,
  load: Pick<RadiusLoad, 'to' | 'port' | 'secret'>,
): Promise<Cost> {
  const common = {
    ...{ from: ELEMENT.address, element: ELEMENT.name },
    imsis: iccids.map((iccid) => `44010${iccid.slice(-10)}`),
  }
  const used = () => [
    kumoi === undefined ? 0 : cpuSeconds(kumoi.pid),
    freeradius === undefined ? 0 : cpuSeconds(freeradius.pid),
    postgresSeconds(postmaster),
  ]
  let result: RadiusLoadResult = { packets: 0, repeated: 0, seconds: 0 }
  let before: number[] = []
  for (const seconds of [Number(values.seconds), Number(values.seconds)]) {
    runs += 1
    const whole: RadiusLoad = { ...common, ...load, seconds, run: `r${runs}` }
    result = await runLoad('radius-load.ts', whole, BEGINS, () => {
      before = used()
    })
  }
  const after = used()
  const cost = (index: number) =>
    (((after[index] ?? 0) - (before[index] ?? 0)) / result.packets) * 1e6
  const costs = { name, kumoi: cost(0), freeradius: cost(1), postgres: cost(2) }
  if (result.repeated > 0) console.log(`${name}: ${result.repeated} packets were sent again`)
  return { ...costs, perSecond: result.packets / result.seconds }
}

async function measureKumoi(engine: string, args: readonly string[]): Promise<Cost[]> {
  const kumoi = await startKumoi(args)
  const endpoint = { to: 'endpoint', port: kumoi.port, secret: NETWORK_TOKEN } as const
  const first = await measure(`Kumoi on ${engine}, at the endpoint`, { kumoi }, endpoint)
  const out = join(newFolder(), 'raddb')
  const acctPort = await freeUdpPort()
  const server = ['--server', `http://127.0.0.1:${kumoi.port}`]
  const token = join(newFolder(), 'token')
  writeFileSync(token, NETWORK_TOKEN)
  const ports = ['--listen', '127.0.0.1', '--auth-port', `${await freeUdpPort()}`]
  const own = ['--out', out, '--token-file', token, '--acct-port', `${acctPort}`]
  const { status, stderr } = writeConfig(kumoi.data, [...server, ...ports, ...own])
  if (status !== 0) throw new Error(stderr)
  const freeradius = await startFreeradius(out)
  const through = { to: 'freeradius', port: acctPort, secret: ELEMENT.secret } as const
  const second = await measure(
    `Kumoi on ${engine}, through FreeRADIUS`,
    { kumoi, freeradius },
    through,
  )
  await Promise.all([freeradius.stop(), kumoi.stop()])
  return [first, second]
}

async function measureSql(databaseUrl: string): Promise<Cost> {
  const folder = join(newFolder(), 'raddb')
  mkdirSync(folder)
  const acctPort = await freeUdpPort()
  const { secret, address: from } = ELEMENT
  await writeSqlConfig(folder, databaseUrl, { acctPort, from, secret })
  const freeradius = await startFreeradius(folder)
  const load = { to: 'freeradius', port: acctPort, secret } as const
  const cost = await measure('FreeRADIUS on PostgreSQL by itself', { freeradius }, load)
  await freeradius.stop()
  return cost
}

/** With PostgreSQL's part and without. */
function rates({ kumoi, freeradius, postgres }: Cost) {
  const own = kumoi + freeradius
  return { all: 1e6 / (own + postgres), own: 1e6 / own }
}

function show(cost: Cost, sql: Cost): void {
  const { name, perSecond, kumoi, freeradius, postgres } = cost
  const [mine, theirs] = [rates(cost), rates(sql)]
  const micros = [kumoi, freeradius, postgres].map((value) => Math.round(value))
  console.log(
    `${name}: ${Math.round(perSecond)} packets/s; CPU a packet: Kumoi ${micros[0]} µs, FreeRADIUS ${micros[1]} µs, ` +
      `PostgreSQL ${micros[2]} µs; a core does ${Math.round(mine.all)}/s with PostgreSQL's CPU ` +
      `(${(mine.all / theirs.all).toFixed(2)} times), ${Math.round(mine.own)}/s without it ` +
      `(${(mine.own / theirs.own).toFixed(2)} times)`,
  )
}

const postgres = await startPostgres({ isDurable: true })
if (postgres === undefined) process.exit(1)
const postmaster = await postmasterOf(postgres.url)
pinToServerCore(postmaster)
try {
  const sql = await measureSql(await newDatabaseUrl(postgres.url))
  show(sql, sql)

  for (const cost of await measureKumoi('SQLite', [])) show(cost, sql)
  const database = ['--database', await newDatabaseUrl(postgres.url)]

  for (const cost of await measureKumoi('PostgreSQL', database)) show(cost, sql)
  const again = await measureSql(await newDatabaseUrl(postgres.url))
  show(again, sql)
} finally {
  for (const { child } of running) child.kill('SIGKILL')
  postgres.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
