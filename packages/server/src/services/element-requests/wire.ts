import { utcMicros } from '../../kernel/datetime.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { ElementRequest } from './rules.ts'

export function requestToWire(request: ElementRequest) {
  const { id, element, kind, cause, imsi, state, attempts, createdAt, answeredAt } = request
  return {
    ...{ id, element, kind, cause, imsi, state, attempts },
    resource_id: request.simId,
    session_id: request.sessionId,
    acct_session_id: request.acctSessionId,
    ip: formatIpv4(request.ip),
    bits_per_second: request.bitsPerSecond ?? null,
    error_cause: request.errorCause ?? null,
    reason: request.reason ?? null,
    created_at: utcMicros(createdAt),
    answered_at: answeredAt === undefined ? null : utcMicros(answeredAt),
  }
}
