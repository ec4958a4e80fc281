import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EdgeProbe } from '../../services/webaccel/public.ts'
import { DOMAIN } from '../../testing/edge-server.ts'
import { TestEdge } from './testing/edge.ts'

let edge: TestEdge
before(async () => {
  const acl = 'deny 192.0.2.1'
  edge = await TestEdge.start(
    (request, response) => {
      const control = request.url === '/old' ? 'max-age=0' : 'max-age=60'
      response.writeHead(200, { 'cache-control': control, vary: 'Accept', etag: '"a"' })
      response.end('body')
    },
    { acl, cors: { any: true } },
  )
})
after(() => edge.stop())

async function probe(path: string, change: Partial<EdgeProbe> = {}) {
  const count = edge.server.answers.length
  const url = `http://${DOMAIN}${path}`
  const given = { siteId: edge.site.id, method: 'GET', url, headers: {}, address: '192.0.2.9' }
  await edge.server.probe({ ...given, ...change })
  const answer = edge.server.answers[count]
  assert.ok(answer)
  return answer
}

test('a probe says what is stored and what would be done, and fetches nothing', async () => {
  assert.equal((await probe('/a')).action, 'miss')
  assert.deepEqual(edge.requests, [])
  await edge.get('/a', { accept: 'text/html' })
  const hit = await probe('/a', { headers: { Accept: 'text/html' } })
  assert.equal(hit.action, 'hit')
  const [object] = hit.objects
  assert.deepEqual(object?.variant, { accept: 'text/html' })
  assert.deepEqual([object?.bytes, object?.status, object?.tier], [4, 200, 'memory'])
  const until = new Date(object?.freshUntil ?? 0).getTime()
  assert.ok(until - new Date(object?.storedAt ?? 0).getTime() > 50_000)
  assert.equal((await probe('/a')).action, 'miss')
  await edge.get('/old')
  assert.equal((await probe('/old')).action, 'revalidate')
  assert.equal((await probe('/a', { method: 'POST' })).action, 'pass')
})

test('a probe names the setting that decides, after those that passed', async () => {
  const refused = await probe('/a', { address: '192.0.2.1' })
  assert.deepEqual([refused.action, refused.status], ['refuse', 403])
  assert.deepEqual(
    refused.steps.map(({ name }) => name),
    ['Host', 'Status', 'RequestProtocol', 'ACL'],
  )
  const headers = { origin: 'https://a.example.jp', 'access-control-request-method': 'PUT' }
  const preflight = await probe('/a', { method: 'OPTIONS', headers })
  assert.deepEqual([preflight.action, preflight.status], ['preflight', 204])
  assert.equal((await probe('/a', { url: 'http://other.example.jp/' })).status, 404)
  assert.equal((await probe('/a', { url: 'nonsense' })).status, 400)
})
