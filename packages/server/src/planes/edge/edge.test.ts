import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { FrozenClock } from '../../kernel/clock.ts'
import { counting, type Handler, TestEdge } from './testing/edge.ts'

const STORED = { 'cache-control': 'max-age=60', etag: '"a"' }

describe('an edge', () => {
  let edge: TestEdge
  before(async () => {
    edge = await TestEdge.start(counting(STORED))
  })
  after(() => edge.stop())
  beforeEach(async () => {
    edge.answerBy(counting(STORED))
    await edge.server.purge(null)
    edge.requests.length = 0
  })

  test('asks the origin once for what may be stored, and serves it from then on', async () => {
    const first = await edge.get('/a?b=1')
    const second = await edge.get('/a?b=1')
    assert.deepEqual([first.body, second.body], ['answer 1', 'answer 1'])
    assert.deepEqual(edge.requests, ['GET /a?b=1'])
    assert.equal(first.headers['cache-status'], 'kumoi; fwd=uri-miss; stored')
    // The origin's date has no fractions of a second, of which one may have passed.
    const [, ttl] = /^kumoi; hit; ttl=(60|59)$/.exec(String(second.headers['cache-status'])) ?? []
    assert.equal(second.headers.age, String(60 - Number(ttl)))
    assert.equal(second.headers['content-length'], '8')
  })

  test('answers 404 for a host that is no site, and 400 for one that is no host', async () => {
    assert.equal((await edge.ask('/', { host: 'other.example.jp' })).status, 404)
    assert.equal((await edge.ask('/', { host: 'a b' })).status, 400)
    assert.equal((await edge.ask('/', { host: 'WWW.Example.JP.:8080' })).status, 200)
  })

  test('serves HEAD, conditions and ranges from what is stored', async () => {
    await edge.get('/o')
    const head = await edge.ask('/o', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '8', ''])
    const same = await edge.get('/o', { 'if-none-match': 'W/"a", "b"' })
    assert.deepEqual([same.status, same.headers.etag, same.body], [304, '"a"', ''])
    const part = await edge.get('/o', { range: 'bytes=2-4' })
    assert.deepEqual([part.status, part.body], [206, 'swe'])
    assert.equal(part.headers['content-range'], 'bytes 2-4/8')
    assert.equal((await edge.get('/o', { range: 'bytes=-1', 'if-range': '"a"' })).body, '1')
    assert.equal((await edge.get('/o', { range: 'bytes=2-4', 'if-range': '"b"' })).status, 200)
    const beyond = await edge.get('/o', { range: 'bytes=8-' })
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */8'])
    assert.equal((await edge.get('/o', { 'if-match': '"b"' })).status, 412)
    assert.equal(edge.requests.length, 1)
  })

  test('serves a range of what is not stored yet while it comes', async () => {
    const body = 'x'.repeat(100_000)
    edge.answerBy((_request, response) => {
      response.writeHead(200, { ...STORED, 'content-length': body.length })
      response.end(body)
    })
    const part = await edge.get('/r', { range: 'bytes=0-9' })
    assert.deepEqual([part.status, part.body.length], [206, 10])
    assert.equal((await edge.get('/r')).body.length, 100_000)
    assert.equal(edge.requests.length, 1)
  })

  test('validates what is stale, and takes over the fields of the 304', async () => {
    let isChanged = false
    const sockets = new Set()
    edge.answerBy((request, response) => {
      sockets.add(request.socket)
      if (request.headers['if-none-match'] === '"a"' && !isChanged) {
        response.writeHead(304, { 'x-new': '1' }).end()
      } else response.writeHead(200, { 'cache-control': 'max-age=0', etag: '"a"' }).end('body')
    })
    await edge.get('/v')
    const second = await edge.get('/v')
    assert.deepEqual([second.body, second.headers['x-new']], ['body', '1'])
    assert.equal(second.headers['cache-status'], 'kumoi; fwd=stale; fwd-status=304')
    await edge.get('/v')
    assert.equal(sockets.size, 1, 'the connection is used again')
    isChanged = true
    assert.equal((await edge.get('/v')).headers['x-new'], undefined)
  })

  test('serves stale content while it revalidates, and in the place of an error where allowed', async () => {
    let isBroken = false
    let count = 0
    const handler: Handler = (_request, response) => {
      count += 1
      const control = 'max-age=0, stale-while-revalidate=60, stale-if-error=60'
      if (isBroken) response.writeHead(503).end('broken')
      else response.writeHead(200, { 'cache-control': control }).end(`answer ${count}`)
    }
    edge.answerBy(handler)
    await edge.get('/w')
    assert.equal((await edge.get('/w')).body, 'answer 1')
    isBroken = true
    assert.match((await edge.get('/w')).body, /^answer/)
  })

  test('stores one object for each variant', async () => {
    edge.answerBy((request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60', vary: 'Accept-Language' })
      response.end(request.headers['accept-language'])
    })
    for (const language of ['ja', 'en', 'ja', 'en']) {
      assert.equal((await edge.get('/l', { 'accept-language': language })).body, language)
    }
    assert.equal(edge.requests.length, 2)
  })

  test('forwards other methods with their body, and forgets what they may have changed', async () => {
    await edge.get('/p')
    edge.answerBy((request, response) => {
      request.pipe(response.writeHead(200))
    })
    const posted = await edge.ask('/p', { method: 'POST', body: 'sent' })
    assert.deepEqual([posted.status, posted.body], [200, 'sent'])
    edge.answerBy(counting(STORED))
    assert.equal((await edge.get('/p')).headers['cache-status'], 'kumoi; fwd=uri-miss; stored')
  })

  test('answers 502 with the reason when the origin breaks off before the head', async () => {
    edge.answerBy((request) => request.socket.destroy())
    const reply = await edge.get('/broken')
    assert.equal(reply.status, 502)
    assert.equal(reply.headers['proxy-status'], 'kumoi; error=connection_terminated')
  })

  test('is purged by URL and as a whole', async () => {
    await Promise.all([edge.get('/1'), edge.get('/2')])
    await edge.server.purge('/1')
    const status = async (path: string) => (await edge.get(path)).headers['cache-status']
    assert.match(String(await status('/1')), /uri-miss/)
    assert.match(String(await status('/2')), /hit/)
    await edge.server.purge(null)
    assert.match(String(await status('/2')), /uri-miss/)
  })
})

test('usage is reported with the last requests when the edge stops', async () => {
  const edge = await TestEdge.start(counting(STORED))
  await edge.get('/u')
  await edge.get('/u')
  await edge.stop()
  assert.equal(edge.server.total('accessCount'), 2)
  assert.equal(edge.server.total('hitCount'), 1)
  assert.ok(edge.server.total('bytesSent') > edge.server.total('cacheMissBytesSent'))
  assert.ok(edge.server.total('cacheMissBytesSent') > 8)
})

test('a clock that is moved makes objects stale, whatever the date of the origin is', async () => {
  const clock = new FrozenClock(new Date('2031-04-01T00:00:00Z'))
  const edge = await TestEdge.start(counting(STORED), {}, { clock })
  assert.equal((await edge.get('/c')).body, 'answer 1')
  await clock.advanceTo(new Date('2031-04-01T00:00:59Z'))
  assert.equal((await edge.get('/c')).headers.age, '59')
  await clock.advanceTo(new Date('2031-04-01T00:01:00Z'))
  assert.equal((await edge.get('/c')).body, 'answer 2')
  await edge.stop()
})
