/** The requests of late, in the memory of this process: so many, and so many bytes of bodies. */
import { Readable } from 'node:stream'
import { NotFound } from '../../kernel/errors.ts'
import { BODY_BYTES_KEPT, type Kept, REQUESTS_KEPT, type Seen } from './request-rules.ts'

/** A listener that is behind by more than this is let go; it can come back with the id it has. */
const STREAM_BYTES_MAX = 1024 * 1024

export class RequestLog {
  #kept: Kept[] = []
  #bytes = 0
  #count = 0
  readonly #streams = new Map<Readable, (entry: Kept) => string>()

  add(seen: Seen): void {
    this.#count += 1
    const entry = { ...seen, number: this.#count }
    this.#kept.push(entry)
    this.#bytes += sizeOf(entry)
    while (this.#kept.length > REQUESTS_KEPT || this.#bytes > BODY_BYTES_KEPT) {
      const oldest = this.#kept.shift()
      if (oldest !== undefined) this.#bytes -= sizeOf(oldest)
    }
    for (const [stream, format] of this.#streams) {
      stream.push(format(entry))
      if (stream.readableLength > STREAM_BYTES_MAX) stream.destroy()
    }
  }

  /** Newest first. */
  list(): Kept[] {
    return this.#kept.toReversed()
  }

  get(serial: string): Kept {
    const entry = this.#kept.find((candidate) => candidate.serial === serial)
    if (entry === undefined) {
      throw new NotFound(
        `The request ${serial} is not kept here.`,
        `リクエスト ${serial} の記録はありません。`,
      )
    }
    return entry
  }

  /** What comes from now on; with a number, first what came after it and is still kept. */
  stream(after: number | undefined, format: (entry: Kept) => string): Readable {
    const stream = new Readable({ read: () => undefined })
    stream.once('close', () => this.#streams.delete(stream))
    stream.push(': requests follow\n\n')
    if (after !== undefined) {
      for (const entry of this.#kept) if (entry.number > after) stream.push(format(entry))
    }
    this.#streams.set(stream, format)
    return stream
  }

  endStreams(): void {
    for (const stream of this.#streams.keys()) stream.push(null)
    this.#streams.clear()
  }
}

function sizeOf({ body, answer }: Seen): number {
  return (body?.length ?? 0) + (answer?.length ?? 0)
}
