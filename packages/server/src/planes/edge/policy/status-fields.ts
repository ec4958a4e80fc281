/** What the edge says about itself in a response: Cache-Status (RFC 9211) and Proxy-Status (RFC 9209). */

export const CACHE_NAME = 'kumoi'

/** Why the request was forwarded (RFC 9211, section 2.2). */
export type Forward =
  | 'bypass'
  | 'method'
  | 'uri-miss'
  | 'vary-miss'
  | 'request'
  | 'stale'
  | 'partial'

export interface Forwarded {
  readonly forward: Forward
  /** Of the origin, where it is not the response's. */
  readonly forwardStatus?: number | undefined
  readonly isStored?: boolean
  /** Another client's request was used. */
  readonly isCollapsed?: boolean
  readonly detail?: string
}

/** `ttlSeconds` is below 0 for what is stale. */
export function hitStatus(ttlSeconds: number): string {
  return `${CACHE_NAME}; hit; ttl=${Math.floor(ttlSeconds)}`
}

export function forwardStatus(forwarded: Forwarded): string {
  const { forward, forwardStatus: status, isStored, isCollapsed, detail } = forwarded
  return [
    `${CACHE_NAME}; fwd=${forward}`,
    status !== undefined && `fwd-status=${status}`,
    isStored && 'stored',
    isCollapsed && 'collapsed',
    detail !== undefined && `detail="${detail}"`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** RFC 9209, section 2.3: those that occur here. */
export type ProxyErrorType =
  | 'connection_refused'
  | 'connection_terminated'
  | 'connection_timeout'
  | 'connection_read_timeout'
  | 'destination_ip_prohibited'
  | 'dns_error'
  | 'destination_unavailable'
  | 'http_protocol_error'
  | 'http_response_body_size'
  | 'http_response_incomplete'
  | 'http_response_timeout'
  | 'proxy_internal_error'
  | 'proxy_loop_detected'
  | 'tls_certificate_error'
  | 'tls_protocol_error'

export function proxyStatus(error: ProxyErrorType): string {
  return `${CACHE_NAME}; error=${error}`
}
