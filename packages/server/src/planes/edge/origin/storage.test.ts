import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { S3_KEYS, S3Server } from '../../../testing/s3-server.ts'
import { type Reply, TestEdge } from '../testing/edge.ts'

describe('a site on object storage', () => {
  let edge: TestEdge
  let s3: S3Server
  const ends: (() => void)[] = []
  before(async () => {
    s3 = await S3Server.open({ after: (end) => void ends.push(end as () => void) })
    for (const key of ['a.txt', 'dir/index.html', 'index.html', '%E5%90%8D%20b%2Bc.txt']) {
      s3.objects.set(key, Buffer.from(`content of ${key}`))
    }
    edge = await TestEdge.start(() => undefined, {
      origin: {
        ...{ type: 'storage', docIndex: true, bucket: 'bucket', endpoint: s3.url },
        ...{ region: S3_KEYS.region, accessKeyId: S3_KEYS.accessKey },
        secretAccessKey: S3_KEYS.secretKey,
      },
      defaultCacheTtlSeconds: 60,
    })
  })
  after(async () => {
    await edge.stop()
    for (const end of ends) end()
  })

  const cacheStatus = ({ headers }: Reply) => String(headers['cache-status'])

  test('serves objects by signed requests, and stores them without their query', async () => {
    const first = await edge.get('/a.txt?v=1', { cookie: 'a=b', authorization: 'Basic eDp5' })
    assert.deepEqual([first.status, first.body], [200, 'content of a.txt'])
    assert.match(cacheStatus(await edge.get('/a.txt?v=2')), /hit/)
    await edge.server.purge('/a.txt?v=3')
    assert.match(cacheStatus(await edge.get('/a.txt')), /uri-miss/)
  })

  test('serves names that need escaping, whether the client has escaped all of it or not', async () => {
    for (const path of ['/%E5%90%8D%20b+c.txt', '/%e5%90%8d%20%62%2bc.txt']) {
      const { status, body } = await edge.get(path)
      assert.deepEqual([status, body], [200, 'content of %E5%90%8D%20b%2Bc.txt'])
    }
  })

  test('serves the index of a directory', async () => {
    assert.equal((await edge.get('/')).body, 'content of index.html')
    assert.equal((await edge.get('/dir/')).body, 'content of dir/index.html')
  })

  test('answers plainly what the bucket says in XML, and does not store it', async () => {
    const missing = await edge.get('/missing')
    assert.deepEqual([missing.status, missing.body], [404, 'There is no such object.\n'])
    const head = await edge.ask('/missing', { method: 'HEAD' })
    assert.deepEqual([head.status, head.body], [404, ''])
    assert.match(cacheStatus(await edge.get('/missing')), /uri-miss/)
    assert.equal((await edge.ask('/a.txt', { method: 'PUT', body: 'x' })).status, 405)
  })

  test('answers 403 when the keys are wrong', async () => {
    const { origin } = edge.site
    if (origin.type !== 'storage') throw new Error('It is a bucket.')
    await edge.server.set({ ...edge.site, origin: { ...origin, secretAccessKey: 'wrong' } })
    const reply = await edge.get('/other.txt')
    assert.deepEqual([reply.status, reply.body], [403, 'Access to the object is refused.\n'])
  })
})
