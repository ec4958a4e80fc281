import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DOMAIN } from '../../../testing/edge-server.ts'
import { type Handler, TestEdge } from '../testing/edge.ts'
import { ObjectCache } from './cache.ts'
import { VARIANTS_MAX } from './memory.ts'
import type { StoredObject } from './object.ts'

const KIB = 1024
const MIB = 2 ** 20

function object(key: string, bytes: number, variant = ''): StoredObject {
  return {
    ...{ siteId: '1', key, status: 200, fields: [], variant, storedMs: 0 },
    vary: variant === '' ? [] : ['a'],
    body: Buffer.alloc(bytes),
    freshness: {
      ...{ lifetimeSeconds: 60, initialAgeSeconds: 0, receivedMs: 0, isStrict: false },
      ...{ staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 },
    },
  }
}

describe('a cache in memory', () => {
  test('stays within its limit, and drops what was used longest ago', () => {
    const cache = new ObjectCache(MIB)
    for (let n = 0; n < 100; n += 1) {
      cache.use('0')
      cache.add(object(String(n), 60 * KIB))
      assert.ok(cache.bytes <= MIB)
    }
    assert.ok(cache.objects > 10)
    assert.equal(cache.peek('0').length, 1)
    assert.equal(cache.peek('1').length, 0)
    assert.equal(cache.peek('99').length, 1)
  })

  test('counts what is being fetched, and refuses what cannot fit', () => {
    const cache = new ObjectCache(MIB)
    cache.add(object('a', 100 * KIB))
    assert.equal(cache.reserve(MIB), true)
    assert.equal(cache.objects, 0)
    assert.equal(cache.reserve(1), false)
    cache.release(MIB)
    cache.add(object('b', 100 * KIB))
    assert.equal(cache.objects, 1)
  })

  test(`keeps ${VARIANTS_MAX} variants of a URL, the newest ones`, () => {
    const cache = new ObjectCache(MIB)
    for (let n = 0; n < VARIANTS_MAX + 5; n += 1) cache.add(object('a', 10, String(n)))
    const variants = cache.peek('a').map(({ variant }) => variant)
    assert.equal(variants.length, VARIANTS_MAX)
    assert.deepEqual([variants[0], variants.at(-1)], [String(VARIANTS_MAX + 4), '5'])
    assert.equal(cache.objects, VARIANTS_MAX)
  })

  test('counts many small objects with what they take besides their bytes', () => {
    const cache = new ObjectCache(MIB)
    for (let n = 0; n < 10_000; n += 1) cache.add(object(`key ${n}`, 1))
    assert.ok(cache.objects < 1_100)
  })
})

describe('a cache with a disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-edge-disk-'))
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.object'))
  /** As many bytes as the path says. */
  const answer: Handler = (request, response) => {
    const length = Number(request.url?.split('/')[1])
    response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': length })
    response.end(randomBytes(length))
  }
  let edge: TestEdge
  before(async () => {
    writeFileSync(join(folder, '7.partial'), 'half')
    writeFileSync(join(folder, '8.object'), 'of another process')
    writeFileSync(join(folder, 'notes.txt'), 'kept')
    const cache = { memoryBytes: MIB, folder, diskBytes: 8 * MIB }
    edge = await TestEdge.start(answer, {}, { cache })
  })
  after(async () => {
    await edge.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    await edge.server.purge(null)
    edge.requests.length = 0
  })

  test('begins empty, and leaves the files of others alone', () => {
    assert.deepEqual(readdirSync(folder), ['notes.txt'])
  })

  test('stores there what is too large for the memory, and serves it and its ranges', async () => {
    const path = `/${MIB / 2}/large`
    const both = await Promise.all([edge.get(path), edge.get(path)])
    await stored(1)
    const third = await edge.get(path)
    assert.ok([...both, third].every(({ body }) => body === both[0]?.body))
    assert.match(String(third.headers['cache-status']), /hit/)
    const part = await edge.get(path, { range: 'bytes=100000-200000' })
    assert.equal(part.headers['content-length'], '100001')
    assert.equal(edge.requests.length, 1)
    await edge.server.purge(path)
    assert.match(String((await edge.get(path)).headers['cache-status']), /uri-miss/)
  })

  test('does not serve a file that is not as long as it was stored', async () => {
    const path = `/${MIB / 2}/cut`
    await edge.get(path)
    await stored(1)
    truncateSync(join(folder, files()[0] ?? ''), 1000)
    const reply = await edge.get(path)
    assert.equal(reply.headers['content-length'], String(MIB / 2))
    assert.match(String(reply.headers['cache-status']), /uri-miss/)
  })

  test('leaves no file behind when a purge comes and the last client goes', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    edge.answerBy((_request, response) => {
      response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': MIB / 2 })
      response.write(Buffer.alloc(200 * KIB))
      response.on('close', () => ended.resolve())
    })
    const socket = connect(edge.edge.address.port ?? 0, '127.0.0.1')
    socket.on('data', () => begun.resolve())
    socket.write(`GET /left HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`)
    await begun.promise
    await edge.server.purge(null)
    socket.destroy()
    await ended.promise
    edge.answerBy(answer)
    while (readdirSync(folder).some((name) => name.endsWith('.partial'))) {
      await new Promise(setImmediate)
    }
  })

  test('moves there what has no room in memory any more', async () => {
    for (let n = 0; n < 20; n += 1) await edge.get(`/${100 * KIB}/${n}`)
    while (files().length < 5) await new Promise(setImmediate)
    const first = await edge.get(`/${100 * KIB}/0`)
    assert.match(String(first.headers['cache-status']), /hit/)
    assert.equal(first.headers['content-length'], String(100 * KIB))
  })

  test('stays within its limit', async () => {
    for (let n = 0; n < 12; n += 1) await edge.get(`/${MIB}/${n}`)
    await stored(7)
    assert.ok(edge.edge.status().cacheBytes <= 8 * MIB + 100 * KIB)
    while (files().length > 8) await new Promise(setImmediate)
  })

  /** What was sent is written a moment later. */
  async function stored(count: number): Promise<void> {
    while (edge.edge.status().cacheObjects < count) await new Promise(setImmediate)
  }
})
