import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { FrozenClock, RunningClock } from '../../../kernel/clock.ts'
import { newLog } from '../../../kernel/log.ts'
import { systemRandom } from '../../../kernel/random.ts'
import type { EdgeChanges, EdgeSite, EdgeStatus } from '../../../services/webaccel/public.ts'
import { loadOrMakeTls } from '../../../tls/local-ca.ts'
import { RemoteServer } from './remote-server.ts'

const tls = loadOrMakeTls({
  folder: undefined,
  names: ['localhost'],
  now: new RunningClock().now(),
  randomBytes: (count) => systemRandom.bytes(count),
})

const site = (id: string, acl = ''): EdgeSite => ({
  ...{ id, acl, hosts: [`${id}.example.jp`], status: 'enabled', requestProtocol: 'both' },
  origin: { type: 'server', protocol: 'http', host: 'o.example.jp', hostHeader: 'o.example.jp' },
  ...{ defaultCacheTtlSeconds: -1, varySupport: false, normalize: 'gzip', cors: null },
  ...{ onetimeSecrets: ['one-time'], guardToken: '', certificate: null, logUpload: null },
})

const STATUS: EdgeStatus = {
  ...{ id: 'x', name: 'x', engine: 'embedded', softwareVersion: '1', startedAt: '' },
  ...{ cacheBytes: 0, cacheObjects: 0, hits: 0, misses: 0 },
}

const changes = (version: number, more: Partial<EdgeChanges> = {}): EdgeChanges => ({
  ...{ version, isComplete: false, sites: [], removedSiteIds: [], purges: [], probes: [] },
  ...more,
})

const complete = (version: number, ...sites: EdgeSite[]) =>
  changes(version, { isComplete: true, sites })

interface Asked {
  readonly path: string
  readonly token: string
  readonly since: unknown
}

describe('the server as a remote edge sees it', () => {
  const asked: Asked[] = []
  let answer: EdgeChanges | number = 503
  let reports: unknown[] = []
  const server = createServer({ cert: tls.cert, key: tls.key }, async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = JSON.parse(text)
    const { url: path = '', headers } = request
    asked.push({ path, token: headers.authorization ?? '', since: body.since })
    if (typeof answer === 'number') return response.writeHead(answer).end('{"error_msg":"No."}')
    if (path.endsWith('/reports')) reports.push(body)
    if (path.endsWith('/challenges')) {
      const known = body.challenge === 'known'
      return response.end(JSON.stringify({ answer: known ? 'known.thumbprint' : null }))
    }
    return response.end(path.endsWith('/changes') ? JSON.stringify(answer) : '')
  })
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  after(() => server.close())

  const clock = new FrozenClock(new Date('2026-04-01T12:00:00Z'))
  let lines = ''
  const log = newLog('info', () => clock.now(), {
    write(text) {
      lines += text
    },
  })
  const newFolder = (t: TestContext) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-remote-'))
    t.after(() => rmSync(folder, { recursive: true }))
    return folder
  }
  const open = async (t: TestContext, folder: string, ca: string | undefined = tls.ca) => {
    const { port } = server.address() as AddressInfo
    const url = `https://localhost:${port}`
    const remote = await RemoteServer.open({ url, token: 'secret-token', ca, folder, clock, log })
    t.after(() => remote.close())
    return remote
  }

  test('asks with its token for everything, then for what has changed', async (t) => {
    const remote = await open(t, newFolder(t))
    answer = complete(7, site('1'))
    assert.deepEqual(await remote.changes(STATUS, undefined), answer)
    answer = changes(8, { purges: [{ version: 8, siteId: '1', target: null }] })
    assert.deepEqual(await remote.changes(STATUS, 7), answer)
    const path = `/_kumoi/v1/edges/${remote.id}/changes`
    const token = 'Bearer secret-token'
    assert.deepEqual(asked.splice(0), [
      { path, token, since: null },
      { path, token, since: 7 },
    ])
  })

  test('starts with the stored sites while the server is away, and says how old they are', async (t) => {
    const folder = newFolder(t)
    const first = await open(t, folder)
    answer = complete(7, site('1'), site('2'))
    await first.changes(STATUS, undefined)
    answer = changes(9, { sites: [site('2', 'deny all')], removedSiteIds: ['1'] })
    await first.changes(STATUS, 7)
    const settingsAt = clock.now()
    await clock.advanceTo(new Date('2026-04-01T13:00:00Z'))
    answer = 503
    lines = ''
    const second = await open(t, folder)
    assert.equal(second.id, first.id)
    assert.deepEqual(await second.changes(STATUS, undefined), complete(9, site('2', 'deny all')))
    assert.deepEqual(second.settingsAt, settingsAt)
    await assert.rejects(second.changes(STATUS, 9), /answered 503 to .*: No\./)
    assert.match(lines, /"settingsAt":"2026-04-01T12:00:00.000Z".*the edge serves on/)
    assert.equal(lines.trim().split('\n').length, 1, 'said once')
    answer = changes(9)
    await second.changes(STATUS, 9)
    assert.match(lines, /the server answers again/)
    assert.deepEqual(second.settingsAt, clock.now())
  })

  test('asks after a restart only for what has changed since, and gives the edge everything', async (t) => {
    const folder = newFolder(t)
    answer = complete(7, site('1'), site('2'))
    await (await open(t, folder)).changes(STATUS, undefined)
    answer = changes(9, { sites: [site('3')], purges: [{ version: 8, siteId: '1', target: '/' }] })
    asked.splice(0)
    const again = await (await open(t, folder)).changes(STATUS, undefined)
    assert.equal(asked[0]?.since, 7)
    assert.deepEqual(again, complete(9, site('1'), site('2'), site('3')))
  })

  test('asks what an authority is to be answered; without an answer it is for the origin', async (t) => {
    const remote = await open(t, newFolder(t))
    answer = complete(7)
    assert.equal(await remote.findChallenge('known'), 'known.thumbprint')
    assert.equal(await remote.findChallenge('other'), undefined)
    // More at once than are asked for.
    const many = await Promise.all(Array.from({ length: 20 }, () => remote.findChallenge('known')))
    assert.ok(many.includes(undefined) && many.includes('known.thumbprint'))
    answer = 404
    assert.equal(await remote.findChallenge('known'), undefined)
  })

  test('keeps secrets in files of its owner alone', async (t) => {
    const folder = newFolder(t)
    answer = complete(7, site('1'))
    await (await open(t, folder)).changes(STATUS, undefined)
    const file = join(folder, 'settings.json')
    assert.match(readFileSync(file, 'utf8'), /one-time/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('never has an answer of something else take the sites away', async (t) => {
    const folder = newFolder(t)
    const remote = await open(t, folder)
    answer = complete(7, site('1'))
    await remote.changes(STATUS, undefined)
    answer = JSON.parse('{"version":8}')
    await assert.rejects(remote.changes(STATUS, 7), /did not answer with the changes/)
    assert.equal(remote.siteCount, 1)
  })

  test('does not talk to a server whose certificate is of another CA', async (t) => {
    const remote = await open(t, newFolder(t), '')
    asked.splice(0)
    await assert.rejects(remote.changes(STATUS, undefined), /certificate/)
    assert.deepEqual(asked, [])
  })

  test('refuses to start with a file that somebody has broken', async (t) => {
    const folder = newFolder(t)
    writeFileSync(join(folder, 'settings.json'), '{"version":')
    await assert.rejects(open(t, folder), /settings\.json cannot be read/)
  })

  test('takes a report once and delivers it when the server is back', async (t) => {
    const remote = await open(t, newFolder(t))
    const usage = { siteId: '1', hour: '2026-04-01T12:00:00Z', accessCount: 2, hitCount: 1 }
    const reported = [{ ...usage, bytesSent: 30, cacheMissBytesSent: 10 }]
    reports = []
    answer = 503
    await remote.report(remote.id, 1, reported)
    await remote.report(remote.id, 1, reported)
    await remote.deliver()
    assert.deepEqual(reports, [])
    answer = changes(1)
    await remote.deliver()
    assert.deepEqual(reports, [{ sequence: 1, usage: reported }])
  })
})
