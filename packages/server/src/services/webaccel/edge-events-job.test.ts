import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_MS } from '../../kernel/units.ts'
import { sql } from '../../storage/sql.ts'
import { newEdge } from '../../testing/edges.ts'
import { engines } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'
import { edgeEventsJob } from './edge-events-job.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import type { SiteId } from './site-rules.ts'

const OLD = 1_001
/** The job of the server itself, which runs by the real time, finds nothing that is old. */
const NOW = new Date('2099-04-01T10:00:00Z')
const before = (ms: number) => new Date(NOW.getTime() - ms)

for (const engine of engines) {
  describe(`purges that are old, on ${engine.name}`, () => {
    const opened = async (t: Parameters<typeof openWeb>[0]) => {
      const cloud = await openWeb(t, { engine })
      const { database, operator, newSite } = cloud
      const siteId = (await newSite()) as SiteId
      const add = (count: number, at: Date) => {
        const event = { kind: 'purge' as const, siteId, detail: '/a' }
        const events = Array.from({ length: count }, () => event)
        return database.write((tx) => new EdgeFeedStore(tx).add(events, at))
      }
      const left = async () =>
        (await database.read((tx) => tx.all(sql`SELECT version FROM edge_event`))).length
      const keep = (hours: number) =>
        operator('POST', '/world', { body: { version: 1, settings: { edge_event_hours: hours } } })
      return { ...cloud, add, left, keep, job: edgeEventsJob({ now: () => NOW }) }
    }

    test('are deleted past the setting, and an edge that has missed them gets everything', async (t) => {
      const cloud = await opened(t)
      const { database, add, left, keep, job } = cloud
      const edge = newEdge(cloud)
      await edge.changes(null)
      const first = await add(OLD, before(2 * HOUR_MS + 1))
      const second = await add(1, before(2 * HOUR_MS))
      assert.equal((await keep(2)).status, 200)
      assert.equal(await job.run(database, NOW), `${OLD} events deleted`)
      assert.equal(await left(), 1)
      assert.equal((await edge.changes(first - 1)).body.isComplete, true)
      const { isComplete, purges } = (await edge.changes(first)).body
      assert.deepEqual([isComplete, purges.length], [false, 1])
      assert.equal((await edge.changes(second)).body.purges.length, 0)
      assert.equal((await keep(1)).status, 200)
      assert.equal(await job.run(database, NOW), '1 events deleted')
    })

    test('are due on the hour by the machine, whatever the clock of the world says', async (t) => {
      const { database, add, job } = await opened(t)
      assert.equal(await job.nextDue?.(database, NOW), undefined)
      await add(1, before(HOUR_MS / 2))
      assert.deepEqual(await job.nextDue?.(database, NOW), new Date('2099-04-01T11:00:00Z'))
      const ahead = new Date('2100-04-01T10:00:00Z')
      assert.equal(await job.nextDue?.(database, ahead), undefined)
      await add(1, before(2 * HOUR_MS))
      for (const now of [before(1e9), NOW, ahead]) {
        assert.deepEqual(await job.nextDue?.(database, now), now)
      }
    })
  })
}
