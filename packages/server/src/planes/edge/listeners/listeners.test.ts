import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { makeCertificate, type TestCertificate } from '../../../testing/certificates.ts'
import { DOMAIN } from '../../../testing/edge-server.ts'
import { TestEdge } from '../testing/edge.ts'

const STORED = { 'cache-control': 'max-age=60', 'x-a': ['1', '2'] }

function pair(id: string, { certificate, key }: TestCertificate) {
  return { id, chain: certificate, key }
}

describe('the TLS port', () => {
  const first = makeCertificate({ names: [DOMAIN], subject: '/CN=first' })
  const second = makeCertificate({ names: [DOMAIN], subject: '/CN=second' })
  const local = makeCertificate({ names: ['local.example.jp'], subject: '/CN=local' })
  let edge: TestEdge
  let session: ClientHttp2Session

  before(async () => {
    edge = await TestEdge.start(
      (request, response) => {
        response.writeHead(200, STORED)
        request.pipe(response)
        if (request.method === 'GET') response.end(`${request.url}`.repeat(1000))
      },
      { certificate: pair('1', first) },
      {
        listen: { host: '127.0.0.1', port: 0, tlsPort: 0 },
        localCertificate: async () => pair('', local),
      },
    )
    session = connectHttp2(`https://127.0.0.1:${edge.edge.address.tlsPort}`, {
      ...{ servername: DOMAIN, rejectUnauthorized: false },
    })
  })
  after(async () => {
    session.close()
    await edge.stop()
  })

  async function ask(headers: OutgoingHttpHeaders, body?: string) {
    const stream = session.request({ ':authority': DOMAIN, ...headers })
    stream.end(body)
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return { headers: answer, status: answer[':status'], text }
  }

  async function subjectFor(servername: string): Promise<string> {
    const port = edge.edge.address.tlsPort ?? 0
    const socket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return String(subject.CN)
  }

  test('serves HTTP/2 from the origin and from the cache, HEAD and ranges too', async () => {
    const miss = await ask({ ':path': '/a' })
    const hit = await ask({ ':path': '/a' })
    assert.deepEqual([miss.text, hit.text], ['/a'.repeat(1000), '/a'.repeat(1000)])
    assert.match(String(hit.headers['cache-status']), /hit/)
    assert.equal(hit.headers['x-a'], '1, 2')
    const head = await ask({ ':path': '/a', ':method': 'HEAD' })
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '2000', ''])
    assert.equal((await ask({ ':path': '/a', range: 'bytes=1-2' })).text, 'a/')
    assert.equal(edge.requests.filter((line) => line === 'GET /a').length, 1)
  })

  test('forwards bodies of HTTP/2, and refuses what is malformed', async () => {
    const posted = await ask({ ':path': '/p', ':method': 'POST' }, 'sent')
    assert.deepEqual([posted.status, posted.text], [200, 'sent'])
    assert.equal((await ask({ ':path': '/', host: 'other.example.jp' })).status, 400)
    assert.equal((await ask({ ':path': '/', ':authority': 'other.example.jp' })).status, 404)
    assert.equal((await ask({ ':path': '/', ':method': 'TRACE' })).status, 405)
  })

  test('sends by HTTP/2 what an origin has sent twice, or should not have sent', async () => {
    edge.answerBy((_request, response) => {
      const odd = ['Content-Type', 'a/b', 'Content-Type', 'c/d', 'HTTP2-Settings', 'x', 'TE', 'y']
      response.writeHead(200, [...odd, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
      response.end('body')
    })
    const { headers, text } = await ask({ ':path': '/odd' })
    assert.deepEqual([text, headers['content-type']], ['body', 'a/b, c/d'])
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
  })

  test('speaks HTTP/1.1 with those who know nothing else', async () => {
    const port = edge.edge.address.tlsPort ?? 0
    const options = { port, host: '127.0.0.1', servername: DOMAIN, rejectUnauthorized: false }
    const socket: TLSSocket = connectTls(options)
    socket.write(`GET /old HTTP/1.1\r\nHost: ${DOMAIN}\r\nConnection: close\r\n\r\n`)
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
  })

  test('shows the certificate of the site by its name, a new one from the next connection on', async () => {
    assert.equal(await subjectFor(DOMAIN), 'first')
    await edge.server.set({ ...edge.site, certificate: pair('2', second) })
    assert.equal(await subjectFor(DOMAIN), 'second')
    assert.equal(await subjectFor(DOMAIN.toUpperCase()), 'second')
    // The connection that was open goes on.
    assert.equal((await ask({ ':path': '/a' })).status, 200)
  })

  test('shows one of the local CA for a site without any, and none for a name that is no site', async () => {
    const site = { ...edge.site, id: '113000000002', hosts: ['local.example.jp'] }
    await edge.server.set({ ...site, certificate: null })
    assert.equal(await subjectFor('local.example.jp'), 'local')
    await assert.rejects(subjectFor('unknown.example.jp'))
  })
})
