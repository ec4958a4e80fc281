/** What the settings of a site say about a request before anything is looked up: an answer, or what is asked for. */

import type { RequestFields } from '../policy/fields.ts'
import { isAllowed } from '../site/acl.ts'
import { preflightOf } from '../site/cors.ts'
import { normalizeAcceptEncoding } from '../site/encoding.ts'
import { checkOnetime, withoutOnetime } from '../site/onetime.ts'
import { protocolAction } from '../site/protocol.ts'
import { storageTarget } from '../site/storage-path.ts'
import type { ActiveSite } from '../sites.ts'
import type { ClientRequest } from './exchange.ts'

/** In the order in which they are applied. */
export const RULES = [
  'Host',
  'Status',
  'RequestProtocol',
  'ACL',
  'CORSRules',
  'OnetimeURLSecrets',
  'Origin',
] as const
export type Rule = (typeof RULES)[number]

/** The edge answers by itself. */
export interface OwnAnswer {
  readonly rule: Rule
  readonly status: number
  readonly fields: readonly string[]
  readonly text: string
}

/** A request as the cache and the origin see it. */
export interface SiteRequest {
  readonly active: ActiveSite
  readonly method: string
  readonly host: string
  readonly client: ClientRequest
  /** Of the object: site, path and query without what is not part of it. */
  readonly key: string
  /** Path and query for the origin; the key in the bucket for storage. */
  readonly target: string
  readonly fields: RequestFields
}

export interface Surroundings {
  readonly nowMs: number
  /** Where clients reach the edge by TLS. */
  readonly tlsPort: number
}

export function admit(
  request: ClientRequest,
  active: ActiveSite | undefined,
  { nowMs, tlsPort }: Surroundings,
): OwnAnswer | SiteRequest {
  if (active === undefined) return refusal('Host', 404, 'There is no site at this host.')
  const { site, accessList } = active
  if (site.status === 'disabled') return refusal('Status', 503, 'The site is disabled.')
  const { host, isTls, method, target } = request
  const protocol = protocolAction(site.requestProtocol, { host, isTls, target, tlsPort })
  if (protocol?.status === 301) {
    const fields = ['location', protocol.location]
    return {
      rule: 'RequestProtocol',
      status: 301,
      fields,
      text: 'The site is at its https address.',
    }
  }
  if (protocol) return refusal('RequestProtocol', 403, 'The site is reached by https alone.')
  if (accessList.length > 0 && !isAllowed(accessList, request.address)) {
    return refusal('ACL', 403, 'The access list of the site refuses this address.')
  }
  const preflight = preflightOf(site.cors ?? undefined, method, request.fields)
  if (preflight) {
    const fields = Object.entries(preflight.headers).flat()
    return { rule: 'CORSRules', status: preflight.status, fields, text: '' }
  }
  return wanted(request, active, nowMs)
}

function wanted(
  request: ClientRequest,
  active: ActiveSite,
  nowMs: number,
): OwnAnswer | SiteRequest {
  const { site } = active
  const mark = request.target.indexOf('?')
  const path = mark < 0 ? request.target : request.target.slice(0, mark)
  let query = mark < 0 ? undefined : request.target.slice(mark + 1)
  if (site.onetimeSecrets.length > 0) {
    const result = checkOnetime({
      ...{ secrets: site.onetimeSecrets, host: request.host, path, query: query ?? '' },
      nowSeconds: nowMs / 1000,
    })
    if (result !== 'allowed') return refusal('OnetimeURLSecrets', 403, result)
    query = withoutOnetime(query ?? '') || undefined
  }
  const { method, host } = request
  const fields = normalizedFields(request.fields, site.normalize)
  const common = { active, client: request, method, host, fields }
  if (site.origin.type === 'server') {
    const target = query === undefined ? path : `${path}?${query}`
    return { ...common, target, key: keyOf(site.id, target) }
  }
  const target = storageTarget(path, site.origin.docIndex)
  if (target === undefined) return refusal('Origin', 404, 'There is no such object.')
  if (method !== 'GET' && method !== 'HEAD') {
    const answer = refusal('Origin', 405, 'Objects are read by GET and HEAD.')
    return { ...answer, fields: ['allow', 'GET, HEAD'] }
  }
  // The bucket does not get them, so no answer depends on them.
  const asked = { ...fields, cookie: undefined, authorization: undefined }
  return { ...common, fields: asked, target, key: keyOf(site.id, path) }
}

export function keyOf(siteId: string, target: string): string {
  return `${siteId} ${target}`
}

function refusal(rule: Rule, status: number, text: string): OwnAnswer {
  return { rule, status, fields: [], text }
}

function normalizedFields(fields: RequestFields, mode: 'gzip' | 'brotli'): RequestFields {
  const before = fields['accept-encoding']
  if (before === undefined) return fields
  const after = normalizeAcceptEncoding(before, mode)
  return before === after ? fields : { ...fields, 'accept-encoding': after }
}
