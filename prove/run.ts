/**
 * The proof: `npm run prove`, about two hours on two cores. Each part tries to break a claim; what came out is kept in
 * docs/reliability, and docs/reliability.md is written from that.
 *
 *   --only NAME     one part; several times for several
 *   --size sample   about a minute each, and nothing is written
 *   --seed N        repeats a run
 *   --page          runs nothing and writes the page of what is kept
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Kept, Options, Part } from './part.ts'
import { parts } from './parts.ts'
import { keep, writePage } from './report.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: parts.map(({ name }) => name) },
    size: { type: 'string', default: 'full' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    page: { type: 'boolean', default: false },
  },
})
if (values.page) {
  writePage()
  process.exit(0)
}
const size = values.size === 'sample' ? 'sample' : 'full'
const seed = Number(values.seed)
const chosen = parts.filter(({ name }) => values.only.includes(name))
if (chosen.length === 0 || !Number.isSafeInteger(seed)) {
  end(`The parts are ${parts.map(({ name }) => name).join(', ')}.`)
}

if (size === 'full') await checkWhole()

let violations = 0
// The soak takes an hour, of which its server has one core; the others follow each other beside it.
const beside = chosen.filter(({ name }) => name === 'soak')
const others = chosen.filter(({ name }) => name !== 'soak')
await Promise.all([
  ...beside.map(prove),
  (async () => {
    for (const part of others) await prove(part)
  })(),
])
if (size === 'full') writePage()
// Servers that a part has started end with this process.
process.exit(violations === 0 ? 0 : 1)

async function prove(part: Part): Promise<void> {
  const log = (text: string) => console.log(`${part.name}: ${text}`)
  const folder = mkdtempSync(join(tmpdir(), `kumoi-prove-${part.name}-`))
  const options: Options = { seed, size, folder, log }
  log(`seed ${seed}, ${size}`)
  const began = Date.now()
  const result = await part
    .run(options)
    .finally(() => rmSync(folder, { recursive: true, force: true }))
  const kept: Kept = {
    ...{
      seed,
      size,
      commit: git('rev-parse', '--short=12', 'HEAD'),
      date: new Date(began).toISOString().slice(0, 10),
    },
    minutes: Math.round((Date.now() - began) / 6000) / 10,
    ...result,
  }
  for (const { name, value } of result.figures) log(`${name}: ${value}`)
  for (const violation of result.violations) log(`VIOLATION ${violation}`)
  violations += result.violations.length
  if (size === 'full') keep(part, kept)
}

/** What is reported has to be the commit that it names, on both engines. */
async function checkWhole(): Promise<void> {
  const changed = git('status', '--porcelain', '--', '.', ':!docs')
  if (changed !== '') end(`Commit this first, since the report names a commit:\n${changed}`)
  if (!chosen.some(({ needsPostgres }) => needsPostgres)) return
  const { postgresServerUrl } = await import('../packages/server/src/testing/engines.ts')
  if (postgresServerUrl === undefined) end('There is no PostgreSQL server.')
}

function end(message: string): never {
  console.error(message)
  process.exit(2)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
