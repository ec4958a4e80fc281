/**
 * IPv4 addresses as whole numbers from 0 to 2^32 - 1, and networks of them. Plain arithmetic
 * instead of bit operators, which would turn the upper half of the addresses negative.
 */

export interface Cidr {
  readonly network: number
  readonly prefixLength: number
}

const FORM = /^\d{1,3}(?:\.\d{1,3}){3}$/
const PREFIX_LENGTH = /^(?:0|[1-9]\d?)$/

// RFC 1918: 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16.
const PRIVATE: readonly Cidr[] = [
  { network: 10 * 2 ** 24, prefixLength: 8 },
  { network: 172 * 2 ** 24 + 16 * 2 ** 16, prefixLength: 12 },
  { network: 192 * 2 ** 24 + 168 * 2 ** 16, prefixLength: 16 },
]

/** The interface's own check of form: four dot-separated groups of 1 to 3 digits. */
export function looksLikeIpv4(text: string): boolean {
  return FORM.test(text)
}

/**
 * Refuses a group such as `010` besides those over 255: some programs read it as ten and others,
 * octal, as eight, and an address must mean the same to all of them.
 */
export function parseIpv4(text: string): number | undefined {
  if (!looksLikeIpv4(text)) return undefined
  let address = 0
  for (const group of text.split('.')) {
    const value = Number(group)
    if (value > 255 || String(value) !== group) return undefined
    address = address * 256 + value
  }
  return address
}

export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

export function isPrivateIpv4(address: number): boolean {
  return PRIVATE.some((network) => contains(network, address))
}

/** `192.168.0.0/16`; refuses an address with host bits set, which names no network. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  const network = parseIpv4(address)
  if (network === undefined || rest.length > 0 || !PREFIX_LENGTH.test(length)) return undefined
  const cidr = { network, prefixLength: Number(length) }
  if (cidr.prefixLength > 32 || network % size(cidr) !== 0) return undefined
  return cidr
}

export function formatCidr(cidr: Cidr): string {
  return `${formatIpv4(cidr.network)}/${cidr.prefixLength}`
}

export function contains(cidr: Cidr, address: number): boolean {
  return address >= cidr.network && address < cidr.network + size(cidr)
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return contains(a, b.network) || contains(b, a.network)
}

function size(cidr: Cidr): number {
  return 2 ** (32 - cidr.prefixLength)
}
