import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseId } from '../../kernel/ids.ts'
import { EDGE_STATUS, newEdge } from '../../testing/edges.ts'
import { engines } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'
import { targetOf } from './domain-rules.ts'
import { EdgeRequests } from './edge-requests.ts'
import { EdgeStore } from './edge-store.ts'

for (const engine of engines) {
  describe(`deletion from the caches on ${engine.name}`, () => {
    test('is answered when every edge says that it holds there', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      const id = await newSite()
      const edges = [newEdge(cloud, 'edge-1'), newEdge(cloud, 'edge-2')] as const
      const { version } = (await edges[0].changes(null)).body
      await edges[1].changes(version)
      await edges[1].changes(version)
      await edges[0].changes(version)
      const URL = ['https://www.example.jp:8443/a?b=1#c', 'http://nobody.example.jp/']
      let isAnswered = false
      const answer = web('POST', '/deletecache', { body: { URL } }).finally(() => {
        isAnswered = true
      })
      let news = { version, purges: [] as unknown[] }
      while (news.purges.length === 0 && !isAnswered) news = (await edges[0].changes(version)).body
      assert.deepEqual(news.purges, [{ version: news.version, siteId: id, target: '/a?b=1' }])
      await edges[0].changes(news.version)
      await edges[0].changes(news.version)
      assert.equal(isAnswered, false)
      await edges[1].changes(news.version)
      assert.deepEqual((await answer).body.Results, [
        { URL: URL[0], Status: 200, Result: 'OK' },
        { URL: URL[1], Status: 404, Result: 'Not Found' },
      ])
    })

    test('of a whole site waits for nobody where there is no edge, or none that is live', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite, database } = cloud
      const id = await newSite()
      const all = () =>
        web('POST', '/deleteallcache', { body: { Site: { Domain: 'www.example.jp' } } })
      assert.equal((await all()).status, 200)
      const edge = newEdge(cloud)
      const { version } = (await edge.changes(null)).body
      await database.write(async (tx) => {
        const store = new EdgeStore(tx)
        const known = await store.find('edge-1')
        assert.ok(known)
        await store.put({ ...known, seenAt: new Date(known.seenAt.getTime() - 10_001) })
      })
      assert.equal((await all()).status, 200)
      const { purges } = (await edge.changes(version)).body
      assert.deepEqual(
        purges.map(({ siteId, target }: { siteId: string; target: null }) => [siteId, target]),
        [[id, null]],
      )
    })

    test('names the edges that have not confirmed in time', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { newSite, database } = cloud
      const siteId = parseId<'site'>(await newSite())
      assert.ok(siteId)
      const remote = newEdge(cloud, 'tokyo')
      const { version } = (await remote.changes(null)).body
      await remote.changes(version)
      const status = { ...EDGE_STATUS, id: 'here', name: 'here' }
      const clock = { now: () => new Date() }
      const limits = { purgeMs: 100, probeMs: 100 }
      const requests = new EdgeRequests(database, clock, () => undefined, limits)
      const put = (silentMs: number) =>
        database.write((tx) =>
          new EdgeStore(tx).put({
            ...{ status, isRemote: false, appliedVersion: 0 },
            seenAt: new Date(Date.now() - silentMs),
          }),
        )
      const purge = async () => {
        const targets = [{ siteId, target: '/' }]
        return requests.confirmed(await database.write((tx) => requests.purge(tx, targets)))
      }
      await put(0)
      assert.deepEqual(await purge(), ['here', 'tokyo'])
      // One in a server process that has ended serves nothing that it stored by then.
      await put(9_950)
      assert.deepEqual(await purge(), ['tokyo'])
    })

    test('stops waiting for an edge that leaves', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      await newSite()
      const edge = newEdge(cloud)
      await edge.changes(null)
      const answer = web('POST', '/deletecache', { body: { URL: ['https://www.example.jp/'] } })
      await edge.call('/leave')
      assert.equal((await answer).status, 200)
    })
  })
}

test('the target of a purge is what a client would send', () => {
  for (const [address, target] of [
    ['https://www.example.jp', '/'],
    ['https://www.example.jp?a=b', '/?a=b'],
    ['HTTP://www.example.jp:80/a/../b//c?d?e#f', '/a/../b//c?d?e'],
    ['https://www.example.jp/%E3%81%82/い う', '/%E3%81%82/%E3%81%84%20%E3%81%86'],
    ['https://user@www.example.jp/a@b', '/a@b'],
  ] as const) {
    assert.equal(targetOf(address), target)
  }
})
