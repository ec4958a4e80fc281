import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type ServerResponse, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DOMAIN } from '../../../testing/edge-server.ts'
import { sized } from '../../../testing/size.ts'
import { TestEdge } from '../testing/edge.ts'

const CLIENTS = sized(10_000, 1_000)
const MIB = 2 ** 20
const CLIENTS_FILE = new URL('../testing/clients.ts', import.meta.url).pathname

/** A promise, and how to fulfil it. */
function signal<T = void>() {
  return Promise.withResolvers<T>()
}

describe('clients of one cold object', () => {
  let edge: TestEdge
  before(async () => {
    edge = await TestEdge.start(() => undefined)
  })
  after(() => edge.stop())
  beforeEach(async () => {
    await edge.server.purge(null)
    edge.requests.length = 0
  })

  test(`share one request at the origin, ${CLIENTS} of them`, async () => {
    const asked = signal<ServerResponse>()
    edge.answerBy((_request, response) => asked.resolve(response))
    const port = String(edge.edge.address.port)
    const clients = fork(CLIENTS_FILE, [port, String(CLIENTS), DOMAIN, '/cold'])
    await once(clients, 'message')
    const response = await asked.promise
    response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': 12 })
    response.write('first ')
    response.end('second')
    const [answers] = await once(clients, 'message')
    assert.deepEqual(answers, { '200 first second': CLIENTS })
    assert.deepEqual(edge.requests, ['GET /cold'])
  })

  test('share the next request when a purge comes while they wait', async () => {
    const asked = signal<ServerResponse>()
    edge.answerBy((_request, response) => asked.resolve(response))
    const leader = edge.get('/purged')
    const first = await asked.promise
    const followers = [1, 2, 3, 4, 5].map(() => edge.get('/purged'))
    // Their requests have come when this one, sent after them, is answered by the edge itself.
    await edge.ask('/', { host: 'other.example.jp' })
    await edge.server.purge('/purged')
    edge.answerBy((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60' }).end('new')
    })
    first.writeHead(200, { 'cache-control': 'max-age=60' }).end('old')
    assert.equal((await leader).body, 'old')
    const bodies = (await Promise.all(followers)).map(({ body }) => body)
    assert.deepEqual(bodies, Array(5).fill('new'))
    assert.equal(edge.requests.length, 2)
  })

  test('read what has arrived while the rest is still coming', async () => {
    const asked = signal<ServerResponse>()
    edge.answerBy((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60' })
      response.write('first ')
      asked.resolve(response)
    })
    const leader = edge.get('/slow')
    const response = await asked.promise
    const seen = signal<string>()
    const port = edge.edge.address.port ?? 0
    const follower = sendRequest({ port, path: '/slow', headers: { host: DOMAIN } }, (reply) => {
      reply.once('data', (chunk: Buffer) => seen.resolve(chunk.toString()))
    })
    follower.end()
    assert.equal(await seen.promise, 'first ')
    response.end('second')
    assert.equal((await leader).body, 'first second')
    assert.equal(edge.requests.length, 1)
  })

  test('go by themselves when it turns out not to be for all, then and afterwards', async () => {
    const waiting: ServerResponse[] = []
    const first = signal()
    edge.answerBy((_request, response) => {
      waiting.push(response)
      first.resolve()
      if (waiting.length > 1)
        response.writeHead(200, { 'set-cookie': `id=${waiting.length}` }).end()
    })
    const leader = edge.get('/own')
    await first.promise
    const followers = [edge.get('/own'), edge.get('/own')]
    waiting[0]?.writeHead(200, { 'set-cookie': 'id=1' }).end()
    const replies = await Promise.all([leader, ...followers, edge.get('/own')])
    const cookies = replies.map(({ headers }) => headers['set-cookie']?.[0]).sort()
    assert.deepEqual(cookies, ['id=1', 'id=2', 'id=3', 'id=4'])
  })

  test('get what is for their variant alone', async () => {
    const asked = signal<ServerResponse>()
    edge.answerBy((request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60', vary: 'Accept-Language' })
      if (request.headers['accept-language'] === 'ja') asked.resolve(response)
      else response.end('en')
    })
    const japanese = [0, 1].map(() => edge.get('/v', { 'accept-language': 'ja' }))
    const response = await asked.promise
    const english = [0, 1].map(() => edge.get('/v', { 'accept-language': 'en' }))
    response.end('ja')
    const bodies = (await Promise.all([...japanese, ...english])).map(({ body }) => body)
    assert.deepEqual(bodies, ['ja', 'ja', 'en', 'en'])
    assert.equal(edge.requests.length, 2)
  })

  test('are not held by one that reads nothing, and neither is the origin', async () => {
    const sent = signal()
    edge.answerBy((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60' })
      response.end(Buffer.alloc(MIB), () => sent.resolve())
    })
    const slow = connect(edge.edge.address.port ?? 0, '127.0.0.1')
    slow.pause()
    slow.write(`GET /big HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`)
    const other = await edge.get('/big')
    await sent.promise
    assert.equal(other.body.length, MIB)
    assert.equal((await edge.get('/big')).body.length, MIB)
    assert.equal(edge.requests.length, 1)
    slow.destroy()
  })

  test('are all cut off when the origin breaks off, and nothing is stored', async () => {
    edge.answerBy((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': 100 })
      response.write('half')
      setImmediate(() => response.destroy())
    })
    const all = await Promise.allSettled([edge.get('/half'), edge.get('/half')])
    assert.deepEqual(
      all.map(({ status: outcome }) => outcome),
      ['rejected', 'rejected'],
    )
    assert.equal(edge.edge.status().cacheObjects, 0)
  })

  for (const isBegun of [false, true]) {
    const when = isBegun ? 'while a body comes that is not stored' : 'before it is answered'
    test(`who leave ${when} end the request`, async () => {
      const asked = signal()
      const ended = signal()
      edge.answerBy((_request, response) => {
        response.on('close', () => ended.resolve())
        if (isBegun) response.writeHead(200).write('first')
        else asked.resolve()
      })
      const client = connect(edge.edge.address.port ?? 0, '127.0.0.1')
      client.on('data', () => asked.resolve())
      client.write(`GET /left HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`)
      await asked.promise
      client.destroy()
      await ended.promise
    })
  }
})
