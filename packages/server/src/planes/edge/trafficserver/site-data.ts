/** A site as the script reads it. Everything that users gave is a string of data there, or was checked here. */
import type { EdgeOrigin, EdgePurge, EdgeSite } from '../../../services/webaccel/public.ts'
import { parseAccessList } from '../site/acl.ts'
import { withoutOnetime } from '../site/onetime.ts'
import { type AddressRange, rangeOf } from './address-range.ts'
import type { Generation } from './generations.ts'
import { type LuaValue, luaOf } from './lua-value.ts'

export interface SharedData {
  /** Where clients reach the edge by TLS. */
  readonly tlsPort: number | undefined
  readonly trusted: readonly AddressRange[]
}

/** The source of a file that gives back the site. */
export function siteSource(site: EdgeSite, generation: Generation, shared: SharedData): string {
  return `return ${luaOf(siteTable(site, generation, shared))}\n`
}

function siteTable(site: EdgeSite, generation: Generation, shared: SharedData): LuaValue {
  const { tlsPort, trusted } = shared
  const { cors } = site
  const source = originTable(site.origin)
  return {
    id: site.id,
    ...generation,
    // A site that cannot be reached safely is not reached at all.
    disabled: site.status === 'disabled' || source === undefined || !isFieldValue(site.guardToken),
    protocol: site.requestProtocol,
    tlsPort: tlsPort === undefined || tlsPort === 443 ? '' : `:${tlsPort}`,
    acl: parseAccessList(site.acl).map(({ allows, network }) => ({ allows, ...rangeOf(network) })),
    trusted: trusted.map(({ from, to }) => ({ from, to })),
    onetime: site.onetimeSecrets,
    cors: cors ? ('any' in cors ? { any: true } : { origins: cors.origins }) : undefined,
    ttl: site.defaultCacheTtlSeconds,
    vary: site.varySupport,
    // The codes of proxy.config.http.normalize_ae.
    normalize: site.normalize === 'gzip' ? 1 : 3,
    guard: site.guardToken === '' ? undefined : site.guardToken,
    ...source,
  }
}

function originTable(origin: EdgeOrigin) {
  if (origin.type === 'server') {
    const address = addressOf(origin.protocol, origin.host)
    if (address === undefined || !isHost(origin.hostHeader)) return undefined
    return { origin: { ...address, hostHeader: origin.hostHeader } }
  }
  const { bucket, endpoint, region, accessKeyId, secretAccessKey: secret, docIndex } = origin
  const { protocol, host } = URL.parse(withScheme(endpoint)) ?? {}
  const address = addressOf(protocol === 'http:' ? 'http' : 'https', host ?? '')
  if (address === undefined || !isWord(bucket) || !isWord(region) || !isWord(accessKeyId)) {
    return undefined
  }
  const own = { hostHeader: host ?? '', bucket, region, accessKey: accessKeyId, secret }
  return { storage: { ...address, ...own, index: docIndex } }
}

function withScheme(endpoint: string): string {
  return endpoint.includes('://') ? endpoint : `https://${endpoint}`
}

function addressOf(scheme: 'http' | 'https', host: string) {
  if (!isHost(host)) return undefined
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  return { scheme, host: name, port: Number(port ?? (scheme === 'http' ? 80 : 443)) }
}

/** A name or an IPv4 address, perhaps with a port. */
function isHost(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,253}(:\d{1,5})?$/.test(text)
}

function isWord(text: string): boolean {
  return /^[\w.+/=-]{1,255}$/.test(text)
}

/** What a header field can hold; the field of an empty value is not sent. */
function isFieldValue(text: string): boolean {
  return /^[\x21-\x7e]{0,1024}$/.test(text)
}

/** What of an address is in the key of its object. */
export function purgeTarget(site: EdgeSite | undefined, { target }: EdgePurge): string | null {
  if (target === null) return null
  const [path = '', ...rest] = target.split('?')
  if (site?.origin.type === 'storage') return path
  const given = rest.join('?')
  const query = site?.onetimeSecrets.length ? withoutOnetime(given) : given
  return query === '' ? path : `${path}?${query}`
}

/** Of a file name too: the hosts of a site in the form that requests are compared in. */
export function isHostName(host: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,252}$/.test(host)
}
