/** Settings of sites and what each means at an edge: one table for all engines (docs/webaccel.md, "At the edge"). */
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { EdgeAnswer } from './edge-process.ts'

export interface Engine {
  readonly name: string
  readonly port: number
  readonly tlsPort: number
}

export interface Row {
  readonly setting: string
  /** Of the site's domain, `<name>.settings.example.jp`. */
  readonly name: string
  /** Fields of the site beyond those of a site with the origin of the test. */
  readonly site?: Readonly<Record<string, unknown>>
  /** Calls after its creation, below `/site/<id>`. */
  readonly calls?: readonly (readonly [string, string, unknown?])[]
  check(at: At): Promise<void>
}

type Headers = Readonly<Record<string, string>>

/** A site at one engine. */
export interface At {
  readonly engine: Engine
  readonly host: string
  get(path: string, headers?: Headers, method?: string): Promise<EdgeAnswer>
  /** What the origin was sent by the last of our requests. */
  seen(): { readonly url: string; readonly headers: Readonly<Record<string, string | undefined>> }
  /** How often the origin was asked for the path since the test began. */
  fetched(path: string): number
}

const FRESH = 'h-cache-control=max-age=60'

/** Asks twice, and says whether the second answer came from the cache. */
async function isStored({ get }: At, path: string, first: Headers = {}, second = first) {
  await get(path, first)
  return /; hit/.test(String((await get(path, second)).headers['cache-status']))
}

function onetimeQuery(path: string, secret: string, seconds: number, host?: string): string {
  const time = seconds.toString(16)
  const md5 = createHash('md5').update(`${path}/${secret}/${time}/`).digest('hex')
  if (host === undefined) return `webaccel_secure_time=${time}&webaccel_secure_hash=${md5}`
  const hmac = createHmac('sha256', secret).update(`${host}\n${path}\n${time}`).digest('hex')
  return `webaccel_secure_time=${time}&webaccel_secure_hmac=${hmac}`
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const hasCode = async (at: At, path: string, status: number) =>
  assert.equal((await at.get(path)).status, status, path)

const origins: Row[] = [
  {
    setting: 'RequestProtocol 1 refuses plain HTTP',
    ...{ name: 'https', site: { RequestProtocol: '1' } },
    check: (at) => hasCode(at, '/a', 403),
  },
  {
    setting: 'RequestProtocol 2 redirects it, path and query kept',
    ...{ name: 'redirect', site: { RequestProtocol: '2' } },
    async check({ get, host, engine }) {
      const { status, headers } = await get('/a%20b//c?d=1&&e')
      const location = `https://${host}:${engine.tlsPort}/a%20b//c?d=1&&e`
      assert.deepEqual([status, headers.location], [301, location])
    },
  },
  {
    setting: 'Origin is asked with HostHeader, and the path as it came',
    ...{ name: 'origin', site: { HostHeader: 'inner.example.jp' } },
    async check({ get, seen }) {
      await get('/a%2Fb//c;d/%E3%81%82?x=1&&y=%2f')
      assert.equal(seen().url, '/a%2Fb//c;d/%E3%81%82?x=1&&y=%2f')
      assert.equal(seen().headers.host, 'inner.example.jp')
    },
  },
  {
    setting: 'Status disabled is 503',
    ...{ name: 'disabled', calls: [['PUT', '/status', { Site: { Status: 'disabled' } }]] },
    check: (at) => hasCode(at, '/', 503),
  },
  {
    setting: 'the origin guard token is sent, and one from outside is not',
    ...{ name: 'guard', calls: [['POST', '/origin-guard-token']] },
    async check({ get, seen }) {
      await get('/', { 'x-webaccel-guard': 'mine' })
      assert.match(seen().headers['x-webaccel-guard'] ?? '', /^(?!mine).{8,}$/)
    },
  },
  {
    setting: 'fields of clients that would be taken for the address or the host are not sent',
    name: 'untrue',
    async check({ get, seen }) {
      const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'evil.example.jp' }
      await get('/', { ...headers, 'x-http-method-override': 'DELETE' })
      const sent = seen().headers
      assert.equal(sent['x-forwarded-for'], '127.0.0.1')
      assert.equal(sent['x-forwarded-host'], undefined)
      assert.equal(sent['x-http-method-override'], undefined)
    },
  },
  {
    setting: 'a request that comes back to the site is 508',
    name: 'loop',
    async check({ get, seen }) {
      await get('/')
      assert.equal((await get('/', { via: seen().headers.via ?? '' })).status, 508)
    },
  },
  {
    setting: 'without a guard token none is sent',
    name: 'no-guard',
    async check({ get, seen }) {
      await get('/', { 'x-webaccel-guard': 'mine' })
      assert.equal(seen().headers['x-webaccel-guard'], undefined)
    },
  },
  {
    setting: 'ACL refuses an address, and the first match wins',
    name: 'acl',
    calls: [['PUT', '/acl', { ACL: 'deny 127.0.0.0/8\nallow all' }]],
    async check({ get }) {
      assert.equal((await get('/')).status, 403)
      const { status } = await get('/', { 'x-forwarded-for': '192.0.2.1' })
      assert.equal(status, 403, 'nobody is trusted to say so')
    },
  },
  {
    setting: 'ACL allows whom no rule matches',
    ...{ name: 'acl-other', calls: [['PUT', '/acl', { ACL: 'deny 192.0.2.0/24' }]] },
    check: (at) => hasCode(at, '/', 200),
  },
]

const storing: Row[] = [
  {
    setting: 'DefaultCacheTTL -1 stores what the origin calls fresh, and nothing else',
    ...{ name: 'ttl-none', site: { DefaultCacheTTL: -1 } },
    async check(at) {
      assert.equal(await isStored(at, '/silent'), false)
      assert.equal(await isStored(at, '/old?h-last-modified=Mon, 01 Jan 2024 00:00:00 GMT'), false)
      assert.equal(await isStored(at, `/fresh?${FRESH}`), true)
    },
  },
  {
    setting: 'DefaultCacheTTL holds where the origin says nothing',
    ...{ name: 'ttl', site: { DefaultCacheTTL: 600 } },
    async check(at) {
      assert.equal(await isStored(at, '/silent'), true)
      assert.equal(await isStored(at, '/no-store?h-cache-control=no-store'), false)
      assert.equal(await isStored(at, '/private?h-cache-control=private'), false)
      assert.equal(await isStored(at, '/cookie?h-set-cookie=a=b'), false)
      assert.equal(await isStored(at, '/no-cache?h-cache-control=no-cache'), false)
    },
  },
  {
    setting: 'DefaultCacheTTL 0 asks the origin each time',
    ...{ name: 'ttl-zero', site: { DefaultCacheTTL: 0 } },
    async check({ get, seen, fetched }) {
      await get('/z?h-etag="one"')
      await get('/z?h-etag="one"')
      assert.equal(fetched('/z?h-etag="one"'), 2)
      assert.equal(seen().headers['if-none-match'], '"one"')
    },
  },
  {
    setting: 'VarySupport 0 has one object a URL, none for Vary: *',
    ...{ name: 'vary-off', site: { VarySupport: '0' } },
    async check(at) {
      const path = `/v?${FRESH}&h-vary=X-Kind`
      assert.equal(await isStored(at, path, { 'x-kind': 'a' }, { 'x-kind': 'b' }), true)
      assert.match(String((await at.get(path)).headers.vary), /X-Kind/i)
      assert.equal(await isStored(at, `/star?${FRESH}&h-vary=*`), false)
    },
  },
  {
    setting: 'VarySupport 1 has one object a variant',
    ...{ name: 'vary-on', site: { VarySupport: '1' } },
    async check(at) {
      const path = `/v?${FRESH}&h-vary=X-Kind`
      assert.equal(await isStored(at, path, { 'x-kind': 'a' }, { 'x-kind': 'b' }), false)
      assert.equal(await isStored(at, path, { 'x-kind': 'a' }), true)
      assert.equal(await isStored(at, path, { 'x-kind': 'b' }), true)
    },
  },
  ...normalizing('1', { 'gzip, deflate, br': 'gzip', deflate: undefined }),
  ...normalizing('3', {
    'gzip, deflate, br': 'br, gzip',
    br: 'br',
    gzip: 'gzip',
    deflate: undefined,
    'br;q=0, gzip;q=0.5': 'gzip',
  }),
]

function normalizing(NormalizeAE: string, vectors: Record<string, string | undefined>): Row[] {
  return Object.entries(vectors).map(([given, sent], index) => ({
    setting: `NormalizeAE ${NormalizeAE} makes ${given} ${sent ?? 'nothing'}`,
    name: `ae-${NormalizeAE}-${index}`,
    site: { NormalizeAE },
    async check({ get, seen }) {
      await get('/', { 'accept-encoding': given })
      assert.equal(seen().headers['accept-encoding'] || undefined, sent)
    },
  }))
}

const ORIGIN = 'https://app.example.jp'
const ALLOWED = 'access-control-allow-origin'
const OWN_CORS = `/?${FRESH}&h-${ALLOWED}=https://other.example.jp`

const browsers: Row[] = [
  {
    setting: 'CORSRules of any origin replace what the origin says',
    ...{ name: 'cors-any', site: { CORSRules: [{ AllowsAnyOrigin: true }] } },
    async check({ get }) {
      assert.equal((await get(OWN_CORS, { origin: ORIGIN })).headers[ALLOWED], '*')
      assert.equal((await get(OWN_CORS)).headers[ALLOWED], '*')
    },
  },
  {
    setting: 'CORSRules of a list echo the origin that is in it, from one object',
    ...{ name: 'cors-list', site: { CORSRules: [{ AllowedOrigins: [ORIGIN] }] } },
    async check({ get, fetched }) {
      const listed = await get(OWN_CORS, { origin: ORIGIN })
      assert.equal(listed.headers[ALLOWED], ORIGIN)
      assert.match(String(listed.headers.vary), /Origin/)
      const other = await get(OWN_CORS, { origin: 'https://evil.example.jp' })
      assert.equal(other.headers[ALLOWED], undefined)
      assert.equal(fetched(OWN_CORS), 1)
    },
  },
  {
    setting: 'CORSRules have preflights answered at the edge',
    ...{ name: 'preflight', site: { CORSRules: [{ AllowedOrigins: [ORIGIN] }] } },
    async check({ get, fetched }) {
      const asked = { origin: ORIGIN, 'access-control-request-method': 'PUT' }
      const { status, headers } = await get('/pre', asked, 'OPTIONS')
      assert.deepEqual([status, headers[ALLOWED]], [204, ORIGIN])
      assert.equal(headers['access-control-allow-methods'], 'PUT')
      const evil = { ...asked, origin: 'https://evil.example.jp' }
      assert.equal((await get('/pre', evil, 'OPTIONS')).headers[ALLOWED], undefined)
      assert.equal(fetched('/pre'), 0)
    },
  },
  {
    setting: 'CORSRules [] let pass what the origin says',
    ...{ name: 'cors-none', site: { CORSRules: [] } },
    async check({ get }) {
      const { headers } = await get(OWN_CORS, { origin: ORIGIN })
      assert.equal(headers[ALLOWED], 'https://other.example.jp')
    },
  },
  {
    setting: 'OnetimeURLSecrets let nobody in without a signature that holds',
    ...{ name: 'onetime', site: { OnetimeURLSecrets: ['first', 'second'], DefaultCacheTTL: 600 } },
    async check(at) {
      const { get, seen, fetched, host } = at
      const good = (secret: string, name?: string) => onetimeQuery('/o', secret, inAnHour(), name)
      await hasCode(at, '/o', 403)
      await hasCode(at, `/o?${onetimeQuery('/o', 'first', 1000)}`, 403)
      await hasCode(at, `/o?${onetimeQuery('/p', 'first', inAnHour())}`, 403)
      await hasCode(at, `/o?${good('wrong')}`, 403)
      await hasCode(at, `/o?${good('first')}&${good('first')}`, 403)
      await hasCode(at, `/o?${good('first', 'other.example.jp')}`, 403)
      await hasCode(at, `/o?a=1&${good('first')}&b=2`, 200)
      assert.equal(seen().url, '/o?a=1&b=2')
      const again = await get(`/o?a=1&b=2&${good('second', host)}`)
      assert.match(String(again.headers['cache-status']), /; hit/)
      assert.equal(fetched('/o?a=1&b=2'), 1)
    },
  },
]

export const ROWS: readonly Row[] = [...origins, ...storing, ...browsers]
