/** What a hostile client sends: requests that two parsers read differently, too much of everything, and tricks with names. */
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { after, before, describe, test } from 'node:test'
import { makeCertificate } from '../../testing/certificates.ts'
import { DOMAIN } from '../../testing/edge-server.ts'
import { TestEdge } from './testing/edge.ts'
import { sendBytes } from './testing/raw.ts'

const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`

const LAST_CHUNK = '0\r\n\r\n'

/** A request of these fields and this body, and another one that a second parser may see in it. */
const post = (fields: readonly string[], body = '') =>
  `${head('POST /a HTTP/1.1', `Host: ${DOMAIN}`, ...fields)}${body}${SMUGGLED}`

describe('a hostile client', () => {
  let edge: TestEdge
  /** Of the last request at the origin. */
  let seen: IncomingHttpHeaders = {}
  const raw = (bytes: string) => sendBytes(edge.edge.address.port ?? 0, bytes)

  before(async () => {
    const { certificate, key } = makeCertificate({ names: [DOMAIN] })
    edge = await TestEdge.start(
      (request, response) => {
        request.resume()
        seen = request.headers
        const isPrivate = request.url?.startsWith('/private')
        const { host, 'x-forwarded-host': other, 'x-original-url': path } = seen
        response.setHeader('cache-control', isPrivate ? 'private' : 'max-age=60')
        response.end(`${host} ${request.url} ${other ?? path ?? ''}`)
      },
      { certificate: { id: '1', chain: certificate, key } },
      { listen: { host: '127.0.0.1', port: 0, tlsPort: 0 }, clientHeadMs: 1_000 },
    )
  })
  after(() => edge.stop())

  const chunked = 'Transfer-Encoding: chunked'
  const smuggling: Readonly<Record<string, string>> = {
    'both lengths': post(['Content-Length: 4', chunked], LAST_CHUNK),
    'two lengths': post(['Content-Length: 0', 'Content-Length: 30']),
    'a list of lengths': post(['Content-Length: 0, 30']),
    'a signed length': post(['Content-Length: +0']),
    'an unknown coding': post(['Transfer-Encoding: xchunked'], LAST_CHUNK),
    'chunked that is not last': post(['Transfer-Encoding: chunked, identity'], LAST_CHUNK),
    'a space before the colon': post(['Transfer-Encoding : chunked'], LAST_CHUNK),
    'a folded field': post(['X-A: b', ' Transfer-Encoding: chunked'], LAST_CHUNK),
    'an end of a chunk that is none': post([chunked], `1\r\nZZZ\r\n${LAST_CHUNK}`),
    'a chunk beyond all bounds': post([chunked], `fffffffffffffffff\r\nx\r\n${LAST_CHUNK}`),
    'a bare carriage return': post(['X-A: b\rTransfer-Encoding: chunked'], LAST_CHUNK),
    'a null byte': post(['X-A: \0']),
    'a version of its own': post([]).replace('HTTP/1.1', 'HTTP/1.9'),
  }
  for (const [name, bytes] of Object.entries(smuggling)) {
    test(`smuggles nothing by ${name}`, async () => {
      edge.requests.length = 0
      const answer = await raw(bytes)
      assert.match(answer, /^HTTP\/1\.1 [45]\d\d /)
      assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, 'the connection ends with the refusal')
      assert.ok(edge.requests.every((request) => !request.includes('smuggled')))
    })
  }

  test('sends a body of a GET to nobody who would read it as a request', async () => {
    edge.requests.length = 0
    const lines = [`Host: ${DOMAIN}`, `Content-Length: ${SMUGGLED.length}`, 'Connection: close']
    const answer = await raw(head('GET /with-body HTTP/1.1', ...lines) + SMUGGLED)
    assert.match(answer, /^HTTP\/1\.1 (200|400) /)
    await edge.get('/after')
    assert.ok(edge.requests.every((request) => !request.includes('smuggled')))
  })

  test('forwards no field that Connection names, and none of the connection itself', async () => {
    const fields = { connection: 'x-secret, close', 'x-secret': '1', te: 'gzip', 'keep-alive': '1' }
    await edge.get('/hop', { ...fields, 'proxy-authorization': 'x', upgrade: 'h2c' })
    for (const name of ['x-secret', 'te', 'keep-alive', 'proxy-authorization', 'upgrade']) {
      assert.equal(seen[name], undefined, name)
    }
    // A client cannot have the fields removed that the edge itself adds.
    await edge.get('/hop-2', { connection: 'host, via, x-forwarded-for' })
    assert.equal(seen.host, DOMAIN)
    assert.ok(seen.via)
  })

  test('refuses a head that is too large, and takes one below', async () => {
    const lines = (bytes: number) => [
      `Host: ${DOMAIN}`,
      `X-A: ${'a'.repeat(bytes)}`,
      'Connection: close',
    ]
    assert.match(await raw(head('GET /a HTTP/1.1', ...lines(8_000))), /^HTTP\/1\.1 200 /)
    assert.match(await raw(head('GET /a HTTP/1.1', ...lines(17_000))), /^HTTP\/1\.1 431 /)
    assert.match(
      await raw(head(`GET /${'a'.repeat(17_000)} HTTP/1.1`, ...lines(1))),
      /^HTTP\/1\.1 (414|431) /,
    )
  })

  test('refuses fields beyond count, by both versions of HTTP', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `x${index}: 1`)
    const answer = await raw(
      head('GET /a HTTP/1.1', `Host: ${DOMAIN}`, 'Connection: close', ...many),
    )
    assert.match(answer, /^HTTP\/1\.1 (400|431) /)
    const session = connectHttp2(`https://127.0.0.1:${edge.edge.address.tlsPort}`, {
      rejectUnauthorized: false,
      servername: DOMAIN,
    })
    session.on('error', () => undefined)
    const fields = Object.fromEntries(many.map((line) => line.split(': ')))
    const stream = session.request({ ':path': '/a', ':authority': DOMAIN, ...fields })
    const outcome = await new Promise((resolve) => {
      stream.once('response', (headers) => resolve(headers[':status']))
      stream.once('error', () => resolve('reset'))
      session.once('close', () => resolve('closed'))
    })
    session.destroy()
    assert.notEqual(outcome, 200)
    assert.equal((await edge.get('/a')).status, 200)
  })

  const hosts: Readonly<Record<string, readonly [lines: readonly string[], status: RegExp]>> = {
    'no Host': [['GET /a HTTP/1.1'], /400/],
    'two of them': [['GET /a HTTP/1.1', `Host: ${DOMAIN}`, 'Host: other.example.jp'], /400/],
    'a list': [['GET /a HTTP/1.1', `Host: ${DOMAIN}, other.example.jp`], /400|404/],
    'a user': [['GET /a HTTP/1.1', `Host: ${DOMAIN}@other.example.jp`], /400|404/],
    'a path': [['GET /a HTTP/1.1', `Host: ${DOMAIN}/b`], /400|404/],
    'an unknown name': [['GET /a HTTP/1.1', 'Host: other.example.jp'], /404/],
    'a name below the site': [['GET /a HTTP/1.1', `Host: a.${DOMAIN}`], /404/],
    'an address': [['GET /a HTTP/1.1', 'Host: 127.0.0.1'], /404/],
    'no port after the colon, or any': [['GET /a HTTP/1.1', `Host: ${DOMAIN}:99999x`], /400|404/],
  }
  for (const [name, [lines, status]] of Object.entries(hosts)) {
    test(`answers a Host with ${name} by itself`, async () => {
      edge.requests.length = 0
      const [, answered = ''] =
        /^HTTP\/1\.1 (\d+)/.exec(await raw(head(...lines, 'Connection: close'))) ?? []
      assert.match(answered, status)
      assert.deepEqual(edge.requests, [])
    })
  }

  test('finds a site in any case and with any port, and stores it once', async () => {
    const { body } = await edge.get('/host', { host: DOMAIN })
    for (const host of [DOMAIN.toUpperCase(), `${DOMAIN}:8080`]) {
      const answer = await edge.get('/host', { host })
      assert.match(String(answer.headers['cache-status']), /hit/)
      assert.equal(answer.body, body)
    }
  })

  test('takes the host of an absolute target, as HTTP says, for site and key', async () => {
    const answer = await raw(
      head(`GET http://${DOMAIN}/absolute HTTP/1.1`, 'Host: other.example.jp', 'Connection: close'),
    )
    assert.match(answer, /^HTTP\/1\.1 (200|400) /)
    assert.doesNotMatch(answer, /other\.example\.jp/)
  })

  for (const field of [
    'x-forwarded-host',
    'x-original-url',
    'x-rewrite-url',
    'x-host',
    'x-forwarded-server',
    'x-http-method-override',
    'x-forwarded-scheme',
    'forwarded',
  ]) {
    test(`has no stored response poisoned by ${field}`, async () => {
      const path = `/poison-${field}`
      await edge.get(path, { [field]: 'evil.example.jp' })
      assert.equal(seen[field] === 'evil.example.jp', false, 'it does not reach the origin')
      const { body, headers } = await edge.get(path)
      assert.match(String(headers['cache-status']), /hit/)
      assert.doesNotMatch(body, /evil/)
    })
  }

  test('stores by what the origin says, not by how a path looks', async () => {
    for (const trick of [
      '/private/account/x.css',
      '/private/account;x.css',
      '/private/account%2Fx.css',
      '/private/account%00.css',
      '/private/account/..%2fx.css',
      '/private/account?x.css',
    ]) {
      await edge.get(trick)
      const { headers } = await edge.get(trick)
      assert.doesNotMatch(String(headers['cache-status']), /hit/, trick)
    }
  })

  test('keeps paths apart that an origin may read as the same, and forwards them as they came', async () => {
    for (const path of [
      '/key/a',
      '/key/%61',
      '/key/./a',
      '/key/b/../a',
      '/key//a',
      '/key/a/',
      '/key/a?',
      '/key/A',
    ]) {
      const { headers, body } = await edge.get(path)
      assert.doesNotMatch(String(headers['cache-status']), /; hit/, path)
      assert.ok(body.includes(` ${path} `), path)
    }
  })

  test('answers ranges without end, or without number, with no more than the object', async () => {
    const whole = await edge.get('/range')
    const many = Array.from({ length: 500 }, () => '0-').join(',')
    for (const range of [
      'bytes=0-',
      'bytes=-0',
      'bytes=-999999999999999999999',
      'bytes=0-999999999999999999999',
      `bytes=${many}`,
      'bytes=5-2',
      'bytes=99999999999999999999-',
      'bytes=--1',
      'lines=0-1',
      'bytes=0-0,-1',
    ]) {
      const { status, body } = await edge.get('/range', { range })
      assert.ok([200, 206, 416].includes(status), range)
      assert.ok(body.length <= whole.body.length + 40, range)
    }
  })

  test('sends an open end of a range to no origin that would send it part of an object for all', async () => {
    const first = await edge.get('/part', { range: 'bytes=0-1' })
    const second = await edge.get('/part')
    assert.ok(first.body.length <= 2 || first.status === 200)
    assert.ok(second.body.startsWith(DOMAIN))
    assert.equal(second.status, 200)
  })

  test('closes connections that do not end their heads, and serves others meanwhile', async () => {
    const unfinished = `GET /slow HTTP/1.1\r\nHost: ${DOMAIN}\r\nX-A: `
    const slow = Array.from({ length: 200 }, () => raw(unfinished))
    assert.equal((await edge.get('/meanwhile')).status, 200)
    for (const answer of await Promise.all(slow)) assert.match(answer, /^HTTP\/1\.1 408 /)
  })

  for (const method of ['TRACE', 'CONNECT', 'PURGE', 'BREW']) {
    test(`has nothing purged, tunnelled or echoed by ${method}`, async () => {
      await edge.get('/host')
      edge.requests.length = 0
      const target = method === 'CONNECT' ? `${DOMAIN}:80` : '/host'
      const answer = await raw(
        head(
          `${method} ${target} HTTP/1.1`,
          `Host: ${DOMAIN}`,
          'X-A: echo-me',
          'Connection: close',
        ),
      )
      assert.doesNotMatch(answer, /^HTTP\/1\.1 2/)
      assert.doesNotMatch(answer, /echo-me/)
      assert.deepEqual(edge.requests, [])
      const { headers } = await edge.get('/host')
      assert.match(String(headers['cache-status']), /hit/)
    })
  }
})
