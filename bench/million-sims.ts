/**
 * What a page of SIMs costs at a thousand and at a million SIMs in one account, through the whole server:
 * `TEST_POSTGRES_URL= node bench/million-sims.ts [sims]` (on the embedded engine alone). Prints the
 * medians and their ratio, which should stay below two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Database } from '../packages/server/src/storage/database.ts'
import { migrate } from '../packages/server/src/storage/migrate.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite/database.ts'
import { openCloud, search, type TestCloud } from '../packages/server/src/testing/cloud.ts'
import { TEST_NOW } from '../packages/server/src/testing/engines.ts'
import { fillSims } from './fill-sims.ts'

const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
const CALLS = 300

/** The calls that users make: the first page and one far in, with and without the detail. */
const QUERIES = {
  'page of 20': { Count: 20 },
  'page of 20 with Status.sim': { Count: 20, Include: ['*', 'Status.sim'] },
  'page of 20 from 500': { From: 500, Count: 20 },
}

const folder = mkdtempSync(join(tmpdir(), 'kumoi-bench-'))
const closing: (() => unknown)[] = []
try {
  const engine = { name: 'sqlite' as const, open: openDatabase }
  // The cast: a test's end hands its work a context and a callback, of which the cloud uses none.
  const cloud = await openCloud(
    { after: (work) => closing.push(work as () => unknown) },
    { engine },
  )
  await fillSims(cloud.database, 0, SMALL)
  const small = await measure(cloud)
  await fillSims(cloud.database, SMALL, LARGE)
  const large = await measure(cloud)
  for (const name of Object.keys(QUERIES)) {
    const [few = 0, many = 0] = [small.get(name), large.get(name)]
    const figures = `${few.toFixed(3)} ms at ${SMALL}, ${many.toFixed(3)} ms at ${LARGE}`
    console.log(`${name}: ${figures}, ratio ${(many / few).toFixed(2)}`)
  }
  console.log(`Total: ${(await page(cloud, { Count: 1 })).Total}`)
} finally {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true, force: true })
}

async function openDatabase(): Promise<Database> {
  const database = new SqliteDatabase(join(folder, 'kumoi.db'))
  await migrate(database, TEST_NOW)
  return database
}

async function measure(cloud: TestCloud): Promise<Map<string, number>> {
  const medians = new Map<string, number>()
  for (const [name, query] of Object.entries(QUERIES)) {
    const times: number[] = []
    for (let call = 0; call < CALLS; call += 1) {
      const start = performance.now()
      const answer = await page(cloud, query)
      times.push(performance.now() - start)
      if (answer.Count !== 20) throw new Error(`The page has ${answer.Count} items.`)
    }
    // The first calls warm up what is compiled and cached.
    medians.set(name, times.slice(20).sort((a, b) => a - b)[(CALLS - 20) >> 1] ?? 0)
  }
  return medians
}

async function page(
  { ask }: TestCloud,
  query: object,
): Promise<{ readonly Count: number; readonly Total: number }> {
  const whole = { Filter: { 'Provider.Class': ['sim'] }, Sort: ['Name'], ...query }
  const answer = await ask('GET', `/commonserviceitem${search(whole)}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
