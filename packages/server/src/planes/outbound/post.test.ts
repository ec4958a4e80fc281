import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { RunningClock } from '../../kernel/clock.ts'
import { systemRandom } from '../../kernel/random.ts'
import { loadOrMakeTls } from '../../tls/local-ca.ts'
import { post, postJson } from './post.ts'

const tls = loadOrMakeTls({
  folder: undefined,
  names: ['localhost', '127.0.0.1'],
  now: new RunningClock().now(),
  randomBytes: (count) => systemRandom.bytes(count),
})

/** A receiver on this machine; its answer's status is in the path. */
async function receiver(t: TestContext) {
  const received: string[] = []
  const server = createServer({ cert: tls.cert, key: tls.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end('answer')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { received, at: (host: string, status: number) => `https://${host}:${port}/${status}` }
}

describe('postJson', () => {
  const open = { allowPrivate: true, ca: tls.ca }

  test('sends the JSON and says what came of it', async (t) => {
    const { received, at } = await receiver(t)
    assert.equal(await postJson(at('localhost', 204), { text: 'hello' }, open), 'sent')
    assert.deepEqual(received, ['{"text":"hello"}'])
    assert.equal(await postJson(at('127.0.0.1', 500), { text: 'x' }, open), 'failed')
  })

  test('follows no redirect', async (t) => {
    const { received, at } = await receiver(t)
    assert.equal(await postJson(at('localhost', 302), { text: 'x' }, open), 'failed')
    assert.equal(received.length, 1)
  })

  test('is refused a target in our own network, by address and by name', async (t) => {
    const { received, at } = await receiver(t)
    const closed = { allowPrivate: false, ca: tls.ca }
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
      assert.equal(await postJson(at(host, 200), {}, closed), 'refused', host)
    }
    assert.deepEqual(received, [])
  })

  test('sends nothing without TLS, or to a receiver that is not trusted', async (t) => {
    const { received, at } = await receiver(t)
    assert.equal(await postJson(at('localhost', 200).replace('https', 'http'), {}, open), 'refused')
    assert.equal(await postJson(at('localhost', 200), {}, { allowPrivate: true }), 'failed')
    assert.deepEqual(received, [])
  })
})

describe('post', () => {
  const open = { allowPrivate: true, ca: tls.ca }
  const body = Buffer.from('{}')

  test('tells the status of the answer, or why there is none', async (t) => {
    const { at } = await receiver(t)
    const ok = await post(at('localhost', 202), body, { 'x-a': 'b' }, open)
    assert.deepEqual(ok, { outcome: 'sent', status: 202, reason: undefined })
    const gone = await post(at('localhost', 410), body, {}, open)
    assert.deepEqual([gone.outcome, gone.status], ['failed', 410])
    const nobody = await post('http://127.0.0.1:1/', body, {}, open)
    assert.deepEqual([nobody.outcome, nobody.status], ['failed', undefined])
    assert.match(nobody.reason ?? '', /ECONNREFUSED/)
  })

  test('is refused other protocols, and our own network by http, too', async () => {
    const closed = { allowPrivate: false }
    for (const url of ['ftp://example.jp/', 'file:///etc/passwd', 'http://127.0.0.1/', 'nothing']) {
      assert.equal((await post(url, body, {}, closed)).outcome, 'refused', url)
    }
    assert.equal((await post('http://localhost:1/', body, {}, closed)).outcome, 'refused')
  })
})
