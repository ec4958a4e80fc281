/** Addresses of SIMs: the fixed one that a caller sets, and those that a network gives. */
import { BadRequest } from '../../kernel/errors.ts'
import { type Cidr, isPrivateIpv4, looksLikeIpv4, parseIpv4 } from '../../kernel/ipv4.ts'

/** How many addresses are looked at with one question. */
const WINDOW = 256

/** The first two refusals of the interface, in its order. */
export function parseFixedIp(text: string): number {
  if (!looksLikeIpv4(text)) {
    throw new BadRequest(
      'sim.ip must be four groups of one to three digits with dots between.',
      'sim.ip は 1～3 桁の数字 4 組をドットで区切った形式です。',
    )
  }
  const address = parseIpv4(text)
  if (address === undefined) {
    throw new BadRequest(
      `sim.ip ${text} is not an IPv4 address: each group is 0 to 255, without leading zeros.`,
      `sim.ip ${text} はIPv4アドレスではありません（各組は 0～255、先頭の 0 は不可）。`,
    )
  }
  if (!isPrivateIpv4(address)) {
    throw new BadRequest(
      `sim.ip ${text} is not a private address (10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16).`,
      `sim.ip ${text} はプライベートアドレスではありません。`,
    )
  }
  return address
}

export interface Window {
  readonly first: number
  readonly last: number
}

/**
 * The pool in pieces, beginning at one that depends on the SIM alone: so a SIM that comes back mostly
 * gets the address it had, and SIMs that come together look in different places.
 */
export function* poolWindows(pool: Cidr, simId: string): Generator<Window> {
  const size = 2 ** (32 - pool.prefixLength)
  const first = pool.network + (size > 2 ? 2 : 0)
  const last = pool.network + size - (size > 2 ? 2 : 1)
  const windows = Math.ceil((last - first + 1) / WINDOW)
  const start = Number(simId) % windows
  for (let step = 0; step < windows; step += 1) {
    const from = first + ((start + step) % windows) * WINDOW
    yield { first: from, last: Math.min(from + WINDOW - 1, last) }
  }
}

export function firstFree({ first, last }: Window, taken: ReadonlySet<number>): number | undefined {
  for (let address = first; address <= last; address += 1) {
    if (!taken.has(address)) return address
  }
  return undefined
}
