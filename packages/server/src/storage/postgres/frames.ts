/** Cuts what the server sends into its messages, without copying those that come whole. */

/** `at` is where the content begins, `end` where the next message does. */
export type OnMessage = (type: number, bytes: Buffer, at: number, end: number) => void

/** The type and the length, which counts itself but not the type. */
const HEAD_BYTES = 5

export class Frames {
  readonly #onMessage: OnMessage
  #pieces: Buffer[] = []
  #have = 0
  /** Until then nothing can be cut. */
  #needed = HEAD_BYTES

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#have += piece.length
    if (this.#have < this.#needed) return
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#have)
    this.#pieces = []
    let at = 0
    this.#needed = HEAD_BYTES
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) {
        this.#needed = end - at
        break
      }
      this.#onMessage(bytes[at] ?? 0, bytes, at + HEAD_BYTES, end)
      at = end
    }
    if (at < bytes.length) this.#pieces.push(bytes.subarray(at))
    this.#have = bytes.length - at
  }
}

/** A text that ends with a zero. */
export function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at, bytes.indexOf(0, at))
}
