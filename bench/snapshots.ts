/**
 * How long saving and loading a snapshot takes in a world of 100,000 SIMs, on both engines:
 * `node_modules/.bin/node bench/snapshots.ts [sims]`. Starts a PostgreSQL server as the tests do.
 */
import { performance } from 'node:perf_hooks'
import { openCloud } from '../packages/server/src/testing/cloud.ts'
import { engines } from '../packages/server/src/testing/engines.ts'
import { fillSims } from './fill-sims.ts'

const SIMS = Number(process.argv[2] ?? 100_000)

for (const engine of engines) {
  const closing: (() => unknown)[] = []
  // The cast: a test's end hands its work a context and a callback, of which the cloud uses none.
  const cloud = await openCloud(
    { after: (work) => closing.push(work as () => unknown) },
    { engine },
  )
  await fillSims(cloud.database, 0, SIMS)
  const timed = async (what: string, path: string, body?: object) => {
    const start = performance.now()
    const answer = await cloud.operator('POST', path, { body })
    if (answer.status >= 300) throw new Error(answer.text)
    const seconds = ((performance.now() - start) / 1000).toFixed(2)
    console.log(`${engine.name}: ${what} with ${SIMS} SIMs took ${seconds} s`)
  }
  await timed('saving', '/snapshots', { name: 'large' })
  for (let round = 0; round < 3; round += 1) await timed('loading', '/snapshots/large/load')
  for (const close of closing) await close()
}
