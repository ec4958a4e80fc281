/** An edge on a machine of its own: what it does while the server is away, and that usage arrives once. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askEdge, type EdgeProcess, startEdgeProcess } from './edge-process.ts'
import { freePort } from './ports.ts'
import { type ServerProcess, start } from './server.ts'
import { waitFor } from './wait.ts'

const API = '/cloud/zone/is1a/api/webaccel/1.0'
const HOST = 'away.example.jp'

describe('kumoi edge', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-edge-remote-'))
  const serverData = join(folder, 'server')
  const data = join(folder, 'edge')
  const origin = createServer((_request, response) => {
    response.writeHead(200, { 'cache-control': 'max-age=3600' }).end('from the origin')
  })
  let port = 0
  let server: ServerProcess
  let edge: EdgeProcess
  let siteId = ''
  /** Answers of the edge that count as use of the site. */
  let asked = 0

  const startServer = () => start(serverData, ['--port', String(port)])
  const startEdge = () => startEdgeProcess({ serverData, server, data })
  const get = async (path: string) => {
    const answer = await askEdge(edge.port, { path, headers: { host: HOST } })
    asked += 1
    return answer
  }
  const status = async () => JSON.parse((await askEdge(edge.statusPort, {})).text)
  const counted = async (): Promise<number> => {
    const { body } = await server.ask('GET', `${API}/monthlyusage`)
    const usage = body.MonthlyUsages.find((one: { SiteID: string }) => one.SiteID === siteId)
    return usage?.AccessCount ?? 0
  }

  before(async () => {
    port = await freePort()
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    server = await startServer()
    edge = await startEdge()
    const { port: originPort } = origin.address() as AddressInfo
    const site = {
      ...{ Name: 'away', DomainType: 'own_domain', Domain: HOST, HostHeader: HOST },
      ...{ OriginType: '0', OriginProtocol: 'http', Origin: `127.0.0.1:${originPort}` },
    }
    siteId = (await server.ask('POST', `${API}/site`, { body: { Site: site } })).body.Site.ID
    const enabled = { body: { Site: { Status: 'enabled' } } }
    await server.ask('PUT', `${API}/site/${siteId}/status`, enabled)
    const isDelivered = async () => {
      const { status } = await askEdge(edge.port, { headers: { host: HOST } })
      // One that is refused with 503 is use of the site too.
      if (status !== 404) asked += 1
      return status === 200
    }
    await waitFor('the site at the edge', isDelivered)
  })
  after(async () => {
    await edge?.stop()
    await server?.stop()
    origin.close()
    origin.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is listed by the operator API, with its figures', async () => {
    const token = readFileSync(join(serverData, 'operator.token'), 'utf8').trim()
    const { body } = await server.operator('GET', '/edges', token)
    const [own] = body.edges
    assert.deepEqual(
      [own.engine, own.is_remote, own.is_live, own.id],
      ['embedded', true, true, (await status()).id],
    )
  })

  test('gets no sites with a wrong token', async () => {
    const other = { serverData, server, data: join(folder, 'other') }
    const args = ['--token-file', join(serverData, 'operator.token')]
    const stranger = await startEdgeProcess({ ...other, args })
    assert.match(stranger.banner, /does not answer/)
    const { status: answered } = await askEdge(stranger.port, { headers: { host: HOST } })
    assert.equal(answered, 404)
    await stranger.stop()
  })

  test('serves on while the server is away, also after a restart, and says how old its settings are', async () => {
    await server.stop('SIGKILL')
    assert.equal((await get('/a')).text, 'from the origin')
    await waitFor('the edge to notice', async () => !(await status()).serverAnswers)
    // What was counted goes to the disk every two seconds.
    await sleep(2300)
    await edge.stop('SIGKILL')
    edge = await startEdge()
    assert.match(edge.banner, /Server +https:\S+ \(does not answer\)/)
    assert.match(edge.banner, /Settings +\d+ sites, [1-9]\d* s old/)
    assert.equal((await get('/b')).text, 'from the origin')
    const { serverAnswers, settingsAgeSeconds } = await status()
    assert.deepEqual([serverAnswers, settingsAgeSeconds >= 1], [false, true])
    server = await startServer()
    await waitFor('the edge to notice', async () => (await status()).serverAnswers)
    assert.ok((await status()).settingsAgeSeconds <= 1)
  })

  test('leaves when it is stopped, with all of its usage reported', async () => {
    await get('/last')
    await edge.stop()
    const token = readFileSync(join(serverData, 'operator.token'), 'utf8').trim()
    assert.deepEqual((await server.operator('GET', '/edges', token)).body.edges, [])
    assert.equal(await counted(), asked)
    edge = await startEdge()
    // Long enough for it to report, if anything were left.
    await sleep(2500)
    assert.equal(await counted(), asked)
  })

  test('has its usage arrive once, whenever server and edge are killed', async () => {
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 10; count += 1) await get(`/${round}`)
      // By then it is on the disk, and perhaps on its way.
      await sleep(2200 + round * 500)
      await Promise.all([
        round % 2 === 0 ? server.stop('SIGKILL') : undefined,
        round % 3 === 0 ? edge.stop('SIGKILL') : undefined,
      ])
      if (round % 2 === 0) server = await startServer()
      if (round % 3 === 0) edge = await startEdge()
    }
    await waitFor('all usage', async () => (await counted()) >= asked)
    await sleep(2500)
    assert.equal(await counted(), asked)
  })
})
