import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { http } from '../kernel/node-http.ts'
import { Passing } from './passing.ts'
import { takeLines } from './private-line.ts'

const SECRET = 'secret-of-this-run'

/** A lead that answers by `listener`, and a front before it that passes everything on. */
async function open(t: TestContext, listener: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-line-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'lead')
  const lead = http.createServer({ requireHostHeader: false }, listener)
  takeLines(lead, SECRET)
  await listen(t, lead, path)
  const passing = new Passing({ path, secret: SECRET })
  const clients: Socket[] = []
  const front = http.createServer({ requireHostHeader: false }, (message, response) =>
    passing.pass(message, response, () => false),
  )
  front.on('connection', (socket: Socket) => clients.push(socket))
  front.on('upgrade', (...request) => passing.passUpgrade(...request))
  await listen(t, front, 0)
  const { port } = front.address() as AddressInfo
  return { path, lead, passing, clients, dial: () => dial(t, { port, host: '127.0.0.1' }) }
}

async function listen(t: TestContext, server: Server, where: string | number) {
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(
    typeof where === 'number' ? server.listen(0, '127.0.0.1') : server.listen(where),
    'listening',
  )
}

/** A connection whose text can be waited for. */
async function dial(t: TestContext, where: { port: number; host: string } | { path: string }) {
  const socket = connect(where).setEncoding('latin1')
  t.after(() => socket.destroy())
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  return {
    socket,
    ended,
    text: () => text,
    async until(pattern: RegExp) {
      while (!pattern.test(text)) await once(socket, 'data')
      return text
    },
  }
}

/** Answers with what it was asked, and by whom. */
const echo: RequestListener = async (message, response) => {
  let body = ''
  for await (const chunk of message) body += chunk
  const { method, url, headers, socket } = message
  const peer = [socket.remoteAddress, 'encrypted' in socket]
  const text = JSON.stringify({ method, url, body, peer, host: headers.host, te: headers.te })
  const length = Buffer.byteLength(text)
  response.writeHead(201, { 'x-lead': ['a', 'b'], date: 'then', 'content-length': length })
  response.end(text)
}

describe('Passing', () => {
  test('hands on a request as if its client had come to the lead, and the answer as it is', async (t) => {
    const { dial } = await open(t, echo)
    const client = await dial()
    client.socket.write(
      'POST /a?b=c HTTP/1.1\r\nHost: h\r\nTE: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    )
    const text = await client.until(/\}/)
    assert.match(text, /^HTTP\/1.1 201 Created\r\nx-lead: a\r\nx-lead: b\r\ndate: then\r\n/i)
    assert.ok(
      text.includes(
        '{"method":"POST","url":"/a?b=c","body":"abc","peer":["127.0.0.1",false],"host":"h"}',
      ),
      text,
    )
  })

  test('keeps one connection to the lead for one of a client, which ends with it', async (t) => {
    const { dial, lead } = await open(t, echo)
    let lines = 0
    lead.on('connection', () => {
      lines += 1
    })
    const client = await dial()
    for (const path of ['/1', '/2', '/3']) {
      client.socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`)
      await client.until(new RegExp(`"url":"${path}"`))
    }
    assert.equal(lines, 1)
    client.socket.end()
    while ((await connectionsOf(lead)) > 0) await new Promise(setImmediate)
  })

  test('takes what HTTP/1.0 leaves out', async (t) => {
    const { dial } = await open(t, echo)
    const client = await dial()
    client.socket.write('GET / HTTP/1.0\r\n\r\n')
    assert.match(await client.until(/\}/), /"host":""/)
    await client.ended
  })

  test('cuts off what the lead cuts off, no sooner and no later', async (t) => {
    const { dial } = await open(t, (_message, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('0123456789', () => response.destroy())
    })
    const client = await dial()
    client.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
    await client.ended
    assert.match(client.text(), /content-length: 100\r\n[\s\S]*\r\n\r\n0123456789$/i)
  })

  test('tells the lead when a client has left', async (t) => {
    const left = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const { dial } = await open(t, (message) => {
      asked.resolve()
      message.socket.once('close', () => left.resolve())
    })
    const client = await dial()
    client.socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n')
    await asked.promise
    client.socket.destroy()
    await left.promise
  })

  test('lets a connection leave HTTP', async (t) => {
    const { dial, lead } = await open(t, echo)
    lead.on('upgrade', (request, socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${request.headers.upgrade} `)
      socket.pipe(socket)
    })
    const client = await dial()
    client.socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    await client.until(/101[\s\S]*echo $/)
    client.socket.write('there and back')
    await client.until(/there and back$/)
  })

  test('passes plain requests on the same way, and says when an answer is the last', async (t) => {
    const { dial, clients, passing } = await open(t, echo)
    await dial()
    while (clients.length === 0) await new Promise(setImmediate)
    const [socket] = clients
    assert.ok(socket !== undefined)
    const headers = { host: 'h', 'content-length': '3' }
    const request = { method: 'PUT', url: '/p', headers, body: Buffer.from('äb'), size: 0, socket }
    const first = await passing.passPlain(request, () => false)
    assert.equal(first.isLast, false)
    assert.match(Buffer.from(first.text, first.encoding).toString(), /"body":"äb","peer":\["127/)
    const last = await passing.passPlain(request, () => true)
    assert.equal(last.isLast, true)
    assert.match(last.text, /\r\nconnection: close\r\n/)
    assert.doesNotMatch(last.text, /keep-alive/i)
  })
})

describe('a private line', () => {
  for (const line of [
    '{"secret":"another","address":"127.0.0.1","isTls":true}\n',
    '{"address":"127.0.0.1"}\n',
    'GET / HTTP/1.1\r\n',
    'x'.repeat(1024),
  ]) {
    test(`is not opened by ${line.slice(0, 20).trim()}`, async (t) => {
      const { path } = await open(t, () => assert.fail('was asked'))
      const stranger = await dial(t, { path })
      stranger.socket.write(`${line}GET / HTTP/1.1\r\nHost: h\r\n\r\n`)
      await stranger.ended
      assert.equal(stranger.text(), '')
    })
  }
})

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
