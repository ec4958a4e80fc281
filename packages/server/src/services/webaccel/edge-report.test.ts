import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newEdge } from '../../testing/edges.ts'
import { engines } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'

const GIB = 1024 ** 3

for (const engine of engines) {
  describe(`reports of edges on ${engine.name}`, () => {
    test('add to the usage of the month once, whoever reports and however often', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      const siteId = await newSite()
      const edges = [newEdge(cloud, 'edge-1'), newEdge(cloud, 'edge-2')] as const
      for (const edge of edges) await edge.changes(null)
      const used = (hour: string, accessCount: number, hitCount: number) => ({
        ...{ siteId, hour, accessCount, hitCount },
        ...{ bytesSent: accessCount * GIB, cacheMissBytesSent: (accessCount - hitCount) * GIB },
      })
      const first = [used('2026-04-01T00:00:00Z', 4, 3)]
      for (const sequence of [1, 1]) {
        assert.equal((await edges[0].report(sequence, first)).status, 200)
      }
      await edges[1].report(1, [
        used('2026-04-01T01:00:00Z', 4, 1),
        // Midnight in Japan is 15:00 of the day before.
        used('2026-03-31T14:00:00Z', 1, 1),
        { ...used('2026-04-01T01:00:00Z', 1, 1), siteId: '999999999999' },
      ])
      await edges[0].report(2, [])
      await edges[0].report(1, first)
      const [april] = (await web('GET', '/monthlyusage')).body.MonthlyUsages
      assert.deepEqual(
        [april.AccessCount, april.BytesSent, april.CacheMissBytesSent, april.CacheHitRatio],
        [8, 8 * GIB, 4 * GIB, 50],
      )
      const [march] = (await web('GET', '/monthlyusage?target=202603')).body.MonthlyUsages
      assert.deepEqual([march.AccessCount, march.CacheHitRatio], [1, 100])
    })

    test('are billed with the month', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { newSite, clock, inject } = cloud
      const siteId = await newSite()
      const edge = newEdge(cloud)
      await edge.changes(null)
      const usage = { siteId, hour: '2026-04-01T00:00:00Z', accessCount: 1, hitCount: 1 }
      await edge.report(1, [{ ...usage, bytesSent: 20 * GIB, cacheMissBytesSent: 0 }])
      await edge.report(1, [{ ...usage, bytesSent: 20 * GIB, cacheMissBytesSent: 0 }])
      await clock.advanceTo(new Date('2026-04-02T00:30:00+09:00'))
      const path = '/cloud/zone/is1a/api/system/1.0/bill/by-contract/900000000001'
      const authorization = `Basic ${Buffer.from('acme-token:acme-token-secret').toString('base64')}`
      const { body } = await inject('GET', path, { headers: { authorization } })
      assert.deepEqual(
        body.Bills.map(({ Amount }: { Amount: number }) => Amount),
        [100],
      )
    })

    test('of an edge that is not known are refused until it has asked for changes', async (t) => {
      const cloud = await openWeb(t, { engine })
      const edge = newEdge(cloud)
      assert.equal((await edge.report(1, [])).status, 404)
      await edge.changes(null)
      assert.equal((await edge.report(1, [])).status, 200)
      assert.equal((await edge.report(0, [])).status, 400)
      const broken = { siteId: '1', hour: '2026-04-01T99:00:00Z', accessCount: 1 }
      assert.equal((await edge.report(2, [broken])).status, 400)
    })
  })
}
