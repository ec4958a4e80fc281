/**
 * How long saving and loading a snapshot takes in a world of 100,000 SIMs, on both engines, by the clock
 * and in processor time (that of PostgreSQL's own processes included, where /proc tells it):
 * `node_modules/.bin/node bench/snapshots.ts [sims]`. Starts a PostgreSQL server as the tests do.
 */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { raw } from '../packages/server/src/storage/sql.ts'
import { openCloud, type TestCloud } from '../packages/server/src/testing/cloud.ts'
import { engines } from '../packages/server/src/testing/engines.ts'
import { fillSims } from './fill-sims.ts'

const SIMS = Number(process.argv[2] ?? 100_000)
/** Of the clock that /proc counts in. */
const TICKS_PER_SECOND = 100

let file: string | undefined
for (const engine of engines) {
  const closing: (() => unknown)[] = []
  // The cast: a test's end hands its work a context and a callback, of which the cloud uses none.
  const cloud = await openCloud(
    { after: (work) => closing.push(work as () => unknown) },
    { engine },
  )
  const timed = async (what: string, path: string, body?: object | string) => {
    const before = await processorSeconds(cloud)
    const start = performance.now()
    const answer = await cloud.operator('POST', path, { body })
    if (answer.status >= 300) throw new Error(answer.text)
    const seconds = ((performance.now() - start) / 1000).toFixed(2)
    const after = await processorSeconds(cloud)
    const [own, server] = after.map((value, index) => (value - (before[index] ?? 0)).toFixed(2))
    console.log(`${engine.name}: ${what} took ${seconds} s; processor: ${own} + ${server} s`)
  }
  console.log(`${SIMS} SIMs on ${engine.name}`)
  // Filling takes PostgreSQL a minute; a snapshot is the same for both engines.
  if (file === undefined) await fillSims(cloud.database, 0, SIMS)
  else {
    await timed('importing', '/snapshots/large/file', file)
    await timed('loading in place of a small world', '/snapshots/large/load')
  }
  await timed('saving', '/snapshots', { name: 'large' })
  for (let round = 0; round < 4; round += 1) {
    await timed('loading in place of a world as large', '/snapshots/large/load')
  }
  file ??= (await cloud.operator('GET', '/snapshots/large/file')).text
  for (const close of closing) await close()
}

/** Of this process, and of PostgreSQL's. */
async function processorSeconds({ database }: TestCloud): Promise<number[]> {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (database.engine === 'sqlite') return [own, 0]
  const backends = await database.read((tx) =>
    tx.all<{ pid: number }>(
      raw('SELECT pid FROM pg_stat_activity WHERE datname = current_database()'),
    ),
  )
  return [own, backends.reduce((sum, { pid }) => sum + secondsOf(pid), 0)]
}

/** The 14th and 15th fields, counted after the name, which may hold anything. */
function secondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
