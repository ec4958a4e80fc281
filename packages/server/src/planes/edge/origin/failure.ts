/** Why an origin could not be used, as the answer says it (RFC 9209). */
import type { ProxyErrorType } from '../policy/status-fields.ts'

export class OriginFailure extends Error {
  readonly type: ProxyErrorType
  readonly status: 502 | 504 | 508

  constructor(type: ProxyErrorType, message: string, options?: ErrorOptions) {
    super(message, options)
    this.type = type
    this.status = STATUS[type] ?? 502
  }
}

const STATUS: { readonly [type in ProxyErrorType]?: 504 | 508 } = {
  connection_timeout: 504,
  connection_read_timeout: 504,
  http_response_timeout: 504,
  proxy_loop_detected: 508,
}

const TYPES: Readonly<Record<string, ProxyErrorType>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_terminated',
  EPIPE: 'connection_terminated',
  ETIMEDOUT: 'connection_timeout',
  EHOSTUNREACH: 'destination_unavailable',
  ENETUNREACH: 'destination_unavailable',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  ENODATA: 'dns_error',
  EPROTO: 'tls_protocol_error',
}

/** What Node throws for a connection. */
export function failureOf(error: unknown): OriginFailure {
  if (error instanceof OriginFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new OriginFailure(typeOf(code), `The origin cannot be used: ${code || 'unknown'}.`, {
    cause: error,
  })
}

function typeOf(code: string): ProxyErrorType {
  const known = TYPES[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return 'http_protocol_error'
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY|INVALID_CA|PURPOSE/.test(code))
    return 'tls_certificate_error'
  return code.startsWith('ERR_SSL') ? 'tls_protocol_error' : 'connection_terminated'
}
