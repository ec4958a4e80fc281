/** Which peers may say under which origin, and from which address, a request first came in (`--trust-proxy`). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { AddressList } from './address-list.ts'

type Head = Pick<IncomingMessage, 'socket' | 'headers'>

export class Proxies {
  readonly #trusted: AddressList
  readonly #areAny: boolean

  /** Addresses and networks, as the configuration has checked them. */
  constructor(trusted: readonly string[]) {
    this.#areAny = trusted.length > 0
    this.#trusted = new AddressList(trusted)
  }

  originOf({ socket, headers }: Head): string {
    const own = 'encrypted' in socket ? 'https' : 'http'
    const host = headers.host ?? ''
    if (!this.#areAny || !this.trusts(socket.remoteAddress ?? '')) return `${own}://${host}`
    // Each proxy appends its value, so the last is that of the one we trust.
    const protocol = lastOf(headers['x-forwarded-proto']) ?? own
    return `${protocol}://${lastOf(headers['x-forwarded-host']) ?? host}`
  }

  /** The client's own address, without the prefix that an IPv4 address has on an IPv6 socket. */
  clientOf({ socket, headers }: Head): string {
    const peer = socket.remoteAddress ?? ''
    const forwarded = [headers['x-forwarded-for']].flat().join(',')
    const named =
      this.#areAny && forwarded !== ''
        ? clientAddress(peer, forwarded, (address) => this.trusts(address))
        : peer
    // A proxy that names something else than an address is the client itself.
    return (isIP(named) === 0 ? peer : named).replace(/^::ffff:(?=\d+\.)/i, '')
  }

  trusts(address: string): boolean {
    return this.#trusted.has(address)
  }
}

/** The last one that no trusted proxy has: those before it are what the client itself may have written. */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  if (forwardedFor === undefined || !isTrusted(peer)) return peer
  const named = forwardedFor.split(',').map((address) => address.trim())
  return named.findLast((address) => !isTrusted(address)) ?? named[0] ?? peer
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim()
}
