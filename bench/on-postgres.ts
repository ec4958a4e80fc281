/** The other engine against the ceiling, and two processes on one database against one. */
import { join } from 'node:path'
import { newDatabaseUrl } from '../packages/server/src/testing/engines.ts'
import { startBare } from './ceilings.ts'
import { creation, request, startCloud } from './cloud.ts'
import { compare, type Run } from './figures.ts'
import { generate, inTurns, measure } from './processes.ts'

export async function onPostgres(run: Run, server: string): Promise<void> {
  const folder = run.newFolder()
  const database = ['--database', await newDatabaseUrl(server)]
  const first = await startCloud(folder, database)
  const ceiling = await startBare(first, run.fresh())
  const get = {
    ...{ connections: 64, seconds: run.seconds, port: first.plainPort },
    request: request('GET', `/commonserviceitem/${ceiling.id}`),
  }
  const creations = () => ({ ...get, request: creation(), first: run.fresh() })
  const gets = await inTurns({ pid: first.pid, load: () => get }, ceiling.loaded(get))
  run.note(compare('GET item, PostgreSQL, against bare node:http', gets, 0.35))
  const posts = await inTurns({ pid: first.pid, load: creations }, ceiling.loaded(creations()))
  run.note(compare('SIM creation, PostgreSQL, against bare node:http', posts, 0.3))
  const alone = await measure([first.pid], get)
  const key = ['--key-file', join(folder, 'data', 'encryption.key')]
  const second = await startCloud(run.newFolder(), [...database, ...key])
  await generate({ ...get, seconds: run.seconds * 2, port: second.plainPort })
  const half = { ...get, connections: 32 }
  const both = await Promise.all([
    measure([first.pid], half),
    measure([second.pid], { ...half, port: second.plainPort }),
  ])
  const requests = both[0].requests + both[1].requests
  const cpu = (both[0].cpu * both[0].requests + both[1].cpu * both[1].requests) / requests
  run.note({
    name: '2 processes on PostgreSQL against 1, CPU a request (load and database share the two cores)',
    value: `${cpu.toFixed(1)} µs against ${alone.cpu} µs`,
    limit: 'within 10 %',
    holds: cpu <= alone.cpu * 1.1,
  })
  await Promise.all([first.stop(), second.stop(), ceiling.stop()])
}
