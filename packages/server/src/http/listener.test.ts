import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { SeededRandom } from '../kernel/random.ts'
import { ServedCertificate } from '../kernel/served-certificate.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { Listener } from './listener.ts'

const { certificate: cert, key } = makeCertificate({ names: ['localhost'] })
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const echo: RequestListener = (message, response) => response.end(`<${message.url}>`)
const FLOODS = 20
const FLOOD_BYTES = 2 * 1024 * 1024
/** Far less than the drain would take if it waited for its own limit. */
const AT_ONCE_MS = 2000

async function open(t: TestContext, isSecure: boolean, onRequest: RequestListener = echo) {
  const tls = isSecure ? new ServedCertificate({ cert, key }) : undefined
  const listener = new Listener({ tls, random: new SeededRandom('x'), onRequest })
  const port = await listener.listen('127.0.0.1', 0)
  t.after(() => listener.close(0, 0))
  const dialPlain = () => connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const dial = () =>
    isSecure
      ? connectTls({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' })
      : dialPlain()
  return { listener, port, dial, dialPlain }
}

/** Until it has come, or the connection ends. */
async function received(client: Socket, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (pattern.test(text)) break
  }
  return text
}

for (const isSecure of [false, true]) {
  describe(`a listener ${isSecure ? 'with' : 'without'} TLS`, () => {
    test('answers others while connections send megabytes of requests at once', async (t) => {
      let served = 0
      const isFlooded = Promise.withResolvers<void>()
      const { dial } = await open(t, isSecure, (message, response) => {
        if (message.url === '/other') return response.end(`<${served}>`)
        served += 1
        if (served === FLOODS) isFlooded.resolve()
        return response.writeHead(401).end()
      })
      const flood = Buffer.from(get('/').repeat(FLOOD_BYTES / FLOODS / get('/').length))
      const floods = Array.from({ length: FLOODS }, () => dial().on('error', () => undefined))
      for (const client of floods) client.resume().write(flood)
      await isFlooded.promise
      const other = dial()
      other.write(get('/other'))
      const before = Number(/<(\d+)>/.exec(await received(other, /<\d+>/))?.[1])
      t.diagnostic(`${before} requests were served before`)
      // Of 77,000; one read of a socket brings up to 2,400 of them.
      assert.ok(before < FLOODS * 200, String(before))
      for (const client of [...floods, other]) client.destroy()
    })

    test('carries pipelined requests out one after the other, all of them', async (t) => {
      let underWay = 0
      const { dial } = await open(t, isSecure, async (message, response) => {
        underWay += 1
        assert.equal(underWay, 1)
        await new Promise<void>((resolve) => setImmediate(resolve))
        response.once('close', () => {
          underWay -= 1
        })
        response.end(`<${message.url}>`)
      })
      const client = dial()
      const urls = Array.from({ length: 300 }, (_, index) => `/${index}`)
      client.write(urls.map(get).join(''))
      const text = await received(client, /<\/299>/)
      assert.deepEqual(
        text.match(/<.*?>/g),
        urls.map((url) => `<${url}>`),
      )
      client.destroy()
    })

    test('carries out nothing behind an answer that closes the connection', async (t) => {
      const urls: (string | undefined)[] = []
      const { dial } = await open(t, isSecure, (message, response) => {
        urls.push(message.url)
        response.setHeader('connection', 'close').end()
      })
      const client = dial()
      client.write(get('/a') + get('/b') + get('/c'))
      await received(client, /never/)
      assert.deepEqual(urls, ['/a'])
    })

    test('answers requests that come together, in their order, and keeps the connection', async (t) => {
      const client = (await open(t, isSecure)).dial()
      client.write(get('/a') + get('/b').slice(0, 20))
      client.write(get('/b').slice(20) + get('/c'))
      const text = await received(client, /<\/c>/)
      assert.deepEqual(text.match(/<.*?>/g), ['</a>', '</b>', '</c>'])
      client.write(get('/d'))
      assert.match(await received(client, /<\/d>/), /keep-alive: timeout=72/i)
      client.destroy()
    })

    test('receives a body whole, however it is cut', async (t) => {
      const sent = Buffer.alloc(2_000_000, 'abc')
      const chunks: Buffer[] = []
      const { dial } = await open(t, isSecure, async (message, response) => {
        for await (const chunk of message) chunks.push(chunk)
        response.end(`<${message.url}>`)
      })
      const client = dial()
      const head = `PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: ${sent.length}\r\n\r\n`
      client.write(Buffer.concat([Buffer.from(head), sent]))
      await received(client, /<\/b>/)
      assert.ok(Buffer.concat(chunks).equals(sent))
      client.destroy()
    })

    test('answers a request under way when it closes, and none after it', async (t) => {
      const answer = Promise.withResolvers<void>()
      const { listener, dial } = await open(t, isSecure, async (message, response) => {
        await answer.promise
        response.end(`<${message.url}>`)
      })
      const client = dial()
      client.write(get('/a'))
      await new Promise<void>((resolve) => setTimeout(resolve, 100))
      const closing = listener.close(0)
      answer.resolve()
      assert.match(await received(client, /<\/a>/), /<\/a>/)
      client.destroy()
      await closing
    })
  })
}

describe('closing', () => {
  const half = get('/a').slice(0, -4)
  const cases: [string, boolean, boolean, (client: Socket) => void][] = [
    ['says nothing', false, false, () => undefined],
    ['has sent half a head', false, false, (client) => client.write(half)],
    ['has sent half a head and closed its side', false, false, (client) => client.end(half)],
    ['has sent half a head by TLS', true, true, (client) => client.write(half)],
    ['has sent half a TLS hello', true, false, (client) => client.write(Buffer.of(22, 3, 1, 2, 0))],
    ['has been refused and reads no further', false, false, (client) => client.write('x\r\n\r\n')],
    ['has been answered and closed its side', false, false, (client) => client.end(get('/a'))],
  ]
  for (const [what, isSecure, speaksTls, act] of cases) {
    test(`does not wait for a client that ${what}`, async (t) => {
      const { listener, dial, dialPlain } = await open(t, isSecure)
      const client = speaksTls ? dial() : dialPlain()
      client.on('error', () => undefined)
      await once(client, speaksTls ? 'secureConnect' : 'connect')
      act(client)
      await new Promise<void>((resolve) => setTimeout(resolve, 50))
      const begin = performance.now()
      await listener.close(0)
      assert.ok(performance.now() - begin < AT_ONCE_MS)
      client.destroy()
    })
  }

  test('cuts off what is not answered in time', async (t) => {
    const { listener, dial } = await open(t, false, () => undefined)
    const client = dial()
    client.on('error', () => undefined)
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab')
    await new Promise<void>((resolve) => setTimeout(resolve, 50))
    await listener.close(0, 100)
    client.destroy()
  })

  test('gives connections without a request some time to get an answer that closes them', async (t) => {
    const { listener, dial } = await open(t, false)
    const client = dial()
    client.write(get('/a'))
    await received(client, /<\/a>/)
    const closing = listener.close(200)
    client.write(get('/b'))
    assert.match(await received(client, /<\/b>/), /<\/b>/)
    client.destroy()
    await closing
  })
})

describe('what follows a request and is not HTTP', () => {
  /** Answers slowly, and in pieces. */
  const slow: RequestListener = async (message, response) => {
    message.resume()
    await new Promise<void>((resolve) => setTimeout(resolve, 50))
    response.write('first ')
    await new Promise<void>((resolve) => setTimeout(resolve, 50))
    response.end('second')
  }
  const heads: [string, string][] = [
    ['after one that closes the connection', 'Connection: close\r\n'],
    ['after one that keeps it', ''],
  ]
  for (const [what, header] of heads) {
    test(`is ignored ${what}: the request is answered, and the connection ends`, async (t) => {
      const client = (await open(t, false, slow)).dial()
      const request = `POST /a HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 2\r\n\r\n{}`
      client.write(`${request}garbage\r\n\r\n`)
      const text = await received(client, /\n0\r\n\r\n/)
      assert.match(text, /^HTTP\/1\.1 200 OK/)
      assert.match(text, /first [\s\S]*second/)
      assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1, text)
      client.on('data', () => undefined)
      await once(client, 'end')
      client.destroy()
    })
  }

  test('cuts the connection off in the middle of an answer that has begun, without a second one', async (t) => {
    const { dial } = await open(t, false, (_message, response) => {
      response.write('begun')
    })
    const client = dial()
    client.on('error', () => undefined)
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    await received(client, /begun/)
    client.write('no length\r\n')
    assert.equal(await received(client, /never/), '')
  })
})

test('refuses a tunnel with the failure body', async (t) => {
  const { dial } = await open(t, false)
  const client = dial()
  client.write('CONNECT example.jp:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = await received(client, /is_ok/)
  assert.match(answer, /^HTTP\/1\.1 405 /)
  assert.match(answer, /"error_code":"method_not_allowed"/)
})

test('lets large answers wait without pausing what comes next on the connection', async (t) => {
  const mark = Promise.withResolvers<number>()
  const { dial } = await open(t, true, ({ socket }) => mark.resolve(socket.writableHighWaterMark))
  const client = dial()
  client.write(get('/'))
  assert.equal(await mark.promise, 16 * 1024 * 1024)
  client.destroy()
})

test('says in a sentence why a port cannot be had', async (t) => {
  const { port } = await open(t, false)
  const second = new Listener({ tls: undefined, random: new SeededRandom('x'), onRequest: echo })
  await assert.rejects(
    second.listen('127.0.0.1', port),
    new Error(`Port ${port} on 127.0.0.1 is in use by another program.`),
  )
})
