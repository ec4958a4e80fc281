/** The settings of sites at every engine of an edge: in the server, `kumoi edge`, and Traffic Server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { installPackages } from './debian.ts'
import { certificateFor, EDGE_FLAGS, edgePorts, newCertificate, WEBACCEL } from './edge-cloud.ts'
import { askEdge, type EdgeProcess, startEdgeProcess } from './edge-process.ts'
import { type At, type Engine, ROWS, type Row } from './edge-settings.ts'
import { type ObjectServer, S3_KEYS, serveObjects } from './s3-objects.ts'
import { type ServerProcess, start } from './server.ts'
import { waitFor } from './wait.ts'

const TRAFFIC_SERVER = '/usr/bin/traffic_manager'
if (!existsSync(TRAFFIC_SERVER)) installPackages('trafficserver')
const hasTrafficServer = existsSync(TRAFFIC_SERVER)
if (!hasTrafficServer) console.log('trafficserver is missing: its engine is not tested.')

const ENGINES = ['server', 'embedded', ...(hasTrafficServer ? ['trafficserver'] : [])]
const hostOf = ({ name }: Pick<Row, 'name'>) => `${name}.settings.example.jp`

const OBJECTS = new Map([
  ['/bucket/a.txt', 'object'],
  ['/bucket/dir/index.html', 'index'],
])

/** Sites of rows that take more than a table has. */
const PURGED = { name: 'purged' }
const STORAGE = { name: 'storage' }
const SECURE = { name: 'secure' }

describe('settings of sites', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-edge-settings-'))
  const requests: { url: string; headers: IncomingHttpHeaders }[] = []
  let content = 'first'
  const origin = createServer((request, response) => {
    const { url = '', headers } = request
    requests.push({ url, headers })
    // Parameters `h-NAME` are headers of the answer.
    for (const [name, value] of new URL(url, 'http://origin').searchParams) {
      if (name.startsWith('h-')) response.setHeader(name.slice(2), value)
    }
    response.end(content)
  })
  const engines = new Map<string, Engine>()
  const processes: EdgeProcess[] = []
  const ids = new Map<string, string>()
  let server: ServerProcess
  let s3: ObjectServer
  let certificate: { chain: string; key: string }

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.ask(method, `${WEBACCEL}${path}`, { body })
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async function createSite(row: Pick<Row, 'name' | 'site' | 'calls'>): Promise<void> {
    const { port } = origin.address() as AddressInfo
    const Domain = hostOf(row)
    const site = {
      ...{ Name: row.name, DomainType: 'own_domain', Domain, OriginType: '0', VarySupport: '1' },
      ...{ OriginProtocol: 'http', Origin: `127.0.0.1:${port}`, HostHeader: Domain },
      ...{ DefaultCacheTTL: -1, ...row.site },
    }
    const { ID: id } = (await call('POST', '/site', { Site: site })).Site
    ids.set(row.name, id)
    await call('PUT', `/site/${id}/status`, { Site: { Status: 'enabled' } })
    for (const [method, path, body] of row.calls ?? []) {
      await call(method, `/site/${id}${path}`, body)
    }
  }

  before(async () => {
    await once(origin.listen(0, '127.0.0.1'), 'listening')
    const caFile = join(folder, 'ca.pem')
    // Traffic Server finds an address among the names only.
    const { chain: cert, key } = newCertificate(folder, '127.0.0.1,IP:127.0.0.1')
    writeFileSync(caFile, cert)
    s3 = await serveObjects(OBJECTS, { cert, key })
    const serverData = join(folder, 'server')
    const roots = ['--edge-ca-file', caFile]
    server = await start(serverData, [...EDGE_FLAGS, ...roots, '--private-targets', 'allow'])
    engines.set('server', { name: 'server', ...edgePorts(server) })
    for (const name of ENGINES.slice(1)) {
      const args = ['--engine', name, '--edge-tls-port', '0', '--name', name, ...roots]
      const edge = await startEdgeProcess({ serverData, server, data: join(folder, name), args })
      processes.push(edge)
      engines.set(name, { name, port: edge.port, tlsPort: edge.tlsPort ?? 0 })
    }
    for (const row of ROWS) await createSite(row)
    await createSite({ ...STORAGE, site: storageFields(`127.0.0.1:${s3.port}`) })
    await createSite(SECURE)
    certificate = newCertificate(folder, hostOf(SECURE))
    const { chain: CertificateChain, key: Key } = certificate
    const path = `/site/${ids.get(SECURE.name)}/certificate`
    await call('POST', path, { Certificate: { CertificateChain, Key } })
    await createSite(PURGED)
    for (const { name, port } of engines.values()) {
      await waitFor(`the last site at ${name}`, async () => {
        const { status } = await askEdge(port, { path: '/', headers: { host: hostOf(PURGED) } })
        return status === 200
      })
    }
  })
  after(async () => {
    await Promise.all(processes.map((edge) => edge.stop()))
    await server?.stop()
    s3?.close()
    origin.close()
    origin.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  function at(name: string, row: Pick<Row, 'name'>): At {
    const engine = engines.get(name)
    if (engine === undefined) throw new Error(`There is no engine ${name}.`)
    const begin = requests.length
    const host = hostOf(row)
    return {
      ...{ engine, host },
      get: (path, headers = {}, method = 'GET') =>
        askEdge(engine.port, {
          path: encodeURI(path).replaceAll('%25', '%'),
          method,
          headers: { host, ...headers },
        }),
      seen() {
        const { url = '', headers = {} } = requests.at(-1) ?? {}
        return {
          url,
          headers: Object.fromEntries(
            Object.entries(headers).map(([key, value]) => [key, [value].flat().join(', ')]),
          ),
        }
      },
      fetched: (path) =>
        requests.slice(begin).filter(({ url }) => url === encodeURI(path).replaceAll('%25', '%'))
          .length,
    }
  }

  for (const name of ENGINES) {
    describe(`at ${name}`, () => {
      for (const row of ROWS) test(row.setting, () => row.check(at(name, row)))

      test('an unknown host is 404', async () => {
        const { get } = at(name, { name: 'nobody' })
        assert.equal((await get('/')).status, 404)
      })

      test('OriginType 1 reads a bucket with a signature, without query, with an index', async () => {
        const { get } = at(name, STORAGE)
        assert.equal((await get('/a.txt?x=1')).text, 'object')
        assert.match(String((await get('/a.txt?x=2')).headers['cache-status']), /; hit/)
        const own = { cookie: 'a=b', authorization: 'Basic x' }
        assert.equal((await get('/dir/', own)).text, 'index')
        assert.equal((await get('/missing')).status, 404)
      })

      test('a certificate is served by SNI', async () => {
        const { engine } = at(name, SECURE)
        // Traffic Server reads its certificates again within some seconds.
        await waitFor('the certificate', async () => {
          const served = await certificateFor(engine.tlsPort, hostOf(SECURE)).catch(() => undefined)
          return served?.subject?.CN === 'own'
        })
      })
    })
  }

  test('deletecache and deleteallcache hold at all engines when they are answered', async () => {
    const path = '/p?h-cache-control=max-age=600'
    const all = () =>
      Promise.all(ENGINES.map(async (name) => (await at(name, PURGED).get(path)).text))
    assert.deepEqual(new Set(await all()), new Set(['first']))
    content = 'second'
    assert.deepEqual(new Set(await all()), new Set(['first']))
    await call('POST', '/deletecache', { URL: [`http://${hostOf(PURGED)}${path}`] })
    assert.deepEqual(new Set(await all()), new Set(['second']))
    content = 'third'
    await call('POST', '/deleteallcache', { Site: { Domain: hostOf(PURGED) } })
    assert.deepEqual(new Set(await all()), new Set(['third']))
  })

  test('what all engines delivered is counted once', async () => {
    const id = ids.get(PURGED.name)
    const before = requests.length
    for (const name of ENGINES) await at(name, PURGED).get('/counted')
    assert.equal(requests.length, before + ENGINES.length)
    const counts: number[] = []
    await waitFor('usage that stays the same', async () => {
      const { MonthlyUsages: all } = await call('GET', '/monthlyusage')
      counts.push(all.find((one: { SiteID: string }) => one.SiteID === id)?.AccessCount ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return counts.length > 6 && counts.at(-1) === counts.at(-6)
    })
    // Four passes over all engines, this one, and the wait for the site.
    assert.ok((counts.at(-1) ?? 0) >= 6 * ENGINES.length, `${counts.at(-1)}`)
  })
})

function storageFields(endpoint: string) {
  const { accessKey: AccessKeyID, secretKey: SecretAccessKey, region: S3Region } = S3_KEYS
  return {
    ...{ OriginType: '1', OriginProtocol: 'https', BucketName: 'bucket', S3Endpoint: endpoint },
    ...{ S3Region, AccessKeyID, SecretAccessKey, DocIndex: '1', DefaultCacheTTL: 600 },
    ...{ Origin: undefined, HostHeader: undefined },
  }
}
