/**
 * CORSRules: the site says who may read its responses in a browser, in the place of its origin. Without rules, what the
 * origin says passes. Names of headers are in lower case.
 */
import type { EdgeSite } from '../../../services/webaccel/public.ts'

type Rules = EdgeSite['cors'] | undefined
type Fields = Readonly<Record<string, string>>
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Long enough to spare most preflights, short enough that changed rules are seen on the same day. */
const MAX_AGE_SECONDS = 7_200

export interface CorsAnswer {
  readonly status: 204 | 403
  readonly headers: Fields
}

/** The answer to a preflight; undefined when the request is none, or when the site has no rules. */
export function preflightOf(
  rules: Rules,
  method: string,
  headers: RequestHeaders,
): CorsAnswer | undefined {
  const wanted = textOf(headers['access-control-request-method'])
  const origin = textOf(headers.origin)
  if (!rules || method !== 'OPTIONS' || wanted === undefined || origin === undefined)
    return undefined
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
  const allowed = allowedOrigin(rules, origin)
  if (allowed === undefined) return { status: 403, headers: { vary } }
  const wantedHeaders = textOf(headers['access-control-request-headers'])
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': wanted,
      ...(wantedHeaders !== undefined && { 'access-control-allow-headers': wantedHeaders }),
      'access-control-max-age': String(MAX_AGE_SECONDS),
      vary,
    },
  }
}

export interface CorsFields {
  /** Of the origin's response; the one that the rules decide. */
  readonly drop: readonly string[]
  readonly set: Fields
  /** Whether the answer depends on the Origin field. It is said to clients only; one object serves all of them. */
  readonly vary: boolean
}

const DROP = ['access-control-allow-origin']
const NONE: CorsFields = { drop: [], set: {}, vary: false }
const ANY: CorsFields = { drop: DROP, set: { 'access-control-allow-origin': '*' }, vary: false }
const NOT_LISTED: CorsFields = { drop: DROP, set: {}, vary: true }

export function corsHeaders(rules: Rules, origin: string | undefined): CorsFields {
  if (!rules) return NONE
  if ('any' in rules) return ANY
  const allowed = origin === undefined ? undefined : allowedOrigin(rules, origin)
  if (allowed === undefined) return NOT_LISTED
  return { ...NOT_LISTED, set: { 'access-control-allow-origin': allowed } }
}

/** Schemes and hosts are the same in any case; the request's own form is echoed, since browsers compare it exactly. */
function allowedOrigin(rules: NonNullable<Rules>, origin: string): string | undefined {
  if ('any' in rules) return '*'
  const isListed = rules.origins.some((one) => one.toLowerCase() === origin.toLowerCase())
  return isListed ? origin : undefined
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ')
}
