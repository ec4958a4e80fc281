/** PostgreSQL: ours against bare `node:http`, and two processes on one database against one. */
import { join } from 'node:path'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { startBare } from './bare.ts'
import type { Load } from './load.ts'
import { alternate, generate, type Measured, measure, merge, ROUNDS } from './processes.ts'
import { compare, type Run } from './report.ts'
import { creation, request, type ServerProcess, startServer } from './server.ts'

/** One and two processes differ by less than what comes and goes on the machine. */
const PAIRS = 6

export async function measurePostgres(run: Run, serverUrl: string): Promise<void> {
  const folder = run.newFolder()
  const database = ['--database', await newDatabaseUrl(serverUrl)]
  const server = await startServer(folder, database)
  const { pid, port } = server
  const bare = await startBare(server, run.newCards())
  const common = { connections: 64, seconds: run.seconds, port }
  const get = { ...common, request: request('GET', `/commonserviceitem/${bare.id}`) }
  const gets = await alternate({ pid, load: () => get }, bare.measurement(get))
  run.note(compare('GET item, PostgreSQL, against bare node:http', gets, 0.5))
  const key = ['--key-file', join(folder, 'data', 'encryption.key')]
  await compareProcesses(run, server, get, [...database, ...key])
  const create = () => ({ ...common, request: creation(), first: run.newCards() })
  const creations = await alternate({ pid, load: create }, bare.measurement(create()))
  run.note(compare('SIM creation, PostgreSQL, against bare node:http', creations, 0.08))
  await Promise.all([server.stop(), bare.stop()])
}

/** Each of two processes has as much load as one alone. */
async function compareProcesses(
  run: Run,
  first: ServerProcess,
  get: Load,
  args: readonly string[],
): Promise<void> {
  const second = await startServer(run.newFolder(), args)
  const also = { ...get, port: second.port }
  // As much as the first has done by now: its code is compiled in several steps.
  await generate({ ...also, seconds: run.seconds * (ROUNDS + 1) })
  const alone: Measured[] = []
  const both: Measured[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    alone.push(await measure(first.pid, get))
    both.push(...(await Promise.all([measure(first.pid, get), measure(second.pid, also)])))
  }
  const one = merge(alone)
  const two = merge(both)
  run.note({
    name: '2 processes on PostgreSQL against 1, CPU a request (load and database share the two cores)',
    value: `${two.cpu} µs against ${one.cpu} µs`,
    wanted: 'within 10 %',
    holds: two.cpu <= one.cpu * 1.1 && one.failures + two.failures === 0,
  })
  await second.stop()
}
