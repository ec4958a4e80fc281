import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../kernel/log.ts'
import type { EdgeChanges, EdgeStatus, EdgeUsage } from '../../services/webaccel/public.ts'
import { TestEdgeServer, testSite } from '../../testing/edge-server.ts'
import { Sync } from './sync.ts'
import { counting, TestEdge } from './testing/edge.ts'

const STORED = { 'cache-control': 'max-age=60' }

const usage = (accessCount: number): EdgeUsage => ({
  ...{ siteId: '1', hour: '2026-04-01T00:00:00.000Z', accessCount },
  ...{ hitCount: 0, bytesSent: 0, cacheMissBytesSent: 0 },
})

const status: EdgeStatus = {
  ...{ id: 'e', name: 'e', engine: 'embedded', softwareVersion: '0', startedAt: '' },
  ...{ cacheBytes: 0, cacheObjects: 0, hits: 0, misses: 0 },
}

function newSync(server: TestEdgeServer, counted: EdgeUsage[][], applied: EdgeChanges[] = []) {
  return new Sync({
    ...{ server, edgeId: 'e', log: silentLog, now: () => new Date(0), status: () => status },
    apply: (changes) => applied.push(changes),
    probe: () => ({ action: 'miss', status: null, steps: [], objects: [] }),
    takeUsage: () => counted.shift() ?? [],
  })
}

test('usage that could not be reported is sent again under its number, before what came since', async () => {
  const server = new TestEdgeServer()
  const sync = newSync(server, [[usage(1)], [usage(2)]])
  await sync.start()
  server.problem = new Error('away')
  await sync.report()
  server.problem = undefined
  await sync.report()
  await sync.stop()
  assert.deepEqual(
    server.reports.map((one) => [one.sequence, one.usage[0]?.accessCount]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('a change is asked for at once, and confirmed by the next question', async () => {
  const server = new TestEdgeServer(testSite(1))
  const applied: EdgeChanges[] = []
  const sync = newSync(server, [], applied)
  await sync.start()
  assert.equal(applied[0]?.isComplete, true)
  await server.purge('/a')
  assert.deepEqual(
    applied.flatMap(({ purges }) => purges).map(({ target }) => target),
    ['/a'],
  )
  await sync.stop()
})

test('the server being away stops nothing, until what is stored may be too old', async () => {
  const edge = await TestEdge.start(counting(STORED), {}, { settingsLimitMs: 200 })
  assert.equal((await edge.get('/a')).body, 'answer 1')
  assert.ok(edge.edge.settingsAt)
  edge.server.problem = new Error('away')
  assert.equal((await edge.get('/a')).body, 'answer 1')
  // No purge can be missing before that: the server waits for an edge that it has just seen.
  while ((await edge.get('/a')).body === 'answer 1') await new Promise(setImmediate)
  edge.server.problem = undefined
  await edge.server.purge('/other')
  const { body } = await edge.get('/a')
  assert.equal((await edge.get('/a')).body, body)
  await edge.stop()
})

test('changed and removed sites hold at once', async () => {
  const edge = await TestEdge.start(counting(STORED))
  await edge.get('/a')
  await edge.server.set({ ...edge.site, status: 'disabled' })
  assert.equal((await edge.get('/a')).status, 503)
  await edge.server.set({ ...edge.site, acl: 'deny all' })
  assert.equal((await edge.get('/a')).status, 403)
  await edge.server.remove(edge.site.id)
  assert.equal((await edge.get('/a')).status, 404)
  await edge.server.set(edge.site)
  assert.equal((await edge.get('/a')).body, 'answer 2')
  await edge.stop()
})
