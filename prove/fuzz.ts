/** The fuzzer of tools/fuzz at full size. */
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { operations } from '../tools/fuzz/call.ts'
import { Choices, seedOf } from '../tools/fuzz/random.ts'
import { type Report, run } from '../tools/fuzz/run.ts'
import { startTarget, type Target } from '../tools/fuzz/target.ts'
import type { Figure, Options, Part } from './part.ts'

/** A pair is a server on each engine, side by side. Pairs do not share anything, and each repeats by its own seed. */
const SIZES = {
  full: { pairs: 3, requests: 1_000_000, mutants: 60 },
  sample: { pairs: 1, requests: 2600, mutants: 2 },
} as const

const PROGRESS_EACH = 50_000

export const fuzz: Part = {
  name: 'fuzz',
  title: 'Fuzzing by the contracts',
  needsPostgres: true,
  claim: `Every operation of every family and of the operator API is sent requests that are valid, at the limits of its
schema and one past them, and hostile (values, headers, queries, bodies, and bytes that no HTTP client sends), in the
order of a scenario that reaches all operations, in random orders with the ids of earlier answers, and many at once; to
SQLite and PostgreSQL side by side. No answer may be a fault, hang or break off, every success fits its contract, every
failure has the failure body, what fits the schema is not refused for its form and what does not fit never succeeds, and
both engines answer with the same status wherever requests follow each other. What is found is shrunk to the fewest
requests that repeat it and printed as curl commands.`,
  async run(options) {
    const { pairs } = SIZES[options.size]
    const numbers = Array.from({ length: pairs }, (_, pair) => pair)
    const reports = await Promise.all(numbers.map((pair) => runPair(options, pair)))
    return { figures: figuresOf(reports), violations: reports.flatMap(violationsOf) }
  },
}

async function runPair({ size, seed, log }: Options, pair: number): Promise<Report> {
  const { pairs, requests, mutants } = SIZES[size]
  const targets = await startPair(log)
  let next = PROGRESS_EACH
  const own = new Choices(seedOf(seed, pair)).below(2 ** 31)
  return run(targets, {
    ...{ seed: own, mutants, requests: Math.ceil(requests / pairs) },
    onFinding: ({ operation, what, repeat }) =>
      log(`pair ${pair}: ${operation}: ${what}\n${repeat}`),
    onPass(counts) {
      if (counts.requests < next) return
      next += PROGRESS_EACH
      log(`pair ${pair}: ${counts.requests} requests`)
    },
  }).finally(() => {
    for (const target of targets) target.close()
  })
}

async function startPair(log: (text: string) => void): Promise<Target[]> {
  // Starts a server, so only where one is needed.
  const { postgresServerUrl: url } = await import('../packages/server/src/testing/engines.ts')
  const sqlite = await startTarget('sqlite', undefined)
  if (url === undefined) {
    log('There is no PostgreSQL server: SQLite alone.')
    return [sqlite]
  }
  return [sqlite, await startTarget('postgres', await newDatabaseUrl(url))]
}

function figuresOf(reports: readonly Report[]): Figure[] {
  const sum = (count: (report: Report) => number) =>
    String(reports.reduce((total, report) => total + count(report), 0))
  const reached = operations.size - new Set(reports.flatMap(({ unreached }) => unreached)).size
  return [
    { name: 'Requests', value: sum(({ counts }) => counts.requests) },
    { name: 'Operations that succeeded, of all', value: `${reached} of ${operations.size}` },
    { name: 'Successes', value: sum(({ counts }) => counts.successes) },
    { name: 'Refusals', value: sum(({ counts }) => counts.refusals) },
    { name: 'Bodies and queries that fit their schema', value: sum((r) => r.counts.forms.fits) },
    { name: 'Bodies and queries outside of it', value: sum((r) => r.counts.forms.outside) },
    { name: 'In random order', value: sum(({ counts }) => counts.walked) },
    { name: 'At once with others', value: sum(({ counts }) => counts.atOnce) },
    { name: 'Byte for byte on a socket', value: sum(({ counts }) => counts.raw) },
  ]
}

/** More would mean that the run has tested the limits of rates, and little else. */
const THROTTLED_MAX = 0.02

function violationsOf({ findings, unreached, counts }: Report): string[] {
  const share = counts.throttled / counts.requests
  return [
    ...(share > THROTTLED_MAX ? [`${Math.round(share * 100)} % were answered with 429.`] : []),
    ...findings.map(
      ({ engine, operation, what, repeat }) =>
        `${operation} on ${engine}: ${what}\n\n\`\`\`console\n${repeat}\n\`\`\``,
    ),
    ...unreached.map((name) => `${name} was never answered with a success.`),
  ]
}
