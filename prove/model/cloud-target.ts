/** A whole server inside this process, without sockets: most sequences run so, since it is fast. */
import { openCloud, type TestCloud } from '../../packages/server/src/testing/cloud.ts'
import type { TestEngine } from '../../packages/server/src/testing/engines.ts'
import type { Request } from './command.ts'
import type { Answer } from './compare.ts'
import { SIMS_PER_GATEWAY } from './groups/gateway-parts.ts'
import { CARDS } from './state.ts'
import type { Target } from './target.ts'

export const WORLD = {
  version: 1,
  settings: {
    ...{ webaccel_calls_per_hour: 100_000, sims_per_gateway: SIMS_PER_GATEWAY },
    // Longer than a sequence: the model forgets nothing.
    session_log_days: 3650,
    iot_message_hours: 8760,
  },
  sim_cards: [{ iccid_from: '8981040000000000000', count: CARDS, passcode: 'pass{n}' }],
}

export async function openCloudTarget(engine: TestEngine, seed: number): Promise<Target> {
  const database = await engine.open()
  // It outlives the clouds that run on it.
  const closeDatabase = database.close.bind(database)
  database.close = async () => undefined
  const kept: TestEngine = { name: engine.name, open: async () => database }
  let starts = 0
  let ends: (() => Promise<unknown>)[] = []
  const open = (start: Date | undefined) => {
    starts += 1
    return openCloud(
      { after: (end) => void ends.push(end as () => Promise<unknown>) },
      {
        ...{ engine: kept, args: ['--fault-header'], seed: `${seed} ${starts}` },
        ...(start && { start }),
      },
    )
  }
  let cloud: TestCloud = await open(undefined)
  const applied = await cloud.operator('POST', '/world', { body: WORLD })
  if (applied.status !== 200) throw new Error(`The world was not applied: ${applied.text}`)
  const end = async () => {
    for (const one of ends) await one()
    ends = []
  }
  return {
    async send({ method, path, headers, body }: Request): Promise<Answer | undefined> {
      try {
        const { status, body: parsed, text } = await cloud.inject(method, path, { headers, body })
        return { status, body: parsed ?? text }
      } catch {
        // A fault has closed the connection.
        return undefined
      }
    },
    async restart() {
      const { clock, blobs } = cloud
      await end()
      cloud = await open(clock.now())
      await copyBlobs(blobs, cloud.blobs)
    },
    async close() {
      await end()
      await closeDatabase()
    },
  }
}

/** A server keeps them on disk; these are in its memory. */
async function copyBlobs(from: TestCloud['blobs'], to: TestCloud['blobs']): Promise<void> {
  for (const { key } of await from.list()) {
    const content = await from.read(key)
    if (content !== undefined) await to.write(key, content)
  }
}
