/** With the real Traffic Server; the settings of sites are compared with other engines in acceptance/edge-settings. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { pause, RunningClock } from '../../../kernel/clock.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { EdgeProbe, EdgeSite } from '../../../services/webaccel/public.ts'
import { makeCertificate } from '../../../testing/certificates.ts'
import { installPackage } from '../../../testing/debian.ts'
import { DOMAIN, TestEdgeServer, testSite } from '../../../testing/edge-server.ts'
import { S3_KEYS, S3Server } from '../../../testing/s3-server.ts'
import type { Edge } from '../options.ts'
import { UsageOutbox } from '../remote/usage-outbox.ts'
import { startTrafficServer } from './engine.ts'

const PROGRAM = '/usr/bin/traffic_manager'
if (!existsSync(PROGRAM)) installPackage('trafficserver')
const isMissing = !existsSync(PROGRAM)
if (isMissing) console.log('trafficserver is missing: its engine is not tested.')

const made = makeCertificate({ names: [DOMAIN] })
const FIRST = { id: 'c1', chain: made.certificate, key: made.key }

describe('an edge of Traffic Server', { skip: isMissing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-ts-'))
  let asked = 0
  let version = 1
  let fetched = 0
  const origin = createServer(({ url }, response) => {
    fetched += 1
    const control = url === '/old' ? 'max-age=1' : 'max-age=60'
    const text = `version ${version}`
    const headers = { 'cache-control': control, vary: 'X-Kind', 'content-length': text.length }
    response.writeHead(200, headers).end(text)
  })
  let server: TestEdgeServer
  let outbox: UsageOutbox
  let edge: Edge
  let originPort = 0
  before(async () => {
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    originPort = (origin.address() as AddressInfo).port
    server = new TestEdgeServer(testSite(originPort, { certificate: FIRST }))
    outbox = await UsageOutbox.open(join(folder, 'usage.json'))
    edge = await start('t', outbox, true)
  })
  const start = (name: string, own: UsageOutbox, allowsPrivateOrigins: boolean) =>
    startTrafficServer({
      ...{ server, id: 'e', name: 'e', softwareVersion: '1', originRoots: [], outbox: own },
      ...{ clock: new RunningClock(), log: silentLog, accessLog: undefined },
      ...{ folder: join(folder, name), memoryBytes: 2 ** 25, diskBytes: 2 ** 26 },
      ...{ allowsPrivateOrigins, trustedProxies: [] },
      listen: { host: '127.0.0.1', port: 0, tlsPort: 0 },
    })
  after(async () => {
    await edge?.stop()
    origin.close()
    origin.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  const get = (path: string, method = 'GET', { port } = edge.address) =>
    new Promise<{ status: number; cache: unknown; text: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, headers: { host: DOMAIN } }
      const outgoing = request({ ...options, path, method }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        if (port === edge.address.port) asked += 1
        const cache = answer.headers['cache-status']
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, cache, text }))
      })
      outgoing.once('error', reject).end()
    })

  test('never gives old content after a purge was confirmed, whatever is being filled', async () => {
    for (let round = 0; round < 4; round += 1) {
      const clients = Array.from({ length: 30 }, () => get('/raced'))
      version += 1
      const wanted = `version ${version}`
      await server.purge(round % 2 === 0 ? '/raced' : null)
      assert.equal((await get('/raced')).text, wanted)
      await Promise.all(clients)
      assert.equal((await get('/raced')).text, wanted)
    }
    assert.equal((await get('/raced')).cache, 'kumoi; hit')
  })

  test('purges for us and nobody else', async () => {
    await get('/kept')
    assert.equal((await get('/kept', 'PURGE')).status, 403)
    assert.equal((await get('/kept')).cache, 'kumoi; hit')
  })

  test('answers probes by what is stored and the rules of the site, without the origin', async () => {
    const probe = async (path: string, change: Partial<EdgeProbe> = {}) => {
      const count = server.answers.length
      const url = `http://${DOMAIN}${path}`
      const given = {
        siteId: '113000000001',
        method: 'GET',
        url,
        headers: {},
        address: '192.0.2.9',
      }
      void server.probe({ ...given, ...change })
      while (server.answers.length === count) await pause(20)
      return server.answers[count]
    }
    const site = (change: Partial<EdgeSite>) =>
      testSite(originPort, { certificate: FIRST, ...change })
    await server.set(site({ acl: 'deny 192.0.2.1', cors: { any: true } }))
    await get('/probed')
    await get('/old')
    const before = fetched
    const hit = await probe('/probed')
    assert.equal(hit?.action, 'hit')
    const [object] = hit.objects
    assert.deepEqual([object?.status, object?.bytes, object?.variant], [200, 9, { 'x-kind': '' }])
    const lifetime = Date.parse(object?.freshUntil ?? '') - Date.parse(object?.storedAt ?? '')
    assert.ok(lifetime > 55_000 && lifetime <= 60_000, String(lifetime))
    assert.equal((await probe('/probed', { headers: { 'X-Kind': 'b' } }))?.action, 'miss')
    assert.equal((await probe('/unknown'))?.action, 'miss')
    assert.equal((await probe('/probed', { method: 'POST' }))?.action, 'pass')
    while ((await probe('/old'))?.action !== 'revalidate') await pause(100)
    const refused = await probe('/probed', { address: '192.0.2.1' })
    assert.deepEqual([refused?.action, refused?.status], ['refuse', 403])
    const headers = { origin: 'https://a.example.jp', 'access-control-request-method': 'PUT' }
    assert.equal((await probe('/a', { method: 'OPTIONS', headers }))?.action, 'preflight')
    await server.set(site({ requestProtocol: 'redirect' }))
    assert.equal((await probe('/probed'))?.action, 'redirect')
    const url = `https://${DOMAIN}/probed`
    assert.equal((await probe('', { url }))?.action, 'hit')
    assert.equal(fetched, before)
    await server.set(site({}))
  })

  test('serves new certificates without a restart', { timeout: 30_000 }, async () => {
    const served = () =>
      new Promise<string | undefined>((resolve, reject) => {
        const port = edge.address.tlsPort ?? 0
        const options = { host: '127.0.0.1', port, servername: DOMAIN, rejectUnauthorized: false }
        const socket = connect(options, () => {
          resolve(socket.getPeerX509Certificate()?.toString())
          socket.destroy()
        })
        socket.once('error', reject)
      })
    const pid = managerPid()
    assert.equal(await served(), FIRST.chain)
    const { certificate: chain, key } = makeCertificate({ names: [DOMAIN] })
    await server.set(testSite(originPort, { certificate: { id: 'c2', chain, key } }))
    while ((await served()) !== chain) await pause(100)
    assert.equal(managerPid(), pid)
  })

  test('reads objects of a bucket with a signature, and keeps them', async (t) => {
    const s3 = await S3Server.open(t)
    // It keeps keys as they are in the address.
    s3.objects.set('%E6%97%A5%E6%9C%AC%20%281%29.txt', Buffer.from('object'))
    s3.objects.set('docs/index.html', Buffer.from('index'))
    const { accessKey: accessKeyId, secretKey: secretAccessKey, region } = S3_KEYS
    const bucket = { bucket: 'bucket', endpoint: s3.url, region, accessKeyId, secretAccessKey }
    const storage = { ...bucket, type: 'storage', docIndex: true } as const
    await server.set(testSite(0, { origin: storage, defaultCacheTtlSeconds: 60 }))
    const path = `/${encodeURIComponent('日本')}%20(1).txt`
    assert.deepEqual(await get(path), { status: 200, cache: 'kumoi; fwd=uri-miss', text: 'object' })
    assert.deepEqual(await get(`${path}?x=1`), { status: 200, cache: 'kumoi; hit', text: 'object' })
    assert.equal((await get('/docs/')).text, 'index')
    const missing = await get('/missing')
    assert.deepEqual([missing.status, missing.text], [404, 'There is no such object.\n'])
    assert.equal((await get('/../secret')).status, 404)
    assert.equal((await get('/docs/', 'POST')).status, 405)
    await server.set(testSite(originPort))
  })

  test('does not reach an origin at a private address where those are forbidden', async () => {
    const strict = await start('s', await UsageOutbox.open(join(folder, 's.json')), false)
    try {
      for (const host of ['127.0.0.1', 'localhost']) {
        const { origin: given } = testSite(originPort)
        assert.ok(given.type === 'server')
        await server.set(testSite(0, { origin: { ...given, host: `${host}:${originPort}` } }))
        const before = fetched
        const { status } = await get(`/private-${host}`, 'GET', strict.address)
        // It reads its hosts file some time after its start; until then the name is not known.
        assert.ok(status === 403 || (host === 'localhost' && status === 500), `${host} ${status}`)
        assert.equal(fetched, before)
      }
    } finally {
      await strict.stop()
      await server.set(testSite(originPort))
    }
  })

  test('counts each request once over a kill of Traffic Server, which starts again', {
    timeout: 30_000,
  }, async () => {
    await get('/counted')
    await get('/counted')
    // It writes its log within two seconds.
    await pause(2500)
    const pid = managerPid()
    process.kill(pid, 'SIGKILL')
    while ([pid, 0].includes(managerPid())) await pause(50)
    await answered()
    await get('/counted')
    await edge.stop()
    const taken: number[] = []
    await outbox.deliver(async (_sequence, usage) => {
      taken.push(...usage.map(({ accessCount }) => accessCount))
    })
    const { hits, misses } = edge.status()
    const sum = taken.reduce((total, count) => total + count, 0)
    assert.deepEqual([sum, hits + misses], [asked, asked])
  })

  /** Fulfilled when it runs again. */
  async function answered(): Promise<void> {
    while (!(await get('/counted').then(Boolean, () => false))) await pause(100)
  }

  /** 0 while none runs. */
  function managerPid(): number {
    const pid = Number(readFileSync(join(folder, 't', 'run', 'manager.lock'), 'utf8'))
    return existsSync(`/proc/${pid}/exe`) ? pid : 0
  }
})
