/** What of a client's fields an origin is sent. */
import { hopByHop, type RequestFields } from '../policy/fields.ts'
import { CACHE_NAME } from '../policy/status-fields.ts'

/**
 * Fields that frameworks take for parts of the request itself. They are not in the key of an object, so that one client
 * could choose by them what all others are served; the edge is the first that the request meets, so none is true.
 */
export const UNTRUE_FIELDS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-host',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-real-ip',
]
const DROPPED = new Set(['host', 'expect', 'content-length', 'x-webaccel-guard', ...UNTRUE_FIELDS])

/** They are of the client's own cache; a fetch for ours asks for the whole. */
const OF_THE_CLIENT = [
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
  'if-range',
  'range',
]

/** As a flat list. `whole` asks for the response as it is stored. */
export function forwardedFields(
  fields: RequestFields,
  address: string,
  siteId: string,
  whole: boolean,
): string[] {
  const isHop = hopByHop(fields.connection)
  const sent: string[] = []
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || name.startsWith(':') || name === 'via') continue
    if (isHop(name) || DROPPED.has(name) || (whole && OF_THE_CLIENT.includes(name))) continue
    sent.push(name, value)
  }
  const via = `1.1 ${pseudonym(siteId)}`
  sent.push('via', fields.via === undefined ? via : `${fields.via}, ${via}`)
  sent.push('x-forwarded-for', address)
  return sent
}

/** RFC 9110, section 7.6.3: the same site on all edges, so that a loop through several is seen, too. */
function pseudonym(siteId: string): string {
  return `${CACHE_NAME}-${siteId}`
}

export function isLoop(fields: RequestFields, siteId: string): boolean {
  if (fields.via === undefined) return false
  return fields.via.split(',').some((hop) => hop.trim().split(/\s+/)[1] === pseudonym(siteId))
}
