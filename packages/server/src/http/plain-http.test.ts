import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as https from 'node:https'
import * as net from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as tls from 'node:tls'
import { loadOrMakeTls } from '../tls/local-ca.ts'
import { MAX_HEAD_BYTES, refusePlainHttp, SILENCE_MS } from './plain-http.ts'

const names = ['localhost', '127.0.0.1']
const local = loadOrMakeTls({ folder: undefined, names, now: new Date(), randomBytes })
const BODY = '{"is_ok":false,"error_msg":"雲"}'

async function start(t: TestContext, answer: (head: string) => string = () => BODY) {
  const heads: string[] = []
  let served = 0
  const server = https.createServer(local, (request, response) => {
    served += 1
    request.resume().on('end', () => response.end(`served ${request.method}`))
  })
  const closePending = refusePlainHttp(server, (head) => {
    heads.push(head)
    return answer(head)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
    closePending()
  })
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as net.AddressInfo
  return { server, port, heads, closePending, served: () => served }
}

/** Unlike events.once, does not mind an error on the way: a reset is as good an end. */
const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => {
    socket.resume().once('close', () => resolve())
  })

const connect = (port: number) => net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })

/** Sends the pieces one after the other and reads to the end of the connection. */
async function exchange(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.setNoDelay()
  await once(socket, 'connect')
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(20)
  }
  if (!socket.readableEnded && !socket.destroyed) {
    await once(socket, 'end')
  }
  socket.end()
  return Buffer.concat(chunks).toString('utf8')
}

function get(port: number, options: https.RequestOptions = {}, body = '') {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const all = { ca: local.ca, port, host: '127.0.0.1', agent: false as const, ...options }
    const request = https.request(all, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    request.on('error', reject).end(body)
  })
}

async function connectionsEnd(server: https.Server): Promise<void> {
  const count = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, number) => (error ? reject(error) : resolve(number)))
    })
  for (let tries = 0; (await count()) > 0; tries += 1) {
    assert.ok(tries < 200, 'a connection stays open')
    await sleep(10)
  }
}

/** Has the silence end sooner: the limit is the socket's own, so a later listener may change it. */
function hurry(server: https.Server): number[] {
  const limits: number[] = []
  server.on('connection', (socket: net.Socket) => {
    limits.push(socket.timeout ?? 0)
    socket.setTimeout(60)
  })
  return limits
}

/** A TCP proxy that lets the test decide how the octets to the server are cut into pieces. */
async function startCutter(t: TestContext, port: number, cut: (data: Buffer) => Buffer[]) {
  const proxy = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1').setNoDelay()
    let sending = Promise.resolve()
    client.on('data', (data) => {
      sending = sending.then(async () => {
        for (const piece of cut(data)) {
          upstream.write(piece)
          await sleep(15)
        }
      })
    })
    upstream.pipe(client)
    upstream.on('close', () => client.destroy()).on('error', () => {})
    client.on('close', () => upstream.destroy()).on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  // As above: a listening server.
  return (proxy.address() as net.AddressInfo).port
}

test('serves TLS as before, also many connections at once and large bodies', async (t) => {
  const { port, heads } = await start(t)
  const large = 'x'.repeat(3_000_000)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => get(port, { method: 'POST' }, n % 10 ? 'small' : large)),
  )
  assert.ok(answers.every(({ status, text }) => status === 200 && text === 'served POST'))
  assert.deepEqual(heads, [])
})

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`loses nothing of a ClientHello that comes in two pieces (${maxVersion})`, async (t) => {
    const { port } = await start(t)
    const cut = (data: Buffer) =>
      data.length > 1 ? [data.subarray(0, 1), data.subarray(1)] : [data]
    const slow = await startCutter(t, port, cut)
    assert.equal((await get(slow, { maxVersion })).status, 200)
  })
}

test('loses nothing of a ClientHello that comes in many pieces', async (t) => {
  const { port } = await start(t)
  const cut = (data: Buffer) =>
    Array.from({ length: Math.ceil(data.length / 40) }, (_, n) =>
      data.subarray(n * 40, (n + 1) * 40),
    )
  const slow = await startCutter(t, port, cut)
  assert.equal((await get(slow, { method: 'POST' }, 'body')).text, 'served POST')
})

test('keeps a TLS connection alive over several requests and longer than a silence', async (t) => {
  const { server, port } = await start(t)
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  let connections = 0
  let limit: number | undefined
  server.on('connection', (socket: net.Socket) => {
    connections += 1
    socket.once('close', () => {
      limit = socket.timeout
    })
  })
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await get(port, { agent })).status, 200)
  }
  assert.equal(connections, 1)
  agent.destroy()
  await connectionsEnd(server)
  assert.equal(limit ?? 0, 0, 'the limit for silence was taken off')
})

test('answers plain HTTP with a 403 in one well-formed response, and closes', async (t) => {
  const { server, port, heads, served } = await start(t)
  const head = 'GET /secret HTTP/1.1\r\nHost: localhost\r\nAccept-Language: ja'
  const text = await exchange(port, `${head}\r\n\r\nGET /again HTTP/1.1\r\n\r\n`)
  assert.equal(
    text,
    'HTTP/1.1 403 Forbidden\r\n' +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(BODY)}\r\n` +
      `Connection: close\r\n\r\n${BODY}`,
  )
  assert.deepEqual(heads, [head])
  assert.equal(served(), 0)
  await connectionsEnd(server)
})

test('is understood by fetch', async (t) => {
  const { port } = await start(t)
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
  assert.equal(response.status, 403)
  assert.equal(await response.text(), BODY)
})

test('waits for the end of a head that comes in pieces', async (t) => {
  const { port, heads } = await start(t)
  const text = await exchange(port, 'G', 'ET / HTTP/1.1\r\nHo', 'st: x\r\n', '\r', '\n')
  assert.match(text, /^HTTP\/1\.1 403 /)
  assert.deepEqual(heads, ['GET / HTTP/1.1\r\nHost: x'])
})

test('answers HEAD without a body', async (t) => {
  const { port } = await start(t)
  const text = await exchange(port, 'HEAD / HTTP/1.1\r\n\r\n')
  assert.ok(text.includes(`Content-Length: ${Buffer.byteLength(BODY)}\r\n`))
  assert.ok(text.endsWith('\r\nConnection: close\r\n\r\n'))
})

test('answers a client that has shut down its side, also in mid-head', async (t) => {
  const { port, heads } = await start(t)
  for (const request of ['GET / HTTP/1.0\r\n\r\n', 'GET / HTT']) {
    const socket = connect(port)
    socket.end(request)
    const chunks = await socket.toArray()
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 403 /)
  }
  assert.deepEqual(heads, ['GET / HTTP/1.0', 'GET / HTT'])
})

test('reads no more than 8 KiB of a head', async (t) => {
  const { port, heads } = await start(t)
  const text = await exchange(port, `GET /${'a'.repeat(40_000)}`)
  assert.match(text, /^HTTP\/1\.1 403 /)
  assert.equal(heads[0]?.length, MAX_HEAD_BYTES)
})

test('gets its answer through to a client that is still sending a body', async (t) => {
  const { server, port } = await start(t)
  for (let n = 0; n < 20; n += 1) {
    const head = 'POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n'
    assert.ok((await exchange(port, head, Buffer.alloc(1_000_000))).endsWith(BODY))
  }
  await connectionsEnd(server)
})

test('does not read on for ever', async (t) => {
  const { server, port } = await start(t)
  const socket = connect(port).on('error', () => {})
  socket.resume().write('POST / HTTP/1.1\r\n\r\n')
  const sending = setInterval(() => socket.write(Buffer.alloc(100_000)), 1)
  t.after(() => clearInterval(sending))
  await closed(socket)
  await connectionsEnd(server)
})

test('ends a request that comes drop by drop', async (t) => {
  const { port, heads } = await start(t)
  const socket = connect(port).on('error', () => {})
  const sending = setInterval(() => socket.write('A'), 2)
  t.after(() => clearInterval(sending))
  socket.once('end', () => socket.destroy())
  await closed(socket)
  assert.ok((heads[0]?.length ?? 0) >= 64)
})

test('closes what is neither TLS nor HTTP without a word', async (t) => {
  const { server, port, heads, served } = await start(t)
  const alert = Buffer.from('15030100020246', 'hex')
  for (const garbage of [Buffer.of(0), alert, Buffer.of(0x80, 0x2e, 1), '\r\n\r\n', randomTail()]) {
    const socket = connect(port).on('error', () => {})
    socket.write(garbage)
    const text = Buffer.concat(await socket.toArray().catch(() => []))
    assert.equal(text.length, 0)
  }
  assert.deepEqual([heads, served()], [[], 0])
  await connectionsEnd(server)
})

const randomTail = () => Buffer.concat([Buffer.of(0xff), randomBytes(5000)])

test('survives what only begins like TLS', async (t) => {
  const { server, port, served } = await start(t)
  for (const tail of ['', 'GET / HTTP/1.1\r\n\r\n', randomTail()]) {
    const socket = connect(port).on('error', () => {})
    socket.end(Buffer.concat([Buffer.of(0x16), Buffer.from(tail)]))
    await closed(socket)
  }
  assert.equal(served(), 0)
  await connectionsEnd(server)
})

test('survives clients that reset the connection at any point', async (t) => {
  const { server, port } = await start(t)
  const hello = Buffer.from('1603010200', 'hex')
  for (const sent of [
    '',
    'GET /',
    'POST / HTTP/1.1\r\n\r\n',
    Buffer.of(0x16),
    hello,
    'x'.repeat(9000),
  ]) {
    for (const wait of [0, 10]) {
      const socket = connect(port).on('error', () => {})
      await once(socket, 'connect')
      socket.write(sent)
      await sleep(wait)
      socket.resetAndDestroy()
    }
  }
  await connectionsEnd(server)
  assert.equal((await get(port)).status, 200)
})

test('does not hold a socket that sends nothing', async (t) => {
  const { server, port, heads } = await start(t)
  const limits = hurry(server)
  assert.equal(await exchange(port), '')
  assert.deepEqual(limits, [SILENCE_MS])
  assert.deepEqual(heads, [])
  await connectionsEnd(server)
})

test('answers a head that stops in the middle once the silence is over', async (t) => {
  const { server, port, heads } = await start(t)
  hurry(server)
  assert.match(await exchange(port, 'GET / HTTP/1.1\r\nHost'), /^HTTP\/1\.1 403 /)
  assert.deepEqual(heads, ['GET / HTTP/1.1\r\nHost'])
  await connectionsEnd(server)
})

test('closePending lets the server close, whatever has been sent so far', async (t) => {
  const { server, port, closePending } = await start(t)
  const halves = ['', 'GET / HTTP', 'POST / HTTP/1.1\r\n\r\n', Buffer.of(0x16)]
  const sockets = halves.map((sent) => {
    const socket = connect(port).on('error', () => {})
    socket.resume().write(sent)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await sleep(50)
  const end = once(server, 'close')
  server.close()
  closePending()
  await end
})

test('closePending leaves connections alone that are being served', async (t) => {
  const { port, closePending } = await start(t)
  const socket = tls.connect({ port, host: '127.0.0.1', ca: local.ca })
  await once(socket, 'secureConnect')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  closePending()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [text] = await once(socket, 'data')
  assert.match(String(text), /^HTTP\/1\.1 200 /)
  socket.destroy()
})
