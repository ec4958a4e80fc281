/** Against the server itself: what counts is that it lets us in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startCloud } from '../../server/src/start/testing.ts'
import { createClient } from './client.ts'
import { DigestSession } from './digest.ts'

async function open(secret = 'demo-secret') {
  const cloud = await startCloud()
  const sent: (string | null)[] = []
  const client = createClient({
    baseUrl: cloud.url,
    token: 'demo-token',
    secret,
    auth: 'digest',
    fetch: (url, init) => {
      sent.push(new Headers(init.headers).get('authorization'))
      return cloud.fetch(url, init)
    },
  })
  return { cloud, client, sent }
}

describe('digest credentials', () => {
  test('answer the challenge, and then come along unasked, counted', async (t) => {
    const { cloud, client, sent } = await open()
    t.after(cloud.stop)
    assert.equal((await client.siteList({ query: { Count: 1 } })).ok, true)
    assert.equal((await client.monthlyUsageRead({ query: { target: '202604' } })).ok, true)
    assert.equal(sent.length, 3)
    assert.equal(sent[0], null)
    assert.match(sent[1] ?? '', /^Digest username="demo-token".* nc=00000001,/)
    assert.match(sent[2] ?? '', /nc=00000002,/)
    assert.ok(!sent.join().includes('demo-secret'))
  })

  test('answer a new challenge when the nonce has grown old', async (t) => {
    const { cloud, client, sent } = await open()
    t.after(cloud.stop)
    await client.siteList()
    await cloud.clock.advance({ minutes: 6 })
    assert.equal((await client.siteList()).ok, true)
    assert.equal(sent.length, 4)
  })

  test('are refused once when they are wrong', async (t) => {
    const { cloud, client, sent } = await open('wrong')
    t.after(cloud.stop)
    const result = await client.siteList()
    assert.ok(!result.ok)
    assert.equal(result.refusal.code, 'unauthorized')
    assert.equal(sent.length, 2)
  })

  test('are not shown as Basic where the server takes that alone', async (t) => {
    const { cloud, client, sent } = await open()
    t.after(cloud.stop)
    const result = await client.authStatus()
    assert.ok(!result.ok)
    assert.equal(result.refusal.status, 401)
    assert.deepEqual(sent, [null])
  })
})

describe('a challenge', () => {
  test('is found among others, with what is quoted in it', async () => {
    const session = new DigestSession('a"b', 's')
    const header =
      'Basic realm="x, Digest y", Digest realm="r\\"1", algorithm=MD5, nonce="m", Digest realm="r\\"1", algorithm=SHA-256, nonce="n", opaque="o"'
    assert.equal(session.accept(header, false), true)
    const answer = (await session.header('GET', 'https://h/p?q=1')) ?? ''
    assert.match(answer, /^Digest username="a\\"b", realm="r\\"1", nonce="n", uri="\/p\?q=1"/)
    assert.match(answer, /opaque="o"$/)
  })

  test('that offers nothing we can do is left alone', () => {
    const session = new DigestSession('a', 's')
    for (const header of [null, '', 'Basic realm="x"', 'Digest realm="r", nonce="n"']) {
      assert.equal(session.accept(header, false), false)
    }
  })
})
