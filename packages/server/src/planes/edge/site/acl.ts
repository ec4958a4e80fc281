/** The access list of a site: rules in their order, the first match decides, and no match is allowed. */
import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

interface Rule {
  readonly allows: boolean
  /** Undefined is every address. */
  readonly network: Network | undefined
}

export type AccessList = readonly Rule[]

/** One rule a line of text, as the web accelerator has checked it. */
export function parseAccessList(acl: string): AccessList {
  const lines = acl.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [verb, target = ''] = line.trim().split(/\s+/)
    return { allows: verb === 'allow', network: target === 'all' ? undefined : networkOf(target) }
  })
}

export function isAllowed(list: AccessList, address: string): boolean {
  if (list.length === 0) return true
  // An IPv4 client of a socket for both families has an IPv6 address that stands for its own.
  const client = ipaddr.isValid(address) ? ipaddr.process(address) : undefined
  const first = list.find(({ network }) => network === undefined || isWithin(client, network))
  return first?.allows ?? true
}

function isWithin(client: ipaddr.IPv4 | ipaddr.IPv6 | undefined, network: Network): boolean {
  return client?.kind() === network[0].kind() && client.match(network)
}

function networkOf(target: string): Network {
  const [text = '', length] = target.split('/')
  const address = ipaddr.parse(text)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  const bits = Number(length ?? (address.kind() === 'ipv4' ? 32 : 128))
  return isMapped && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits]
}
