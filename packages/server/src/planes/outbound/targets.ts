/**
 * Which addresses a server may be sent to by its users. An address that a user gives (a webhook, say)
 * must not lead to this machine or into its own network, where others trust whoever asks
 * (docs/adr/0025-outbound-requests.md). One that the operator gives, such as --sms-url, is not checked: such a gateway
 * usually is in that network. Allowed is what the registries of IANA give no special purpose.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of IPv6 nothing outside of it is given to anybody, but `::127.0.0.1` leads here. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv6 addresses that stand for IPv4 ones are judged as those. */
export function isOwnNetwork(address: string): boolean {
  if (isIP(address) === 0) return true
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return true
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)
}
