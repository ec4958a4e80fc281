/**
 * What a page of SIMs costs at a thousand and at a million SIMs in one account, through the whole server:
 * `node bench/million-sims.ts [sims]`. Prints the medians and their ratio, which should stay below two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pino from 'pino'
import { type Cloud, compose } from '../packages/server/src/compose.ts'
import { type Config, readConfig } from '../packages/server/src/config.ts'
import { RunningClock } from '../packages/server/src/kernel/clock.ts'
import { idFromNumber, parseId } from '../packages/server/src/kernel/ids.ts'
import { systemRandom } from '../packages/server/src/kernel/random.ts'
import { ItemStore } from '../packages/server/src/services/items/public.ts'
import { register } from '../packages/server/src/services/sim/rules.ts'
import { SimStore } from '../packages/server/src/services/sim/store.ts'
import { MemoryBlobs } from '../packages/server/src/storage/blobs-memory.ts'
import type { Database } from '../packages/server/src/storage/database.ts'
import { migrate } from '../packages/server/src/storage/migrate.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite.ts'

const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
const BATCH = 5_000
const CALLS = 300
/** The account and the key of the demo world. */
const ACCOUNT = '900000000001'
const KEY = Buffer.from('demo-token:demo-secret').toString('base64')

/** The calls that users make: the first page and one far in, with and without the detail. */
const QUERIES = {
  'page of 20': { Count: 20 },
  'page of 20 with Status.sim': { Count: 20, Include: ['*', 'Status.sim'] },
  'page of 20 from 500': { From: 500, Count: 20 },
}

const clock = new RunningClock()
const folder = mkdtempSync(join(tmpdir(), 'kumoi-bench-'))
const database = new SqliteDatabase(join(folder, 'kumoi.db'))
try {
  await migrate(database, clock.now())
  const cloud = await openCloud(database)
  const already = await total(cloud)
  await generate(database, already, SMALL)
  const small = await measure(cloud)
  await generate(database, SMALL, LARGE)
  const large = await measure(cloud)
  for (const name of Object.keys(QUERIES)) {
    const [few = 0, many = 0] = [small.get(name), large.get(name)]
    const figures = `${few.toFixed(3)} ms at ${SMALL}, ${many.toFixed(3)} ms at ${LARGE}`
    console.log(`${name}: ${figures}, ratio ${(many / few).toFixed(2)}`)
  }
  console.log(`Total: ${await total(cloud)}`)
  await cloud.edge.close()
} finally {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

function openCloud(store: Database): Promise<Cloud> {
  // The cast: only --help gives anything else than a configuration.
  const config = readConfig(['--memory', '--mode', 'dev'], {}) as Config
  const ports = { clock, random: systemRandom, log: pino({ level: 'silent' }) }
  const storage = { database: store, blobs: new MemoryBlobs(), close: () => store.close() }
  const secrets = {
    encryptionKey: Buffer.alloc(32, 7),
    operatorToken: 'bench',
    tls: undefined,
    ca: undefined,
  }
  return compose(config, ports, storage, secrets)
}

/** Names come in another order than ids, so that sorting has something to do. */
async function generate(store: Database, from: number, to: number): Promise<void> {
  const accountId = parseId<'account'>(ACCOUNT)
  if (accountId === undefined) throw new Error('The account has no id.')
  const now = clock.now()
  const start = performance.now()
  for (let first = from; first < to; first += BATCH) {
    await store.write(async (tx) => {
      const items = new ItemStore(tx, accountId)
      const sims = new SimStore(tx, accountId)
      for (let n = first; n < Math.min(first + BATCH, to); n += 1) {
        const id = idFromNumber<'item'>(await tx.next('resource'))
        const iccid = `8981041${String(n).padStart(12, '0')}`
        await items.insert({
          ...{ id, accountId, class: 'sim', externalKey: iccid, availability: 'available' },
          name: `meter ${String((n * 7_919) % 10_000_019).padStart(8, '0')}`,
          ...{ description: undefined, tags: [], iconId: undefined },
          ...{ createdAt: now, modifiedAt: now },
        })
        await sims.insert(
          register({ id, accountId, iccid, imsis: [`44010${iccid.slice(-10)}`] }, now),
        )
      }
    })
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${to - from} SIMs made in ${seconds} s`)
}

async function measure(cloud: Cloud): Promise<Map<string, number>> {
  const medians = new Map<string, number>()
  for (const [name, query] of Object.entries(QUERIES)) {
    const times: number[] = []
    for (let call = 0; call < CALLS; call += 1) {
      const start = performance.now()
      const answer = await list(cloud, query)
      times.push(performance.now() - start)
      if (answer.Count !== 20) throw new Error(`The page has ${answer.Count} items.`)
    }
    // The first calls warm up what is compiled and cached.
    medians.set(name, times.slice(20).sort((a, b) => a - b)[(CALLS - 20) >> 1] ?? 0)
  }
  return medians
}

async function total(cloud: Cloud): Promise<number> {
  return (await list(cloud, { Count: 1 })).Total
}

async function list(cloud: Cloud, query: object): Promise<{ Count: number; Total: number }> {
  const search = { Filter: { 'Provider.Class': ['sim'] }, Sort: ['Name'], ...query }
  const response = await cloud.edge.server.inject({
    method: 'GET',
    url: `/cloud/zone/is1a/api/cloud/1.1/commonserviceitem?${encodeURIComponent(JSON.stringify(search))}`,
    headers: { authorization: `Basic ${KEY}`, host: 'localhost' },
  })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}
