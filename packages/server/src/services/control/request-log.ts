/** The requests and changes of late, in the memory of this process: so many, and so many bytes of bodies. */
import { Readable } from 'node:stream'
import { NotFound } from '../../kernel/errors.ts'
import {
  BODY_BYTES_KEPT,
  type Change,
  EVENTS_KEPT,
  type Event,
  type Kept,
  type Seen,
} from './request-rules.ts'

/** A listener that is behind by more than this is let go; it can come back with the id it has. */
const STREAM_BYTES_MAX = 1024 * 1024

export class RequestLog {
  #kept: Event[] = []
  /** Where the oldest stands; those before it are gone, and are cleared away many at a time. */
  #oldest = 0
  #bytes = 0
  #count = 0
  readonly #streams = new Map<Readable, (event: Event) => string>()

  add(seen: Seen): void {
    const number = this.#next()
    this.#keep({ kind: 'request', number, request: Object.assign(seen, { number }) })
    const { time, serial, changes } = seen
    for (const _ in changes) {
      this.addChange({ time, source: { serial }, changes })
      break
    }
  }

  addChange(change: Change): void {
    this.#keep({ kind: 'change', number: this.#next(), change })
  }

  /** Newest first. */
  list(): Kept[] {
    return this.#live()
      .flatMap((event) => (event.kind === 'request' ? [event.request] : []))
      .toReversed()
  }

  get(serial: string): Kept {
    const entry = this.list().find((candidate) => candidate.serial === serial)
    if (entry === undefined) {
      throw new NotFound(
        `The request ${serial} is not kept here.`,
        `リクエスト ${serial} の記録はありません。`,
      )
    }
    return entry
  }

  /** What comes from now on; with a number, first what came after it and is still kept. */
  stream(after: number | undefined, format: (event: Event) => string): Readable {
    const stream = new Readable({ read: () => undefined })
    stream.once('close', () => this.#streams.delete(stream))
    stream.push(': events follow\n\n')
    if (after !== undefined) {
      for (const event of this.#live()) if (event.number > after) stream.push(format(event))
    }
    this.#streams.set(stream, format)
    return stream
  }

  endStreams(): void {
    for (const stream of this.#streams.keys()) stream.push(null)
    this.#streams.clear()
  }

  #live(): Event[] {
    return this.#kept.slice(this.#oldest)
  }

  #next(): number {
    this.#count += 1
    return this.#count
  }

  #keep(event: Event): void {
    this.#kept.push(event)
    this.#bytes += sizeOf(event)
    while (this.#kept.length - this.#oldest > EVENTS_KEPT || this.#bytes > BODY_BYTES_KEPT) {
      const gone = this.#kept[this.#oldest]
      if (gone !== undefined) this.#bytes -= sizeOf(gone)
      this.#oldest += 1
    }
    if (this.#oldest > EVENTS_KEPT / 4) {
      this.#kept = this.#live()
      this.#oldest = 0
    }
    for (const [stream, format] of this.#streams) {
      stream.push(format(event))
      if (stream.readableLength > STREAM_BYTES_MAX) stream.destroy()
    }
  }
}

function sizeOf(event: Event): number {
  if (event.kind === 'change') return 0
  return (event.request.body?.length ?? 0) + (event.request.answer?.length ?? 0)
}
