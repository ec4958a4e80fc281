/** What a hostile, broken or misdirected origin does to an edge, and where an edge may not be sent. */
import assert from 'node:assert/strict'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { EdgeSite } from '../../services/webaccel/public.ts'
import { makeCertificate } from '../../testing/certificates.ts'
import { DOMAIN, TestEdgeServer, testSite } from '../../testing/edge-server.ts'
import { startEdge } from './edge.ts'
import type { EdgeOptions } from './options.ts'
import { ask, edgeOptions, type Handler, TestOrigin } from './testing/edge.ts'
import { subjectAt } from './testing/raw.ts'

/** An origin that answers each connection with these bytes, and closes it unless it is left open. */
async function rawOrigin(t: TestContext, bytes: string, isLeftOpen = false): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write(bytes, 'latin1')
        if (!isLeftOpen) socket.end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

async function edgeOf(t: TestContext, site: EdgeSite, options: Partial<EdgeOptions> = {}) {
  const server = new TestEdgeServer(site)
  const edge = await startEdge({ ...edgeOptions(server), ...options })
  t.after(() => edge.stop())
  const { port = 0, tlsPort = 0 } = edge.address
  const get = (path: string, headers = {}) => ask(port, path, { headers })
  return { edge, server, port, tlsPort, get }
}

async function originOf(t: TestContext, handler: Handler): Promise<TestOrigin> {
  const origin = await TestOrigin.start(handler)
  t.after(() => origin.stop())
  return origin
}

const broken: Readonly<Record<string, string>> = {
  nothing: '',
  'no HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
  'a status beyond all': 'HTTP/1.1 9999 X\r\nContent-Length: 0\r\n\r\n',
  'both lengths':
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nCache-Control: max-age=60\r\n\r\n0\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'a folded field': 'HTTP/1.1 200 OK\r\nX-A: b\r\n Set-Cookie: c\r\nContent-Length: 0\r\n\r\n',
  'a head that is too large': `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(70_000)}\r\nContent-Length: 0\r\n\r\n`,
  'another protocol':
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
}
for (const [name, bytes] of Object.entries(broken)) {
  test(`answers 502 with a reason when an origin sends ${name}`, async (t) => {
    const edge = await edgeOf(t, testSite(await rawOrigin(t, bytes)))
    const { status, headers } = await edge.get('/a')
    assert.equal(status, 502)
    assert.match(String(headers['proxy-status']), /^kumoi.*error=/)
  })
}

test('stores no body that ends before its length, and no chunks without an end', async (t) => {
  for (const bytes of [
    'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  ]) {
    const edge = await edgeOf(t, testSite(await rawOrigin(t, bytes)))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await edge.get('/cut').catch((error: Error) => error)
      // The client must be able to see that it is not whole.
      assert.ok(answer instanceof Error || answer.status === 502)
    }
    assert.equal(edge.edge.status().cacheObjects, 0)
  }
})

test('answers 504 when an origin is silent, or sends a byte of its head now and then', async (t) => {
  const limits = { connectMs: 500, headMs: 400, idleMs: 200 }
  const silent = await edgeOf(t, testSite(await rawOrigin(t, '', true)), { originLimits: limits })
  const { status, headers } = await silent.get('/silent')
  assert.equal(status, 504)
  assert.match(String(headers['proxy-status']), /http_response_timeout/)
  const slow = createServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-A: ')
    const timer = setInterval(() => socket.write('a'), 50)
    socket.on('error', () => undefined).once('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  t.after(() => slow.close())
  const site = testSite((slow.address() as AddressInfo).port)
  const edge = await edgeOf(t, site, { originLimits: limits })
  assert.equal((await edge.get('/')).status, 504)
})

test('ends a body that stops coming, and stores none of it', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhello'
  const site = testSite(await rawOrigin(t, head, true))
  const edge = await edgeOf(t, site, { originLimits: { idleMs: 200 } })
  await assert.rejects(edge.get('/stops'))
  assert.equal(edge.edge.status().cacheObjects, 0)
})

test('refuses a body beyond the limit before it is fetched', async (t) => {
  const large = `HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 31}\r\n\r\n`
  const edge = await edgeOf(t, testSite(await rawOrigin(t, large, true)))
  assert.equal((await edge.get('/large')).status, 502)
})

test('follows no redirect', async (t) => {
  const origin = await originOf(t, (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
  })
  const edge = await edgeOf(t, testSite(origin.port))
  const { status, headers } = await edge.get('/a')
  assert.deepEqual([status, headers.location], [302, 'http://127.0.0.1:1/secret'])
  assert.equal(origin.requests.length, 1)
})

test('ends a loop through itself with 508', async (t) => {
  const { server, port, get } = await edgeOf(t, testSite(1))
  await server.set(testSite(port))
  const { status, headers } = await get('/loop')
  assert.equal(status, 508)
  assert.match(String(headers['proxy-status']), /error=/)
})

for (const host of [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0x7f.1',
  '0',
]) {
  test(`does not connect to ${host} where private origins are forbidden`, async (t) => {
    const origin = await originOf(t, (_, response) => response.end('secret'))
    const site = testSite(origin.port)
    const own = { ...site.origin, host: `${host}:${origin.port}` } as typeof site.origin
    const seen: string[] = []
    const edge = await edgeOf(
      t,
      { ...site, origin: own },
      {
        isForbiddenAddress: (address) => seen.push(address) > 0,
      },
    )
    const { status, headers, body } = await edge.get('/a')
    assert.equal(status, 502)
    assert.match(String(headers['proxy-status']), /destination_ip_prohibited|dns_error/)
    assert.doesNotMatch(body, /secret/)
    assert.deepEqual(origin.requests, [])
  })
}

test('does not connect to a bucket in a private network', async (t) => {
  const origin = await originOf(t, (_, response) => response.end('secret'))
  const bucket = {
    type: 'storage' as const,
    ...{ docIndex: true, bucket: 'b', endpoint: `localhost:${origin.port}` },
    ...{ region: 'r', accessKeyId: 'id', secretAccessKey: 'key' },
  }
  const site = testSite(origin.port, { origin: bucket })
  const edge = await edgeOf(t, site, { isForbiddenAddress: () => true })
  const { status, headers } = await edge.get('/a')
  assert.equal(status, 502)
  assert.match(String(headers['proxy-status']), /destination_ip_prohibited/)
})

async function tlsOrigin(t: TestContext, names: readonly string[]) {
  const authority = makeCertificate({ isCa: true, subject: '/CN=Test CA', names: [] })
  const { certificate, key } = makeCertificate({ names, issuer: authority })
  const server = createTls({ cert: certificate, key }, (_, response) => response.end('content'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, authority }
}

test('takes an origin by TLS only with a certificate of its name by a known CA', async (t) => {
  const { port, authority } = await tlsOrigin(t, ['localhost'])
  const other = await tlsOrigin(t, ['other.example.jp'])
  const site = (originPort: number) =>
    testSite(originPort, {
      origin: {
        ...{ type: 'server', protocol: 'https' },
        ...{ host: `localhost:${originPort}`, hostHeader: DOMAIN },
      },
    })
  const roots = [authority.certificate, other.authority.certificate]
  const edge = await edgeOf(t, site(port), { originRoots: roots })
  assert.equal((await edge.get('/a')).body, 'content')
  await edge.server.set(site(other.port))
  const wrongName = await edge.get('/a')
  assert.equal(wrongName.status, 502)
  assert.match(String(wrongName.headers['proxy-status']), /tls_certificate_error/)
  const strict = await edgeOf(t, site(port))
  const unknown = await strict.get('/a')
  assert.equal(unknown.status, 502)
  assert.match(String(unknown.headers['proxy-status']), /tls_certificate_error/)
})

test('serves no other site with a certificate that names it', async (t) => {
  const origin = await originOf(t, (_, response) => response.end('content'))
  const stolen = makeCertificate({ names: ['bank.example.jp'] })
  const own = makeCertificate({ names: ['bank.example.jp'], subject: '/CN=own' })
  const certificate = (of: typeof stolen) => ({ id: '1', chain: of.certificate, key: of.key })
  const site = testSite(origin.port, { certificate: certificate(stolen) })
  const edge = await edgeOf(t, site, { listen: { host: '127.0.0.1', tlsPort: 0 } })
  const bank = { id: '113000000002', hosts: ['bank.example.jp'], certificate: certificate(own) }
  await edge.server.set(testSite(origin.port, bank))
  assert.match(await subjectAt(edge.tlsPort, 'bank.example.jp'), /own/)
  assert.match(await subjectAt(edge.tlsPort, DOMAIN), /www\.example\.jp/)
  await assert.rejects(subjectAt(edge.tlsPort, 'unknown.example.jp'))
})

test('never stores what sets a cookie, and forwards the guard token of the site alone', async (t) => {
  const origin = await originOf(t, (request, response) => {
    response.setHeader('cache-control', 'public, max-age=60')
    response.setHeader('set-cookie', 'session=1')
    response.end(String(request.headers['x-webaccel-guard']))
  })
  const edge = await edgeOf(t, testSite(origin.port, { guardToken: 'real-token' }))
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { body } = await edge.get('/cookie', { 'x-webaccel-guard': 'forged' })
    assert.equal(body, 'real-token')
  }
  assert.equal(origin.requests.length, 2)
  await edge.server.set(testSite(origin.port))
  assert.equal((await edge.get('/cookie', { 'x-webaccel-guard': 'forged' })).body, 'undefined')
})
