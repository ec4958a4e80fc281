import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { SeededRandom } from '../kernel/random.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { Express, type PlainAnswer } from './express.ts'
import { closeListener, listenOn, newListener } from './listeners.ts'
import type { PlainRequest } from './plain-request.ts'

const { certificate: cert, key } = makeCertificate({ names: ['localhost'] })
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Answers with the path that was asked for, and says which way the request came. */
async function open(t: TestContext, isSecure: boolean, options: Partial<typeof DEFAULTS> = {}) {
  const { takes, isClosing, listener: long } = { ...DEFAULTS, ...options }
  const listener = newListener({
    tls: isSecure ? { cert, key } : undefined,
    random: new SeededRandom('x'),
    takePlain: (request) => {
      if (!takes(request)) return undefined
      const body = `short ${request.url}`
      const text = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      return later({ text, encoding: 'latin1', isLast: isClosing() })
    },
    listener: long,
  })
  const port = await listenOn(listener, '127.0.0.1', 0)
  t.after(() => closeListener(listener, 0))
  const dial = () =>
    isSecure
      ? connectTls({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' })
      : connect({ port, host: '127.0.0.1' })
  return { listener, dial }
}

const answerLong: RequestListener = (message, response) => response.end(`long ${message.url}`)
const DEFAULTS = {
  takes: (_request: PlainRequest) => true,
  isClosing: () => false,
  listener: answerLong,
}

const later = (answer: PlainAnswer) =>
  new Promise<PlainAnswer>((resolve) => {
    setImmediate(resolve, answer)
  })

/** The bodies that come back, as soon as there are so many. */
async function bodies(client: Socket, count: number): Promise<string[]> {
  let text = ''
  for (;;) {
    const found = text.match(/(?:short|long) \/[a-d]/g) ?? []
    if (found.length >= count) return found
    const [chunk] = await once(client, 'data')
    text += chunk
  }
}

for (const isSecure of [false, true]) {
  describe(`the short way ${isSecure ? 'with' : 'without'} TLS`, () => {
    test('answers one request after the other', async (t) => {
      const client = (await open(t, isSecure)).dial()
      for (const path of ['/a', '/b']) {
        client.write(get(path))
        assert.deepEqual(await bodies(client, 1), [`short ${path}`])
      }
      client.destroy()
    })

    test('answers in their order requests that come together', async (t) => {
      const client = (await open(t, isSecure)).dial()
      client.write(get('/a') + get('/b') + get('/c'))
      client.write(get('/d'))
      assert.deepEqual(await bodies(client, 4), ['short /a', 'short /b', 'short /c', 'short /d'])
      client.destroy()
    })

    test('ends at a request that comes in pieces; Node goes on from its first byte', async (t) => {
      const client = (await open(t, isSecure)).dial()
      client.write(get('/a'))
      assert.deepEqual(await bodies(client, 1), ['short /a'])
      client.write(get('/b').slice(0, 20))
      await new Promise(setImmediate)
      client.write(get('/b').slice(20))
      assert.deepEqual(await bodies(client, 1), ['long /b'])
      client.write(get('/c'))
      assert.deepEqual(await bodies(client, 1), ['long /c'])
      client.destroy()
    })

    test('ends at a request that is not for it, after the answers before', async (t) => {
      const takes = ({ url }: PlainRequest) => url === '/a'
      const client = (await open(t, isSecure, { takes })).dial()
      client.write(get('/a') + get('/b') + get('/a'))
      assert.deepEqual(await bodies(client, 3), ['short /a', 'long /b', 'long /a'])
      client.destroy()
    })

    test('hands a body over whole, however much of it has come by then', async (t) => {
      const body = Buffer.alloc(2_000_000)
      for (let at = 0; at < body.length; at += 4) body.writeUInt32LE(at, at)
      const received: Buffer[] = []
      const { dial } = await open(t, isSecure, {
        takes: ({ method }) => method === 'GET',
        listener: async (message, response) => {
          // Before it reads, more comes than is kept for it.
          await new Promise(setImmediate)
          for await (const chunk of message) received.push(chunk)
          response.end(`long ${message.url}`)
        },
      })
      const client = dial()
      const head = `PUT /b HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`
      client.write(Buffer.concat([Buffer.from(get('/a') + head), body]))
      assert.deepEqual(await bodies(client, 2), ['short /a', 'long /b'])
      assert.ok(Buffer.concat(received).equals(body))
      client.destroy()
    })

    test('ends the connection after an answer that says so', async (t) => {
      const client = (await open(t, isSecure, { isClosing: () => true })).dial()
      client.write(get('/a'))
      assert.deepEqual(await bodies(client, 1), ['short /a'])
      await once(client, 'close')
    })

    test('lets the server close while connections are open on it', async (t) => {
      const { listener, dial } = await open(t, isSecure)
      const client = dial()
      client.write(get('/a'))
      await bodies(client, 1)
      await Promise.all([closeListener(listener, 0), once(client, 'close')])
    })
  })
}

// Over TLS, Node takes a client that has said its last word for gone.
test('the short way answers a client that has shut down its side', async (t) => {
  const client = (await open(t, false)).dial()
  client.end(get('/a'))
  assert.deepEqual(await bodies(client, 1), ['short /a'])
  await once(client, 'close')
})

test('a client that does not read is not answered any further', async (t) => {
  const body = 'x'.repeat(1024 * 1024)
  let taken = 0
  const listener = newListener({
    ...{ tls: undefined, random: new SeededRandom('x'), listener: () => undefined },
    takePlain: () => {
      taken += 1
      return later({ text: body, encoding: 'latin1', isLast: false })
    },
  })
  const port = await listenOn(listener, '127.0.0.1', 0)
  t.after(() => closeListener(listener, 0))
  const client = connect({ port, host: '127.0.0.1' }).pause()
  client.write(get('/').repeat(200))
  // As long as more are taken; the kernel holds some of what was answered.
  for (let before = -1; before !== taken; ) {
    before = taken
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
  }
  assert.ok(taken > 0 && taken < 100, `${taken} were taken`)
  let size = 0
  for await (const chunk of client) {
    size += chunk.length
    if (size === 200 * body.length) break
  }
  assert.equal(taken, 200)
})

test('a connection on which nothing comes is ended after a while', async (t) => {
  const server = createServer()
  new Express(() => undefined, 20).attach(server, 'connection')
  const port = await listenOn(server, '127.0.0.1', 0)
  t.after(() => closeListener(server, 0))
  await once(connect({ port, host: '127.0.0.1' }).resume(), 'close')
})

/** A connection on which all that is pushed comes in one turn of the event loop; keeps what is answered. */
class Line extends Duplex {
  answered = ''

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.answered += chunk
    done()
  }
}

describe('what comes in one turn of the event loop', () => {
  const open = (allowHalfOpen: boolean, isForUs = true) => {
    const seen: string[] = []
    const server = createServer((message, response) => {
      seen.push(`long ${message.url}`)
      response.end(`long ${message.url}`)
    })
    const take = ({ url }: PlainRequest) => {
      if (!isForUs) return undefined
      seen.push(`short ${url}`)
      return later({ text: `short ${url}`, encoding: 'latin1', isLast: false })
    }
    new Express(take, undefined).attach(server, 'connection')
    const dial = () => {
      const line = new Line({ allowHalfOpen })
      server.emit('connection', line)
      return line
    }
    return { seen, dial }
  }
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
  }

  test('is read before the first of it is served', async () => {
    const { seen, dial } = open(true)
    const [first, second] = [dial(), dial()]
    second.on('data', () => seen.push('read'))
    first.push(get('/a'))
    second.push(get('/b'))
    await turns(5)
    assert.deepEqual(seen, ['read', 'short /a', 'short /b'])
    assert.deepEqual([first.answered, second.answered], ['short /a', 'short /b'])
  })

  test('may be one request in pieces, and the connection goes on', async () => {
    const { dial } = open(true)
    const line = dial()
    line.push(get('/a').slice(0, 20))
    line.push(get('/a').slice(20))
    await turns(5)
    line.push(get('/b'))
    await turns(5)
    assert.equal(line.answered, 'short /ashort /b')
  })

  test('may be a request and the end of the connection', async () => {
    const { dial } = open(true)
    const line = dial()
    line.push(get('/a'))
    line.push(null)
    await once(line, 'finish')
    assert.equal(line.answered, 'short /a')
  })

  test('may be a request for Node and the end of the connection', async () => {
    const { dial } = open(true, false)
    const line = dial()
    line.push(get('/a'))
    line.push(null)
    await once(line, 'finish')
    assert.match(line.answered, /^HTTP.*long \/a$/s)
  })

  test('is carried out when nobody can be answered any more', async () => {
    const { seen, dial } = open(false)
    const line = dial()
    line.push(get('/a'))
    line.push(null)
    await once(line, 'close')
    await turns(5)
    assert.deepEqual(seen, ['short /a'])
    assert.equal(line.answered, '')
  })

  test('is dropped when it is for Node and the connection is gone', async () => {
    const { seen, dial } = open(true, false)
    const line = dial()
    line.push(get('/a'))
    line.once('data', () => line.destroy())
    await once(line, 'close')
    await turns(5)
    assert.deepEqual(seen, [])
  })
})
