/**
 * A body while it comes from an origin, for any number of clients. Either all of it is kept, because it is going to be
 * stored, and the origin is read as fast as it sends; or only a window is, and the origin is paused until the fastest
 * client has read. A client that is further behind than the window is dropped: it neither holds the origin nor the others.
 */
import type { ByteRange } from '../policy/ranges.ts'
import { countPassed } from './collect.ts'
import type { Exchange } from './exchange.ts'

/** What may wait for the fastest client. */
const AHEAD_BYTES = 256 * 1024

interface Source {
  pause(): void
  resume(): void
}

export class StreamBody {
  readonly #source: Source
  /** How far a slow client may be behind when not all is kept. */
  readonly #windowBytes: number
  readonly #idle: () => void
  readonly #readers = new Set<BodyReader>()
  #chunks: Buffer[] = []
  /** How many chunks are gone. */
  #dropped = 0
  #received = 0
  #keepsAll: boolean
  #isComplete = false
  #isFailed = false
  #isPaused = false

  /** `idle` is called when the last client has gone. */
  constructor(source: Source, keepsAll: boolean, windowBytes: number, idle: () => void) {
    this.#source = source
    this.#keepsAll = keepsAll
    this.#windowBytes = windowBytes
    this.#idle = idle
  }

  get received(): number {
    return this.#received
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get isFailed(): boolean {
    return this.#isFailed
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0
  }

  /** A copy of its own: the chunks are parts of larger buffers. */
  whole(): Buffer {
    const all = Buffer.allocUnsafeSlow(this.#received)
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(all, at)
    return all
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#received += chunk.length
    for (const reader of [...this.#readers]) reader.pump()
    if (this.#keepsAll) return
    this.#balance()
    countPassed(chunk.length)
  }

  complete(): void {
    this.#isComplete = true
    for (const reader of [...this.#readers]) reader.pump()
  }

  fail(): void {
    this.#isFailed = true
    for (const reader of [...this.#readers]) reader.drop()
  }

  /** It has become too large to be stored. */
  keepWindow(): void {
    this.#keepsAll = false
    this.#balance()
  }

  /** `done` is called with the bytes that were written, at the end or when the client is gone. */
  attach(exchange: Exchange, range: ByteRange | undefined, done: (bytes: number) => void): void {
    const reader = new BodyReader(this, exchange, range, (bytes) => {
      this.#readers.delete(reader)
      if (!this.#keepsAll) this.#balance()
      done(bytes)
      if (this.#readers.size === 0) this.#idle()
    })
    this.#readers.add(reader)
    reader.pump()
  }

  /** Undefined when it has not come yet. */
  chunkAt(index: number): Buffer | undefined {
    return this.#chunks[index - this.#dropped]
  }

  #balance(): void {
    let fastest = 0
    let slowest = this.#dropped + this.#chunks.length
    for (const reader of [...this.#readers]) {
      if (this.#received - reader.taken > this.#windowBytes) reader.drop()
      else {
        fastest = Math.max(fastest, reader.taken)
        slowest = Math.min(slowest, reader.index)
      }
    }
    this.#chunks.splice(0, slowest - this.#dropped)
    this.#dropped = slowest
    const isAhead = this.#readers.size > 0 && this.#received - fastest > AHEAD_BYTES
    if (isAhead === this.#isPaused) return
    this.#isPaused = isAhead
    if (isAhead) this.#source.pause()
    else this.#source.resume()
  }

  /** A reader has gone on. */
  moved(): void {
    if (!this.#keepsAll) this.#balance()
  }
}

class BodyReader {
  readonly #body: StreamBody
  readonly #exchange: Exchange
  readonly #range: ByteRange | undefined
  readonly #done: (bytes: number) => void
  #written = 0
  #isBlocked = false
  #isOver = false
  /** Of the next chunk. */
  index = 0
  /** Bytes of all chunks before it. */
  taken = 0

  constructor(
    body: StreamBody,
    exchange: Exchange,
    range: ByteRange | undefined,
    done: (bytes: number) => void,
  ) {
    this.#body = body
    this.#exchange = exchange
    this.#range = range
    this.#done = done
    exchange.onClose(() => this.#finish())
  }

  pump(): void {
    let chunk = this.#next()
    while (chunk !== undefined) {
      const part = this.#partOf(chunk)
      this.index += 1
      this.taken += chunk.length
      this.#written += part.length
      if (part.length > 0 && !this.#exchange.write(part)) {
        this.#isBlocked = true
        this.#exchange.onDrain(() => {
          this.#isBlocked = false
          this.pump()
          if (!this.#isOver) this.#body.moved()
        })
      }
      chunk = this.#next()
    }
    const hasAll = this.#range !== undefined && this.taken >= this.#range.end
    if (this.#isOver || this.#isBlocked) return
    if (hasAll || (this.#body.isComplete && this.#body.chunkAt(this.index) === undefined)) {
      this.#exchange.end()
      this.#finish()
    }
  }

  /** The client does not get the rest. */
  drop(): void {
    if (this.#isOver) return
    this.#exchange.abort()
    this.#finish()
  }

  #next(): Buffer | undefined {
    if (this.#isOver || this.#isBlocked) return undefined
    if (this.#range !== undefined && this.taken >= this.#range.end) return undefined
    return this.#body.chunkAt(this.index)
  }

  #partOf(chunk: Buffer): Buffer {
    if (this.#range === undefined) return chunk
    const start = Math.max(0, this.#range.start - this.taken)
    return chunk.subarray(Math.min(start, chunk.length), this.#range.end - this.taken)
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#done(this.#written)
  }
}
