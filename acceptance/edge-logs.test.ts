/** Access logs of a site, from requests to the objects in its bucket, also over a crash. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  EDGE_FLAGS,
  edgePorts,
  fetchFrom,
  newCertificate,
  newSite,
  startOrigin,
  WEBACCEL,
} from './edge-cloud.ts'
import { start, temporaryFolder } from './server.ts'
import { waitFor } from './wait.ts'

const HOST = 'www.edge.example.jp'
const BUCKET_HOST = 's3.edge.example.jp'

/** What a hosts file would say: an endpoint must have a name of the public DNS, and this bucket is on this machine. */
const NAMES = `
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
const lookup = dns.lookup
dns.lookup = (name, ...rest) => lookup(name === '${BUCKET_HOST}' ? 'localhost' : name, ...rest)
syncBuiltinESMExports()
`

/** A bucket by TLS, under a certificate that only the given file makes known. */
async function startBucket(t: TestContext) {
  const folder = temporaryFolder(t)
  const { chain, key } = newCertificate(folder, BUCKET_HOST)
  const objects = new Map<string, string>()
  const server = createServer({ cert: chain, key }, async (request, response) => {
    const { method, url = '', headers } = request
    const body = await buffer(request)
    const isSigned = headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=log-key/')
    if (method === 'PUT' && isSigned) objects.set(url, gunzipSync(body).toString())
    response.writeHead(isSigned ? 200 : 403).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const names = join(folder, 'names.mjs')
  writeFileSync(names, NAMES)
  return {
    // With a slash, as some write it.
    endpoint: `https://${BUCKET_HOST}:${port}/`,
    flags: ['--edge-ca-file', join(folder, 'site.pem')],
    environment: { NODE_OPTIONS: `--import=${pathToFileURL(names)}` },
    objects,
    lines: () => [...objects.values()].join('').trim().split('\n'),
  }
}

test('requests are in the bucket of the site when the server has stopped, also those before a crash', async (t) => {
  const origin = await startOrigin(t)
  const bucket = await startBucket(t)
  const data = temporaryFolder(t)
  const flags = [...EDGE_FLAGS, ...bucket.flags]
  const first = await start(data, flags, bucket.environment)
  t.after(() => first.stop('SIGKILL'))
  const id = await newSite(first, HOST, origin)
  const SiteLogUploadConfig = {
    ...{ Bucket: 'logs', Endpoint: bucket.endpoint, Region: 'jp-north-1', Status: 'enabled' },
    ...{ AccessKeyID: 'log-key', SecretAccessKey: 'log-secret' },
  }
  const path = `${WEBACCEL}/site/${id}/log-upload-config`
  const kept = await first.ask('PUT', path, { body: { SiteLogUploadConfig } })
  assert.equal(kept.status, 200)
  // Settings of one moment come together: the site delivers with log upload.
  await waitFor(
    'the site',
    async () => (await fetchFrom(edgePorts(first).port, HOST, '/')).status === 200,
  )
  for (const path of ['/a', '/a', '/b']) await fetchFrom(edgePorts(first).port, HOST, path)
  // A client may have all of a response some milliseconds before the edge knows that it has ended.
  const logs = join(data, 'edge-logs')
  const waiting = () => readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))
  await waitFor('the last request', async () => waiting().join('').includes('GET /b '))
  await first.stop('SIGKILL')
  assert.equal(bucket.objects.size, 0)

  const second = await start(data, flags, bucket.environment)
  t.after(() => second.stop('SIGKILL'))
  await waitFor(
    'the site',
    async () => (await fetchFrom(edgePorts(second).port, HOST, '/c')).status === 200,
  )
  await second.stop()
  const keys = [...bucket.objects.keys()]
  assert.equal(keys.length, 2)
  for (const key of keys) {
    assert.match(
      key,
      /^\/logs\/www\.edge\.example\.jp\/\d{4}\/\d\d\/\d\d\/\d{8}T\d{6}Z-\w+-\d+-1\.log\.gz$/,
    )
  }
  const requests = bucket
    .lines()
    .map((line) => /"GET (\S+) HTTP\/1.1" 200 \d+ "-" "-" (\w+)/.exec(line))
  const seen = requests.map((match) => match?.slice(1).join(' '))
  for (const wanted of ['/a miss', '/a hit', '/b miss', '/c miss']) {
    assert.equal(seen.filter((one) => one === wanted).length, 1, `${wanted} in ${seen.join()}`)
  }
})
