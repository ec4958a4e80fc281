/** An hour of everything at once on one core: nothing fails, and nothing grows. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../acceptance/console/chromium.ts'
import { newContext, newPage, openPath, settle, signIn } from '../../acceptance/console/console.ts'
import { type ServerProcess, start } from '../../acceptance/server.ts'
import { Choices } from '../../tools/fuzz/random.ts'
import type { Chart, Options, Part, Result } from '../part.ts'
import { clients, type Pace, repeat } from './clients.ts'
import { growth, type Limit } from './flat.ts'
import { Sampler, VALUES } from './samples.ts'

const MINUTES = { full: 60, sample: 0.4 } as const
const SAMPLE_MS = { full: 15_000, sample: 2000 } as const
const FAILURES_SHOWN = 20

/**
 * A machine with much memory lets garbage lie for hours, which looks like growth. Three times of what lives: what is
 * really kept for ever ends the server before the hour is over. The young generation is that of `npm start`: a larger
 * one reaches the limit by itself, and then the engine collects garbage all the time.
 */
const HEAP_LIMITS = '--max-old-space-size=128 --max-semi-space-size=8'

const LIMITS: Readonly<Record<keyof typeof VALUES, Limit>> = {
  memory: { ratio: 1.04, allowance: 0 },
  descriptors: { ratio: 1, allowance: 3 },
  delay: { ratio: 1.5, allowance: 5 },
  rows: { ratio: 1.05, allowance: 0 },
  disk: { ratio: 1.1, allowance: 0 },
}
/** Some rows belong to things that are made once a month. */
const OF_A_TABLE: Limit = { ratio: 1.1, allowance: 100 }

const PAGES = [
  '/',
  '/sims',
  '/gateways',
  '/iot',
  '/sms',
  '/webaccel',
  '/billing',
  '/operator/events',
  '/operator/requests',
]

export const soak: Part = {
  name: 'soak',
  title: 'Soak',
  claim: `One server on one core for an hour, its heap limited to 128 MiB, with the simulated fleet, clients that read
and change, devices that send messages to a webhook and a websocket, short messages, an edge that delivers and purges,
and the console open in a browser. The clock is moved by days, so that everything that is kept for some time reaches its
end. Nothing fails, and memory, file descriptors, event-loop delay and tables stop growing: the last quarter is compared
with the time before it.`,
  run,
}

async function run({ seed, size, folder, log }: Options): Promise<Result> {
  const ends: (() => void)[] = []
  const after = (end: () => void) => ends.unshift(end)
  const data = join(folder, 'data')
  const flags = ['--edge-port', '0', '--http-port', '0', '--clock', 'scale:2']
  const server = await start(data, flags, { NODE_OPTIONS: HEAP_LIMITS })
  after(() => server.stop('SIGKILL'))
  toOneCore(server)
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const [, edgePort] = /Edge +http:\/\/[^:]+:(\d+)/.exec(server.banner) ?? []
  const [, plainPort] = /Plain HTTP +http:\/\/[^:]+:(\d+)/.exec(server.banner) ?? []
  const choices = new Choices(seed)
  const stage = {
    server,
    token,
    edgePort: Number(edgePort),
    plainPort: Number(plainPort),
    choices,
    after,
  }
  const paces = [...(await clients(stage)), ...(await consolePace(server, token, after))]
  const { counts, failures, note } = newTally()
  const sampler = new Sampler(server, token, data)
  const stop = new AbortController()
  const working = paces.map((pace) => repeat(pace, stop.signal, note))
  const until = Date.now() + MINUTES[size] * 60_000
  while (Date.now() < until) {
    await sleep(SAMPLE_MS[size])
    await sampler.take()
    log(shown(sampler))
  }
  stop.abort()
  await Promise.all(working)
  sampler.close()
  for (const end of ends) end()
  return judge(sampler, counts, failures, size === 'full')
}

function judge(
  { samples }: Sampler,
  counts: ReadonlyMap<string, number>,
  failures: readonly string[],
  hasRunLong: boolean,
): Result {
  const charts = Object.entries(VALUES).map(
    ([key, { title, unit }]): Chart => ({
      ...{ name: `soak-${key}`, title, unit },
      points: samples.map(({ minutes, values }) => [round(minutes), round(values[key] ?? 0)]),
    }),
  )
  const grown = Object.keys(VALUES).map((key, index) => {
    const found = growth(charts[index]?.points ?? [], LIMITS[key as keyof typeof VALUES])
    return found && `${key} ${found}`
  })
  const tables = Object.keys(samples.at(-1)?.rows ?? {})
  const grownTables = tables.map((name) => {
    const points = samples.map(({ minutes, rows }) => [minutes, rows[name] ?? 0] as const)
    const found = growth(points, OF_A_TABLE)
    return found && `table ${name} ${found}`
  })
  const shownFailures = failures.slice(0, FAILURES_SHOWN)
  const done = [...counts].map(([name, count]) => ({ name, value: String(count) }))
  const last = samples.at(-1)?.values ?? {}
  return {
    figures: [
      ...done,
      { name: 'failures', value: String(failures.length) },
      ...Object.entries(VALUES).map(([key, { title, unit }]) => ({
        ...{ name: `${title} at the end`, value: `${round(last[key] ?? 0)} ${unit}` },
      })),
    ],
    violations: [
      ...shownFailures,
      ...(hasRunLong ? [...grown, ...grownTables].filter((one) => one !== undefined) : []),
    ],
    charts: hasRunLong ? charts : [],
  }
}

async function consolePace(
  server: ServerProcess,
  token: string,
  after: (end: () => void) => void,
): Promise<Pace[]> {
  const browser = await launchBrowser()
  if (browser === undefined) return [MISSING_CONSOLE]
  after(() => browser.close())
  const context = await newContext(browser, server.origin)
  const { page, problems } = await newPage(context)
  await signIn(page, server.origin, token)
  let visits = 0
  const visit = async (page: Page) => {
    await openPath(page, server.origin, PAGES[visits++ % PAGES.length] ?? '/')
    await settle(page)
    const [problem] = problems.splice(0)
    if (problem !== undefined) throw new Error(problem)
  }
  return [{ name: 'pages of the console', everyMs: 10_000, work: () => visit(page) }]
}

/** Without a browser the claim does not hold, and says so. */
const MISSING_CONSOLE: Pace = {
  name: 'pages of the console',
  everyMs: 60_000,
  work: () => Promise.reject(new Error('there is no browser')),
}

function newTally() {
  const counts = new Map<string, number>()
  const failures: string[] = []
  const note = (name: string, error?: unknown) => {
    if (error === undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    else failures.push(`${name}: ${error}`)
  }
  return { counts, failures, note }
}

function toOneCore({ process: { pid } }: ServerProcess): void {
  spawnSync('taskset', ['-a', '-c', '-p', '0', String(pid)])
}

function shown({ samples }: Sampler): string {
  const { minutes = 0, values = {} } = samples.at(-1) ?? {}
  const all = Object.entries(values).map(([name, value]) => `${name} ${round(value)}`)
  return `${round(minutes)} min, ${all.join(', ')}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
