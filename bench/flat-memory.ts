/** Reads and writes mixed for minutes, and what the process holds meanwhile. */
import { createOne, creation, request, startCloud } from './cloud.ts'
import type { Run } from './figures.ts'
import { generate, residentMib } from './processes.ts'

const SAMPLE_MS = 30_000
const READS = 500
const CREATIONS = 100
/** How much more the last third of the samples may be than the middle one; the first is warming up. */
const MOST_GROWTH = 1.1

export async function flatMemory(run: Run): Promise<void> {
  const cloud = await startCloud(run.newFolder())
  const { id } = await createOne(cloud.plainPort, run.fresh())
  const sizes: number[] = []
  const timer = setInterval(() => sizes.push(residentMib(cloud.pid)), SAMPLE_MS)
  const common = { seconds: run.minutes * 60, port: cloud.plainPort, connections: 16 }
  const read = request('GET', `/commonserviceitem/${id}`)
  const [reads, writes] = await Promise.all([
    generate({ ...common, rate: READS, request: read }),
    generate({ ...common, rate: CREATIONS, first: run.fresh(), request: creation() }),
  ])
  clearInterval(timer)
  await cloud.stop()
  const failures = reads.failures + writes.failures
  const growth = growthOf(sizes)
  run.note({
    name: `memory over ${run.minutes} minutes of ${READS} reads and ${CREATIONS} creations a second (MiB every ${SAMPLE_MS / 1000} s)`,
    value: `${sizes.map((size) => size.toFixed(0)).join(' ')}; last third ${growth.toFixed(2)} of the middle one; ${reads.requests + writes.requests} requests, ${failures} failures`,
    limit: `last third at most ${MOST_GROWTH} of the middle one, no failure`,
    // A run that is too short for three thirds says nothing.
    ...(Number.isNaN(growth) ? {} : { holds: growth <= MOST_GROWTH && failures === 0 }),
  })
}

/** The mean of the last third in means of the middle third; not a number when there are too few. */
function growthOf(sizes: readonly number[]): number {
  const third = Math.floor(sizes.length / 3)
  const mean = (part: readonly number[]) => part.reduce((sum, size) => sum + size, 0) / part.length
  return mean(sizes.slice(-third)) / mean(sizes.slice(-2 * third, -third))
}
