/**
 * Ends a connection on which a packet is announced that is too large. The parser of the broker would collect up to
 * 256 MiB of it.
 */
import type { Duplex } from 'node:stream'

/** The length of a packet has at most four bytes, each with seven bits of it. */
const LENGTH_BYTES_MAX = 4

/** Follows the packets of one connection by their lengths alone. */
export class PacketMeter {
  readonly #most: number
  #place: 'type' | 'length' | 'rest' = 'type'
  #length = 0
  #lengthBytes = 0
  #left = 0

  constructor(most: number) {
    this.#most = most
  }

  /** False when a packet begins in this chunk that is larger than may be. */
  passes(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#place === 'rest') {
        const skipped = Math.min(this.#left, chunk.length - at)
        at += skipped
        this.#left -= skipped
        if (this.#left === 0) this.#place = 'type'
      } else {
        if (this.#place === 'type') this.#begin()
        else if (!this.#readLength(chunk[at] ?? 0)) return false
        at += 1
      }
    }
    return true
  }

  #begin(): void {
    this.#place = 'length'
    this.#length = 0
    this.#lengthBytes = 0
  }

  #readLength(byte: number): boolean {
    this.#length += (byte & 0x7f) * 128 ** this.#lengthBytes
    this.#lengthBytes += 1
    if (this.#length > this.#most || this.#lengthBytes > LENGTH_BYTES_MAX) return false
    if (byte < 0x80) {
      this.#left = this.#length
      this.#place = this.#left === 0 ? 'type' : 'rest'
    }
    return true
  }
}

/** The broker takes what was received by `read`, so that is where it is looked at. */
export function limitPackets(socket: Duplex, most: number): void {
  const meter = new PacketMeter(most)
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: Uint8Array | null = read(size)
    if (chunk === null || meter.passes(chunk)) return chunk
    socket.destroy(new Error('a packet is too large'))
    return null
  }
}
