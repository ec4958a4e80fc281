/** A page of a list in an account of a thousand SIMs and in one of a million. */
import { join } from 'node:path'
import { PostgresDatabase } from '../packages/server/src/storage/postgres/database.ts'
import { raw } from '../packages/server/src/storage/sql.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite/database.ts'
import { POSTGRES_LIMITS } from '../packages/server/src/testing/engines.ts'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { fillSims } from './fill-sims.ts'
import { alternate, generate } from './processes.ts'
import { compare, type Run } from './report.ts'
import { request, type ServerProcess, searchPath, startServer } from './server.ts'

const SMALL = 1000
const SIMS = { 'Provider.Class': ['sim'] }

/** `postgres` is the address of a server; without it the store is the embedded one. */
export async function measureLists(run: Run, postgres?: string): Promise<void> {
  const engine = postgres === undefined ? 'SQLite' : 'PostgreSQL'
  const small = await startFilled(run, SMALL, postgres)
  const large = await startFilled(run, run.sims, postgres)
  const common = { connections: 16, seconds: run.seconds }
  const page = (from: number) =>
    request('GET', searchPath({ Filter: SIMS, Sort: ['Name'], From: from, Count: 20 }))
  const measurement = ({ pid, port }: ServerProcess) => ({
    ...{ pid, load: () => ({ ...common, port, request: page(0) }) },
  })
  const lists = await alternate(measurement(large), measurement(small))
  const name = `list of 20 SIMs with Total, sorted by name, ${engine}, ${run.sims} SIMs against ${SMALL}`
  run.note(compare(name, lists, 0.9))
  const one = { ...common, connections: 1, port: large.port }
  const find = searchPath({ Filter: { ...SIMS, Name: '0158380' }, Count: 20 })
  const far = await generate({ ...one, request: page(Math.floor(run.sims * 0.9)) })
  const search = await generate({ ...one, request: request('GET', find) })
  run.note({
    name: `the same list from ${Math.floor(run.sims * 0.9)} on; a search by a part of a name, ${engine} (ms)`,
    value: `p50 ${far.p50}, p99 ${far.p99}; p50 ${search.p50}, p99 ${search.p99}`,
  })
  await Promise.all([small.stop(), large.stop()])
}

async function startFilled(run: Run, sims: number, postgres?: string): Promise<ServerProcess> {
  const folder = run.newFolder()
  const url = postgres && (await newDatabaseUrl(postgres))
  const args = url === undefined ? [] : ['--database', url]
  // The first start creates the tables.
  await (await startServer(folder, args)).stop()
  const database =
    url === undefined
      ? new SqliteDatabase(join(folder, 'data', 'kumoi.db'))
      : await PostgresDatabase.connect({ url, ...POSTGRES_LIMITS })
  await fillSims(database, sims)
  if (url !== undefined) await database.write((tx) => tx.run(raw('ANALYZE item')))
  await database.close()
  return startServer(folder, args)
}
