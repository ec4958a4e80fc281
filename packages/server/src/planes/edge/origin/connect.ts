/** Connections to origins. The address that is checked is the one that is connected to: the check is part of the lookup. */
import type { Agent as PlainAgent } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { checkedLookup } from '../../../kernel/checked-lookup.ts'
import { http, https } from '../../../kernel/node-http.ts'
import { OriginFailure } from './failure.ts'

/** Of one origin, to which many sites may lead. */
const SOCKETS_MAX = 1024
const IDLE_SOCKETS_MAX = 64
const IDLE_SOCKET_MS = 30_000

export interface Agents {
  readonly http: PlainAgent
  readonly https: SecureAgent
}

export function newAgents(
  isForbidden: (address: string) => boolean,
  roots: readonly string[],
): Agents {
  const options = {
    keepAlive: true,
    maxSockets: SOCKETS_MAX,
    maxFreeSockets: IDLE_SOCKETS_MAX,
    timeout: IDLE_SOCKET_MS,
    lookup: checkedLookup(isForbidden, prohibited),
  }
  const ca = roots.length > 0 ? { ca: [...rootCertificates, ...roots] } : {}
  return { http: new http.Agent(options), https: new https.Agent({ ...options, ...ca }) }
}

/** A literal address is connected to without a lookup. */
export function checkLiteral(host: string, isForbidden: (address: string) => boolean): void {
  if (isIP(host) !== 0 && isForbidden(host)) throw prohibited()
}

function prohibited(): OriginFailure {
  return new OriginFailure(
    'destination_ip_prohibited',
    'The address of the origin is one that origins may not have.',
  )
}
