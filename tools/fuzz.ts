/** `npm run fuzz -- --requests N --engine sqlite|postgres|both --seed N`: see CONTRIBUTING.md. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { run } from './fuzz/run.ts'
import type { Finding } from './fuzz/session.ts'
import { ENGINES, type EngineName, startTarget } from './fuzz/target.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
})

const engines =
  values.engine === 'both' ? ENGINES : ENGINES.filter((name) => name === values.engine)
const requests = Number(values.requests)
const seed = Number(values.seed)
if (engines.length === 0 || !(requests > 0) || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run fuzz -- [--requests N] [--engine sqlite|postgres|both] [--seed N]')
  process.exit(2)
}

console.log(`fuzz: seed ${seed}, ${requests} requests, ${engines.join(' and ')}`)
const targets = await Promise.all(
  engines.map(async (engine) => startTarget(engine, await databaseOf(engine))),
)
const show = ({ engine, operation, what, repeat }: Finding) =>
  console.log(`${engine} ${operation}: ${what}\n${repeat}\n`)
const report = await run(targets, { seed, requests, onFinding: show }).finally(() => {
  for (const target of targets) target.close()
})
for (const name of report.unreached) console.log(`never answered with a success: ${name}`)
console.log(`fuzz: ${report.counts.requests} requests, ${report.findings.length} findings`)
// The PostgreSQL server of the tests ends with the process.
process.exit(report.findings.length + report.unreached.length === 0 ? 0 : 1)

async function databaseOf(engine: EngineName): Promise<string | undefined> {
  if (engine === 'sqlite') return undefined
  // Starts a server, so only where one is needed.
  const { postgresServerUrl } = await import('../packages/server/src/testing/engines.ts')
  if (postgresServerUrl === undefined) throw new Error('There is no PostgreSQL server.')
  return newDatabaseUrl(postgresServerUrl)
}
