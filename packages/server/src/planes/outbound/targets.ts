/**
 * Which addresses a server may be sent to by its users. An address that a user gives (a webhook, say)
 * must not lead to this machine or into its own network, where others trust whoever asks
 * (docs/adr/0025-outbound-requests.md).
 */
import { BlockList, isIP, isIPv6 } from 'node:net'

const own = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  // Forms that carry an IPv4 address inside: translation, 6to4, Teredo.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]) {
  const [address = '', length] = network.split('/')
  own.addSubnet(address, Number(length), isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** IPv6 addresses that stand for IPv4 ones are judged as those. */
export function isOwnNetwork(address: string): boolean {
  return isIP(address) === 0 || own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
