/** Lists of IP addresses and networks, of both families, by Node's own BlockList. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { parseCidr } from './ipv4.ts'

export class AddressList {
  readonly #list = new BlockList()

  /** Entries that `isAddressOrNetwork` accepts. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/')
      if (bits === undefined) this.#list.addAddress(address, familyOf(address))
      else this.#list.addSubnet(address, Number(bits), familyOf(address))
    }
  }

  /** An IPv4 address that was mapped into IPv6 is the IPv4 address; what is no address is in no list. */
  has(address: string): boolean {
    return this.#list.check(address, familyOf(address))
  }
}

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::1` or `2001:db8::/32`; an IPv4 network has no bits after its prefix. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  // A zone (`fe80::1%eth0`) is the name of an interface of one machine.
  if (version === 0 || rest.length > 0 || address.includes('%')) return false
  if (bits === undefined) return true
  if (version === 4) return parseCidr(text) !== undefined
  return /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= 128
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
