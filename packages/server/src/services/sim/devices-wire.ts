import { utcMicros } from '../../kernel/datetime.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { Refused } from './log-rules.ts'
import type { Session } from './session-rules.ts'

export function sessionToWire(session: Session) {
  return {
    iccid: session.iccid,
    resource_id: session.simId,
    imei: session.imei,
    carrier: session.carrier,
    ip: formatIpv4(session.ip),
    since: utcMicros(session.since),
    uplink_bytes: session.uplinkBytes,
    downlink_bytes: session.downlinkBytes,
    ...(session.element && {
      element: session.element.name,
      acct_session_id: session.element.acctSessionId,
    }),
    ...(session.seenAt && { seen_at: utcMicros(session.seenAt) }),
    ...(session.bitsPerSecond !== undefined && { bits_per_second: session.bitsPerSecond }),
  }
}

export function refusedToWire({ at, reason, imei, carrier, element }: Refused) {
  return { time: utcMicros(at), reason, imei, carrier, ...(element && { element: element.name }) }
}
