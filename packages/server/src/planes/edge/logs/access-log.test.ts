import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Log } from '../../../kernel/log.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import { S3_KEYS, S3Server } from '../../../testing/s3-server.ts'
import { put } from '../../outbound/post.ts'
import type { AccessEntry } from '../options.ts'
import { UploadedAccessLog } from './access-log.ts'

const SITE_ID = '113000000001'

/** Moved by the test; alarms are the test's own calls of `upload`. */
class TestClock {
  readonly mode = 'frozen'
  readonly scale = 1
  time = Date.now()
  now = () => new Date(this.time)
  at = () => ({ cancel: () => undefined })
}

function entry(target: string, time: Date): AccessEntry {
  return {
    ...{ address: '192.0.2.1', time, method: 'GET', target, httpVersion: '1.1', status: 200 },
    ...{ bytes: 10, referer: undefined, userAgent: undefined, cacheStatus: 'miss' },
    ...{ host: 'docs.example.jp', durationMs: 1 },
  }
}

async function prepare(t: TestContext) {
  const s3 = await S3Server.open(t)
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-logs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = new TestClock()
  const errors: string[] = []
  const log: Log = {
    hasRequests: false,
    line: () => undefined,
    error: ({ err }, message) => void errors.push(`${message} ${err}`),
  }
  const { accessKey, secretKey, region } = S3_KEYS
  const logUpload = {
    ...{ bucket: 'bucket', endpoint: s3.url, region },
    ...{ accessKeyId: accessKey, secretAccessKey: secretKey },
  }
  // Of a site, only what the log reads.
  const site = { id: SITE_ID, hosts: ['docs.example.jp'], logUpload } as unknown as EdgeSite
  const state = { site: site as EdgeSite | undefined, allowPrivate: true }
  const open = () =>
    new UploadedAccessLog({
      ...{ folder, edgeId: 'edge1', clock, log, siteOf: () => state.site },
      put: (url, body, headers) => put(url, body, headers, { allowPrivate: state.allowPrivate }),
    })
  const uploaded = () => [...s3.objects.values()].map((body) => String(gunzipSync(body))).join('')
  return { s3, folder, clock, errors, site, state, open, uploaded }
}

test('uploads a file when it is old enough, under a name of its time, and removes it', async (t) => {
  const { s3, folder, clock, site, open, uploaded } = await prepare(t)
  const log = open()
  log.write(site, entry('/one', clock.now()))
  clock.time += 179_999
  await log.upload()
  assert.equal(s3.objects.size, 0)
  const openedAt = new Date(clock.time - 179_999).toISOString()
  clock.time += 1
  await log.upload()
  const [key = ''] = s3.objects.keys()
  const stamp = openedAt.replaceAll(/[-:]|\.\d+/g, '')
  assert.match(key, /^docs\.example\.jp\/\d{4}\/\d\d\/\d\d\/\d{8}T\d{6}Z-edge1-\d+-1\.log\.gz$/)
  assert.ok(key.includes(stamp))
  assert.match(uploaded(), /^192\.0\.2\.1 .*"GET \/one HTTP\/1\.1" 200/)
  assert.deepEqual(readdirSync(folder), [])
})

test('uploads a file when it is large enough', async (t) => {
  const { clock, site, open, uploaded } = await prepare(t)
  const log = open()
  const target = `/${'x'.repeat(9_000)}`
  for (let count = 0; count < 240; count += 1) log.write(site, entry(target, clock.now()))
  await log.upload()
  assert.ok(uploaded().length >= 2 * 2 ** 20)
  await log.stop()
  assert.equal(uploaded().trim().split('\n').length, 240)
})

test('uploads what a killed process has left, and what it had uploaded already over itself', async (t) => {
  const { s3, folder, clock, errors, open, uploaded } = await prepare(t)
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  writeFileSync(join(folder, `${SITE_ID}-${clock.time}-${pid}-1.log`), 'one\n')
  writeFileSync(join(folder, `${SITE_ID}-${clock.time}-${process.pid}-7.log`), 'two\n')
  await open().upload()
  assert.deepEqual(uploaded().split('\n').sort(), ['', 'one', 'two'])
  writeFileSync(join(folder, `${SITE_ID}-${clock.time}-${pid}-1.log`), 'one\n')
  await open().upload()
  assert.equal(s3.objects.size, 2)
  assert.deepEqual(errors, [])
})

test('leaves the files of a process that runs alone', async (t) => {
  const { s3, folder, clock, open } = await prepare(t)
  writeFileSync(join(folder, `${SITE_ID}-${clock.time}-${process.ppid}-1.log`), 'theirs\n')
  await open().upload()
  assert.equal(s3.objects.size, 0)
  assert.equal(readdirSync(folder).length, 1)
})

test('keeps what a bucket does not take, says so, and removes it after a week', async (t) => {
  const { s3, folder, clock, errors, site, state, open, uploaded } = await prepare(t)
  const log = open()
  state.allowPrivate = false
  log.write(site, entry('/kept', clock.now()))
  await log.stop()
  assert.match(errors.join(), /not uploaded; it is kept.*own network/)
  assert.equal(readdirSync(folder).length, 1)
  state.allowPrivate = true
  await log.upload()
  assert.match(uploaded(), /kept/)

  s3.objects.clear()
  state.site = undefined
  log.write(site, entry('/removed', clock.now()))
  await log.stop()
  clock.time += 7 * 24 * 3_600_000
  await log.upload()
  assert.equal(readdirSync(folder).length, 1)
  clock.time += 1
  await log.upload()
  assert.deepEqual(readdirSync(folder), [])
  assert.match(errors.at(-1) ?? '', /removed without upload/)
})

test('records nothing of a site without upload', async (t) => {
  const { folder, clock, site, open } = await prepare(t)
  open().write({ ...site, logUpload: null }, entry('/', clock.now()))
  assert.deepEqual(readdirSync(folder), [])
})
