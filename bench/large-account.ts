/** Lists and a search at a thousand and at a million SIMs in one account. */
import { join } from 'node:path'
import { PostgresDatabase } from '../packages/server/src/storage/postgres/database.ts'
import { raw } from '../packages/server/src/storage/sql.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite/database.ts'
import { newDatabaseUrl, POSTGRES_LIMITS } from '../packages/server/src/testing/engines.ts'
import {
  ask,
  type CloudProcess,
  createOne,
  request,
  SIMS,
  searchPath,
  simsFrom,
  startCloud,
} from './cloud.ts'
import { compare, type Run, shown } from './figures.ts'
import { fillSims } from './fill-sims.ts'
import { generate, type Measured, measure } from './processes.ts'

/** `server` is that of PostgreSQL; without it the engine is the embedded one. */
export async function largeAccount(run: Run, server?: string): Promise<void> {
  const engine = server === undefined ? 'SQLite' : 'PostgreSQL'
  const folder = run.newFolder()
  const url = server && (await newDatabaseUrl(server))
  const small = await filled(folder, url, 0, 1000)
  const few = await firstPage(run, small)
  await small.stop()
  const large = await filled(folder, url, 1000, run.sims)
  const name = `list of 20 with Total, by class, sorted by name, ${engine}, ${run.sims} SIMs against 1000`
  const many = await firstPage(run, large)
  run.note(compare(name, { ours: many, theirs: few }, 0.7))
  await farPage(run, large, many, engine)
  await searchAmongOthers(run, large, engine)
  await large.stop()
}

async function firstPage(run: Run, cloud: CloudProcess): Promise<Measured> {
  const load = { connections: 16, seconds: run.seconds, request: request('GET', simsFrom(0)) }
  await generate({ ...load, seconds: run.seconds * 2, port: cloud.plainPort })
  return measure([cloud.pid], { ...load, port: cloud.plainPort })
}

/** The page after one that was asked for, again and again; and one that comes after a change, which has to be found. */
async function farPage(run: Run, cloud: CloudProcess, first: Measured, engine: string) {
  const from = Math.floor(run.sims * 0.9)
  await createOne(cloud.plainPort, run.fresh())
  const began = performance.now()
  await ask(cloud.plainPort, 'GET', simsFrom(from))
  const cold = performance.now() - began
  const far = await measure([cloud.pid], {
    ...{ connections: 16, seconds: run.seconds, port: cloud.plainPort },
    request: request('GET', simsFrom(from + 20)),
  })
  const ratio = (first.cpu / far.cpu).toFixed(2)
  run.note({
    name: `the same list from ${from + 20} on, ${engine}, against its first page`,
    value: `${ratio} by CPU (${shown(far)}); a page that follows no other ${cold.toFixed(0)} ms`,
  })
}

async function searchAmongOthers(run: Run, cloud: CloudProcess, engine: string): Promise<void> {
  const { id } = await createOne(cloud.plainPort, run.fresh())
  const common = { seconds: run.seconds, port: cloud.plainPort }
  const read = request('GET', `/commonserviceitem/${id}`)
  const others = { ...common, connections: 8, rate: 200, request: read }
  const calm = await generate(others)
  const searching = (Name: string, rate: number) => {
    const find = searchPath({ Filter: { ...SIMS, Name }, Count: 20 })
    const search = { ...common, connections: 1, rate, request: request('GET', find) }
    return Promise.all([generate(search), generate(others)])
  }
  const [few, besideFew] = await searching('0158380', 20)
  run.note({
    name: `name search that matches few, ${engine}, ${run.sims} SIMs (ms)`,
    value: `p50 ${few.p50}, p99 ${few.p99}`,
    limit: 'under 25',
    holds: few.p50 < 25 && few.failures + besideFew.failures === 0,
  })
  run.note({
    name: `other requests meanwhile, ${engine} (p99, ms)`,
    value: `${besideFew.p99}; without searches ${calm.p99}`,
  })
  // Too short for any index: all are looked at.
  const [all, besideAll] = await searching('zq', 1)
  run.note({
    name: `name search by two letters, ${engine}, and other requests meanwhile (ms)`,
    value: `p50 ${all.p50}; p50 ${besideAll.p50}, p99 ${besideAll.p99}, slowest ${besideAll.max}`,
    limit: 'no failure',
    holds: calm.failures + all.failures + besideAll.failures === 0,
  })
}

async function filled(folder: string, url: string | undefined, from: number, to: number) {
  const args = url === undefined ? [] : ['--database', url]
  // The first start makes the tables.
  await (await startCloud(folder, args)).stop()
  const database =
    url === undefined
      ? new SqliteDatabase(join(folder, 'data', 'kumoi.db'))
      : await PostgresDatabase.connect({ url, ...POSTGRES_LIMITS })
  await fillSims(database, from, to)
  if (url !== undefined) await database.write((tx) => tx.run(raw('ANALYZE item')))
  await database.close()
  return startCloud(folder, args)
}
