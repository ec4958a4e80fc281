/** The tables of docs/scale.md. */
import { type Costs, type Engine, readCosts } from './costs.ts'
import { type Minute, simulateDay } from './day.ts'
import { DEFAULTS, REGIONS, type Scenario } from './scenario.ts'

/** Half of a machine is left free. */
const FREE = 2
const EDGE_CORES = 4
/** A large server of PostgreSQL; one core of two is free there, too. */
const DATABASE_CORES = 32

const CASES: readonly (readonly [number, Engine])[] = [
  [1_000_000, 'sqlite'],
  [1_000_000, 'postgres'],
  [10_000_000, 'postgres'],
  [100_000_000, 'postgres'],
]

/** By their names, which stand in the comments around them. */
export function tables(report: string): ReadonlyMap<string, string> {
  const storm = { ...DEFAULTS, sims: 10_000_000, outage: { ...DEFAULTS.outage, share: 0.5 } }
  const capacity = { process: 12, database: 8 }
  const postgres = readCosts(report, 'postgres')
  return new Map([
    ['costs', costTable(readCosts(report, 'sqlite'), postgres)],
    ['scales', scaleTable(report)],
    ['hours', hourTable(simulateDay({ ...storm, capacity }, postgres))],
    ['edges', edgeTable(report)],
  ])
}

function costTable(sqlite: Costs, postgres: Costs): string {
  const names = Object.entries({
    packet: 'packet of accounting (interim, begin, end, or whether a SIM may connect)',
    message: 'message of a device by MQTT',
    read: 'GET of an item, by TLS',
    list: 'list of 20 SIMs, by TLS',
    creation: 'creation of a SIM, by TLS',
    hit: 'hit of 1 KiB at an edge, by TLS',
  }) as [keyof Costs, string][]
  return table(
    ['µs of a core', 'embedded store', 'process on PostgreSQL', 'PostgreSQL itself'],
    names.map(([name, text]) => [
      text,
      ...[sqlite[name].process, postgres[name].process, postgres[name].database].map(whole),
    ]),
  )
}

function scaleTable(report: string): string {
  const rows = CASES.map(([sims, engine]) => {
    const minutes = simulateDay({ ...DEFAULTS, sims }, readCosts(report, engine))
    const process = peak(minutes, ({ cores }) => cores.process)
    const database = peak(minutes, ({ cores }) => cores.database)
    return [
      `${whole(sims / 1e6)} million, ${engine === 'sqlite' ? 'embedded' : 'PostgreSQL'}`,
      whole(mean(minutes, ({ interims }) => interims)),
      whole(peak(minutes, ({ attaches }) => attaches)),
      whole(peak(minutes, ({ messages }) => messages)),
      `${cores(mean(minutes, (minute) => minute.cores.process))} / ${cores(process)}`,
      `${cores(mean(minutes, (minute) => minute.cores.database))} / ${cores(database)}`,
      whole(peak(minutes, ({ commits }) => commits)),
      engine === 'sqlite' ? '–' : whole(mean(minutes, ({ walBytes }) => walBytes) / 1e6),
      engine === 'sqlite' ? '–' : whole(Math.ceil((database * FREE) / DATABASE_CORES)),
      `${whole(minutes.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9)} GB`,
    ]
  })
  return table(
    [
      'SIMs',
      'interims/s',
      'attaches/s, storm',
      'messages/s, peak',
      'cores of processes, mean / peak',
      'cores of databases, mean / peak',
      'commits/s, peak',
      'MB/s of write-ahead log',
      `primaries of ${DATABASE_CORES} cores`,
      'kept of a day',
    ],
    rows,
  )
}

export function hourTable(minutes: readonly Minute[]): string {
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const part = minutes.slice(hour * 60, hour * 60 + 60)
    const of = (value: (minute: Minute) => number) => whole(mean(part, value))
    return [
      String(hour),
      of(({ interims }) => interims),
      whole(peak(part, ({ attaches }) => attaches)),
      of(({ messages }) => messages),
      of(({ requests }) => requests),
      of(({ hits }) => hits.reduce((sum, rate) => sum + rate, 0)),
      cores(peak(part, (minute) => minute.cores.process)),
      cores(peak(part, (minute) => minute.cores.database)),
      of(({ commits }) => commits),
      whole(peak(part, ({ queue }) => queue)),
      whole(peak(part, ({ waitSeconds }) => waitSeconds)),
      (part.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9).toFixed(1),
    ]
  })
  return table(
    [
      ...['hour', 'interims/s', 'attaches/s, peak', 'messages/s', 'requests/s', 'hits/s'],
      ...['process cores, peak', 'database cores, peak', 'commits/s', 'queue', 'wait (s)', 'GB'],
    ],
    rows,
  )
}

function edgeTable(report: string): string {
  const scenario: Scenario = { ...DEFAULTS, sims: 100_000_000 }
  const costs = readCosts(report, 'postgres')
  const minutes = simulateDay(scenario, costs)
  const rows = REGIONS.map(({ name }, place) => {
    const rates = minutes.map(({ hits }) => hits[place] ?? 0)
    const most = Math.max(...rates)
    const used = (most * costs.hit.process) / 1e6
    return [
      name,
      whole(most),
      `${Math.floor(rates.indexOf(most) / 60)} h`,
      cores(used),
      whole(Math.ceil((used * FREE) / EDGE_CORES)),
    ]
  })
  return table(
    ['Region', 'hits/s, peak', 'at, in Japan', 'cores', `edges of ${EDGE_CORES} cores`],
    rows,
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const peak = (minutes: readonly Minute[], value: (minute: Minute) => number) =>
  Math.max(...minutes.map(value))
const mean = (minutes: readonly Minute[], value: (minute: Minute) => number) =>
  minutes.reduce((sum, minute) => sum + value(minute), 0) / minutes.length
const whole = (value: number) => Math.round(value).toLocaleString('en')
const cores = (value: number) => (value < 10 ? value.toFixed(1) : whole(value))
