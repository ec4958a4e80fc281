/** Addresses as text that compares in their order: `4` or `6`, then hexadecimal digits, as the script has them. */
import ipaddr from 'ipaddr.js'

export interface AddressRange {
  readonly from: string
  readonly to: string
}

/** Undefined is every address. */
export function rangeOf(
  network: readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined,
): AddressRange {
  if (network === undefined) return { from: '4', to: '7' }
  const [address, bits] = network
  const family = address.kind() === 'ipv4' ? '4' : '6'
  const bytes = address.toByteArray()
  const keyOf = (fill: number) =>
    family + bytes.map((byte, at) => hexByte(boundary(byte, bits - at * 8, fill))).join('')
  return { from: keyOf(0), to: keyOf(0xff) }
}

/** The first `bits` of the byte, then those of `fill`. */
function boundary(byte: number, bits: number, fill: number): number {
  const mask = bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff
  return (byte & mask) | (fill & ~mask & 0xff)
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** An address or a network, as `--trust-proxy` takes it. */
export function parseRange(text: string): AddressRange {
  const [address = '', bits] = text.split('/')
  const parsed = ipaddr.process(address)
  return rangeOf([parsed, Number(bits ?? (parsed.kind() === 'ipv4' ? 32 : 128))])
}
