import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { DeviceSettings, Reason, Session } from '../sim/public.ts'
import { ROUTES_MAX } from './rules.ts'

/** A text that FreeRADIUS takes as it is, instead of replacing what looks like a variable. */
const plain = (...value: readonly string[]) => ({ value, do_xlat: false })

export function acceptToWire(
  session: Session,
  { dns, routes }: DeviceSettings,
  interimSeconds: number,
) {
  const [primary, secondary] = dns
  const ways = routes.slice(0, ROUTES_MAX).map((prefix) => `${prefix} 0.0.0.0 1`)
  return {
    'reply:Framed-IP-Address': formatIpv4(session.ip),
    ...(ways.length > 0 && { 'reply:Framed-Route': { ...plain(...ways), op: '+=' } }),
    ...(primary !== undefined && { 'reply:MS-Primary-DNS-Server': primary }),
    ...(secondary !== undefined && { 'reply:MS-Secondary-DNS-Server': secondary }),
    'reply:Acct-Interim-Interval': interimSeconds,
    ...(session.bitsPerSecond !== undefined && {
      'reply:WISPr-Bandwidth-Max-Up': session.bitsPerSecond,
      'reply:WISPr-Bandwidth-Max-Down': session.bitsPerSecond,
    }),
  }
}

export function rejectToWire(reason: Reason) {
  return { 'reply:Reply-Message': plain(reason) }
}
