import { BadRequest } from '../../kernel/errors.ts'
import { parseIpv4 } from '../../kernel/ipv4.ts'

/** The resolvers that devices are told. */
export interface DnsServers {
  readonly dns1: string
  readonly dns2: string | undefined
}

export function checkDnsServers(servers: DnsServers): DnsServers {
  checkAddress('sim_group.dns_1', servers.dns1)
  if (servers.dns2 !== undefined) checkAddress('sim_group.dns_2', servers.dns2)
  return servers
}

function checkAddress(at: string, text: string): void {
  if (parseIpv4(text) !== undefined) return
  throw new BadRequest(
    `${at} must be an IPv4 address.`,
    `${at} は IPv4 アドレスでなければなりません。`,
  )
}
