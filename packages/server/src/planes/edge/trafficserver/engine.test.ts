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
  const origin = createServer((_request, response) => {
    response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`version ${version}`)
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
    edge = await startTrafficServer({
      ...{ server, id: 'e', name: 'e', softwareVersion: '1', originRoots: [], outbox },
      ...{ clock: new RunningClock(), log: silentLog, accessLog: undefined },
      ...{ folder: join(folder, 't'), memoryBytes: 2 ** 25, diskBytes: 2 ** 26 },
      ...{ allowsPrivateOrigins: true, trustedProxies: [] },
      listen: { host: '127.0.0.1', port: 0, tlsPort: 0 },
    })
  })
  after(async () => {
    await edge?.stop()
    origin.close()
    origin.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  const get = (path: string, method = 'GET') =>
    new Promise<{ status: number; cache: unknown; text: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: edge.address.port, headers: { host: DOMAIN } }
      const outgoing = request({ ...options, path, method }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        asked += 1
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
    assert.equal((await get('/missing')).status, 404)
    assert.equal((await get('/../secret')).status, 404)
    assert.equal((await get('/docs/', 'POST')).status, 405)
    await server.set(testSite(originPort))
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
