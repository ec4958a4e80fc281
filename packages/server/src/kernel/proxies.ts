/** Which peers may say under which origin a request first came in (`--trust-proxy`). */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

export class Proxies {
  readonly #trusted = new BlockList()
  readonly #areAny: boolean

  /** Addresses and networks, as the configuration has checked them. */
  constructor(trusted: readonly string[]) {
    this.#areAny = trusted.length > 0
    for (const entry of trusted) {
      const [address = '', bits] = entry.split('/')
      const family = isIPv6(address) ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#trusted.addAddress(address, family)
      else this.#trusted.addSubnet(address, Number(bits), family)
    }
  }

  originOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const own = 'encrypted' in socket ? 'https' : 'http'
    const host = headers.host ?? ''
    if (!this.#areAny || !this.trusts(socket.remoteAddress ?? '')) return `${own}://${host}`
    // Each proxy appends its value, so the last is that of the one we trust.
    const protocol = lastOf(headers['x-forwarded-proto']) ?? own
    return `${protocol}://${lastOf(headers['x-forwarded-host']) ?? host}`
  }

  trusts(address: string): boolean {
    return this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim()
}
