/** The other engine against the ceiling, and two processes on one database against one. */
import { join } from 'node:path'
import { newDatabaseUrl } from '../packages/server/src/testing/engines.ts'
import { startBare } from './ceilings.ts'
import { creation, request, startCloud } from './cloud.ts'
import { compare, type Run } from './figures.ts'
import { generate, inTurns, type Measured, measure, ROUNDS, together } from './processes.ts'

/** The two differ by less than what comes and goes on the machine. */
const PAIRS = 6

export async function onPostgres(run: Run, server: string): Promise<void> {
  const folder = run.newFolder()
  const database = ['--database', await newDatabaseUrl(server)]
  const first = await startCloud(folder, database)
  const ceiling = await startBare(first, run.fresh())
  const get = {
    ...{ connections: 64, seconds: run.seconds, port: first.plainPort },
    request: request('GET', `/commonserviceitem/${ceiling.id}`),
  }
  const gets = await inTurns({ pid: first.pid, load: () => get }, ceiling.loaded(get))
  run.note(compare('GET item, PostgreSQL, against bare node:http', gets, 0.35))
  const key = ['--key-file', join(folder, 'data', 'encryption.key')]
  const second = await startCloud(run.newFolder(), [...database, ...key])
  const also = { ...get, port: second.plainPort }
  // As much as the first has done by now: its code is compiled in several steps.
  await generate({ ...also, seconds: run.seconds * (ROUNDS + 1) })
  // As much load for each of two as for one alone.
  await Promise.all([generate(get), generate(also)])
  const alone: Measured[] = []
  const both: Measured[] = []
  for (let round = 0; round < PAIRS; round += 1) {
    alone.push(await measure([first.pid], get))
    both.push(...(await Promise.all([measure([first.pid], get), measure([second.pid], also)])))
  }
  const one = together(alone)
  const two = together(both)
  run.note({
    name: '2 processes on PostgreSQL against 1, CPU a request (load and database share the two cores)',
    value: `${two.cpu} µs against ${one.cpu} µs`,
    limit: 'within 10 %',
    holds: two.cpu <= one.cpu * 1.1 && one.failures + two.failures === 0,
  })
  await second.stop()
  const creations = () => ({ ...get, request: creation(), first: run.fresh() })
  const posts = await inTurns({ pid: first.pid, load: creations }, ceiling.loaded(creations()))
  run.note(compare('SIM creation, PostgreSQL, against bare node:http', posts, 0.3))
  await Promise.all([first.stop(), ceiling.stop()])
}
