/**
 * Deletes purges, removals and probes that edges have had time to read. Their times are the machine's, by which edges
 * run, while a job is due by the world's clock, which may be another one.
 */
import type { Clock } from '../../kernel/clock.ts'
import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import { before } from './edge-rules.ts'

const keptMs = async (tx: Tx) => (await new SettingStore(tx).get('edge_event_hours')) * HOUR_MS

export function edgeEventsJob(machine: Pick<Clock, 'now'>): Job<Database> {
  return {
    name: 'webaccel-edge-events',
    steady: true,
    nextDue: (database, now) =>
      database.read(async (tx) => {
        const oldest = await new EdgeFeedStore(tx).oldest()
        if (oldest === undefined) return undefined
        const due = nextMultiple(oldest + (await keptMs(tx)), HOUR_MS)
        if (due <= machine.now()) return now
        // The world is ahead of the machine: a run would find nothing, and be due again at once.
        return due > now ? due : undefined
      }),
    async run(database, _now, signal) {
      const oldest = before(machine.now(), await database.read(keptMs))
      const deleteSome = (tx: Tx, most: number) => new EdgeFeedStore(tx).forget(oldest, most)
      return `${await inBatches(database, deleteSome, signal)} events deleted`
    },
  }
}
