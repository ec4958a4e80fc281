/** The edge over real sockets: what is stored, changed, purged and counted, in one process and in several. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Agent } from 'node:http'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  certificateFor,
  EDGE_FLAGS,
  edgePorts,
  fetchFrom,
  newCertificate,
  newSite,
  startOrigin,
  WEBACCEL,
} from './edge-cloud.ts'
import { engines } from './engines.ts'
import { KUMOI, type ServerProcess, start, temporaryFolder } from './server.ts'
import { waitFor } from './wait.ts'

const HOST = 'www.edge.example.jp'
const CONNECTIONS = 16
const PURGES = 5

const purge = (server: ServerProcess, path: string) =>
  server.ask('POST', `${WEBACCEL}/deletecache`, { body: { URL: [`https://${HOST}${path}`] } })

/** How long it takes until the check holds. */
async function secondsUntil(what: string, isTrue: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  await waitFor(what, isTrue)
  return (performance.now() - start) / 1000
}

for (const engine of engines) {
  describe(`the edge on ${engine.name}`, () => {
    test('stores, applies changes within a second, purges, and counts what it delivers', async (t) => {
      const origin = await startOrigin(t)
      const data = temporaryFolder(t)
      const server = await start(data, [...(await engine.flags()), ...EDGE_FLAGS])
      t.after(() => server.stop())
      const { port, tlsPort } = edgePorts(server)
      const id = await newSite(server, HOST, origin)
      const get = (path = '/a') => fetchFrom(port, HOST, path)
      await waitFor('the site', async () => (await get('/first')).status === 200)

      assert.match(String((await get()).headers['cache-status']), /fwd=/)
      const asked = origin.requests
      assert.match(String((await get()).headers['cache-status']), /; hit/)
      assert.equal(origin.requests, asked)

      origin.content = 'second'
      assert.equal((await get()).body, 'first')
      const { status, body } = await purge(server, '/a')
      assert.deepEqual([status, body.Results[0].Status], [200, 200])
      assert.equal((await get()).body, 'second')
      const probe = [KUMOI, 'site', 'probe', `https://${HOST}/a`, '--data', data]
      const { stdout } = await promisify(execFile)(process.execPath, probe)
      assert.match(stdout, /would answer from its cache/)

      const acl = { ACL: 'deny 127.0.0.1' }
      await server.ask('PUT', `${WEBACCEL}/site/${id}/acl`, { body: acl })
      const refused = await secondsUntil('the ACL', async () => (await get()).status === 403)
      t.diagnostic(`The ACL was in force after ${refused.toFixed(2)} s.`)
      await server.ask('DELETE', `${WEBACCEL}/site/${id}/acl`)

      const { chain, key } = newCertificate(data, HOST)
      const local = await certificateFor(tlsPort, HOST)
      assert.match(String(local.subjectaltname), new RegExp(`DNS:${HOST}`))
      await server.ask('POST', `${WEBACCEL}/site/${id}/certificate`, {
        body: { Certificate: { CertificateChain: chain, Key: key } },
      })
      const swapped = await secondsUntil(
        'the certificate',
        async () => (await certificateFor(tlsPort, HOST)).subject.CN === 'own',
      )
      t.diagnostic(`The certificate was in use after ${swapped.toFixed(2)} s.`)

      await waitFor('the usage', async () => {
        const usages = (await server.ask('GET', `${WEBACCEL}/monthlyusage`)).body.MonthlyUsages
        const own = usages.find(({ SiteID }: { SiteID: string }) => SiteID === id)
        return own.AccessCount >= 5 && own.BytesSent > 0 && own.CacheHitRatio > 0
      })
    })
  })
}

const postgres = engines.find(({ name }) => name === 'postgres')
const skip = postgres === undefined && 'there is no PostgreSQL server'

describe('edges of several processes on one PostgreSQL', { skip }, () => {
  test('of two servers all serve the new content once a purge was answered by either', async (t) => {
    const origin = await startOrigin(t)
    const flags = [...((await postgres?.flags()) ?? []), ...EDGE_FLAGS]
    const data = temporaryFolder(t)
    const first = await start(data, flags)
    t.after(() => first.stop())
    // The same key for secrets, and a folder of its own.
    const key = ['--key-file', `${data}/encryption.key`]
    const second = await start(temporaryFolder(t), [...flags, ...key])
    t.after(() => second.stop())
    await newSite(first, HOST, origin)
    const ports = [first, second].map((server) => edgePorts(server).port)
    const getAll = () => Promise.all(ports.map((port) => fetchFrom(port, HOST, '/a')))
    await waitFor('the site', async () => (await getAll()).every((answer) => answer.status === 200))
    for (let round = 0; round < PURGES; round += 1) {
      await getAll()
      origin.content = `round ${round}`
      assert.equal((await purge(round % 2 === 0 ? first : second, '/a')).status, 200)
      const contents = (await getAll()).map(({ body }) => body)
      assert.deepEqual(contents, [origin.content, origin.content])
    }
  })

  test('of workers on one port all serve the new content once a purge was answered', async (t) => {
    const origin = await startOrigin(t)
    const flags = [...((await postgres?.flags()) ?? []), ...EDGE_FLAGS, '--workers', '2']
    const server = await start(temporaryFolder(t), flags)
    t.after(() => server.stop())
    await newSite(server, HOST, origin)
    const { port } = edgePorts(server)
    const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true }))
    t.after(() => {
      for (const agent of agents) agent.destroy()
    })
    const getAll = () => Promise.all(agents.map((agent) => fetchFrom(port, HOST, '/a', agent)))
    await waitFor('the site', async () => (await getAll()).every((answer) => answer.status === 200))
    for (let round = 0; round < PURGES; round += 1) {
      await getAll()
      origin.content = `round ${round}`
      assert.equal((await purge(server, '/a')).status, 200)
      const contents = new Set((await getAll()).map(({ body }) => body))
      assert.deepEqual([...contents], [origin.content])
    }
  })
})
