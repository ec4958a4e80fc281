/** RequestProtocol: what becomes of a request by plain HTTP. */
import type { EdgeSite } from '../../../services/webaccel/public.ts'

export type ProtocolAnswer =
  | { readonly status: 403 }
  | { readonly status: 301; readonly location: string }

export interface ProtocolRequest {
  readonly isTls: boolean
  /** Without a port. */
  readonly host: string
  /** Path and query as they came. */
  readonly target: string
  /** Where clients reach the edge by TLS. */
  readonly tlsPort: number
}

/** Undefined: the request goes on. */
export function protocolAction(
  protocol: EdgeSite['requestProtocol'],
  { isTls, host, target, tlsPort }: ProtocolRequest,
): ProtocolAnswer | undefined {
  if (isTls || protocol === 'both') return undefined
  if (protocol === 'https') return { status: 403 }
  return {
    status: 301,
    location: `https://${host}${tlsPort === 443 ? '' : `:${tlsPort}`}${target}`,
  }
}
