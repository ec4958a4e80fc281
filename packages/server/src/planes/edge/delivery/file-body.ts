/** Bodies on the disk, on their way to clients: each reads at its own pace, and the origin is held by the disk alone. */
import type { PartialFile } from '../cache/disk.ts'
import type { ByteRange } from '../policy/ranges.ts'
import type { Exchange } from './exchange.ts'

const READ_BYTES = 65_536
/** What may wait to be written before the origin is paused. */
const QUEUED_BYTES_MAX = 2 ** 20

export interface FileSource {
  /** Up to where there is something. */
  readonly written: number
  readonly failure: Error | undefined
  read(buffer: Buffer, position: number): Promise<number>
  progress(): Promise<void>
}

/** Gives back how many bytes were sent. */
export async function sendFile(
  exchange: Exchange,
  source: FileSource,
  { start, end }: ByteRange,
): Promise<number> {
  const closed = new Promise<void>((resolve) => exchange.onClose(resolve))
  let at = start
  while (at < end && !exchange.isClosed && source.failure === undefined) {
    const available = Math.min(source.written, end) - at
    if (available <= 0) {
      await Promise.race([source.progress(), closed])
      continue
    }
    const buffer = Buffer.allocUnsafeSlow(Math.min(available, READ_BYTES))
    const count = await source.read(buffer, at)
    if (count === 0) break
    at += count
    if (exchange.isClosed || exchange.write(buffer.subarray(0, count))) continue
    await Promise.race([new Promise<void>((resolve) => exchange.onDrain(resolve)), closed])
  }
  if (at >= end) exchange.end()
  else if (!exchange.isClosed) exchange.abort()
  return at - start
}

interface Source {
  pause(): void
  resume(): void
}

/** One that comes from an origin and is stored on the disk. */
export class FileBody {
  readonly #file: PartialFile
  readonly #source: Source
  readonly #length: number
  readonly #idle: () => void
  #readers = 0
  #isPaused = false

  /** `idle` is called when the last client has gone. */
  constructor(file: PartialFile, source: Source, length: number, idle: () => void) {
    this.#file = file
    this.#source = source
    this.#length = length
    this.#idle = idle
  }

  get hasReaders(): boolean {
    return this.#readers > 0
  }

  push(chunk: Buffer): void {
    this.#file.append(chunk)
    if (this.#isPaused || this.#file.queued <= QUEUED_BYTES_MAX) return
    this.#isPaused = true
    this.#source.pause()
    void this.#resumeWhenWritten()
  }

  attach(exchange: Exchange, range: ByteRange | undefined, done: (bytes: number) => void): void {
    this.#readers += 1
    this.#file.retain()
    sendFile(exchange, this.#file, range ?? { start: 0, end: this.#length })
      .catch(() => {
        exchange.abort()
        return 0
      })
      .then((bytes) => {
        this.#readers -= 1
        this.#file.release()
        done(bytes)
        if (this.#readers === 0) this.#idle()
      })
  }

  async #resumeWhenWritten(): Promise<void> {
    while (this.#file.queued > 0 && this.#file.failure === undefined) await this.#file.progress()
    this.#isPaused = false
    this.#source.resume()
  }
}
