/**
 * Records of three parts, the last of so many, as bytes outside of the heap. As objects they would live just
 * long enough to be moved to the old space and to become garbage there: at thousands a second that was most of
 * what the collector had to do, and what other requests had to wait for.
 */

/** A part that is missing is another thing than an empty one. */
export type Part = Buffer | string | undefined

export interface Recorded {
  /** Counts up from 1. */
  readonly number: number
  readonly head: string
  readonly parts: readonly [Buffer | undefined, Buffer | undefined]
}

export interface Limits {
  readonly records: number
  /** Of the parts behind the heads. */
  readonly bytes: number
}

interface Segment {
  readonly bytes: Buffer
  end: number
}

const SEGMENT_BYTES = 256 * 1024
/** The lengths of head and parts. */
const LENGTHS_BYTES = 12
const MISSING = -1
/** UTF-8 takes no more for what is one unit of a string. */
const BYTES_PER_UNIT = 3

export class Records {
  readonly #limits: Limits
  readonly #segments: Segment[] = []
  /** Where the oldest record is in the first segment, and its number. */
  #start = 0
  #oldest = 1
  #next = 1
  #bytes = 0
  /** A segment that is done with, for the next to come. */
  #spare: Buffer | undefined

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Answers with its number. */
  add(head: string, first: Part, second: Part): number {
    const segment = this.#segmentFor(LENGTHS_BYTES + room(head) + room(first) + room(second))
    const { bytes, end } = segment
    put(bytes, end, 0, head)
    put(bytes, end, 1, first)
    put(bytes, end, 2, second)
    segment.end += size(bytes, end)
    this.#bytes += weight(bytes, end)
    const number = this.#next
    this.#next += 1
    while (number - this.#oldest >= this.#limits.records || this.#bytes > this.#limits.bytes) {
      this.#drop()
    }
    return number
  }

  /** The number of the newest. */
  get newest(): number {
    return this.#next - 1
  }

  /** Oldest first, of those after this number. */
  *all(after = 0): Generator<Recorded> {
    let number = this.#oldest
    let at = this.#start
    for (const { bytes, end } of this.#segments) {
      while (at < end) {
        if (number > after) yield read(bytes, at, number)
        number += 1
        at += size(bytes, at)
      }
      at = 0
    }
  }

  #segmentFor(wanted: number): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && last.bytes.length - last.end >= wanted) return last
    const spare = this.#spare
    const isEnough = spare !== undefined && spare.length >= wanted
    if (isEnough) this.#spare = undefined
    const bytes = isEnough ? spare : Buffer.allocUnsafeSlow(Math.max(SEGMENT_BYTES, wanted))
    const segment = { bytes, end: 0 }
    this.#segments.push(segment)
    return segment
  }

  #drop(): void {
    const [first] = this.#segments
    if (first === undefined) return
    this.#bytes -= weight(first.bytes, this.#start)
    this.#start += size(first.bytes, this.#start)
    this.#oldest += 1
    if (this.#start < first.end) return
    this.#segments.shift()
    this.#start = 0
    // One that was made for a large record is let go.
    if (first.bytes.length === SEGMENT_BYTES) this.#spare = first.bytes
  }
}

function room(part: Part): number {
  if (part === undefined) return 0
  return typeof part === 'string' ? part.length * BYTES_PER_UNIT : part.length
}

/** Of the record at `at`; the parts before it are there already. */
function put(bytes: Buffer, at: number, index: number, part: Part): void {
  let length = MISSING
  if (part !== undefined) {
    const start = startOf(bytes, at, index)
    length = typeof part === 'string' ? bytes.write(part, start) : part.copy(bytes, start)
  }
  bytes.writeInt32LE(length, at + index * 4)
}

function startOf(bytes: Buffer, at: number, index: number): number {
  let start = at + LENGTHS_BYTES
  for (let before = 0; before < index; before += 1) start += lengthOf(bytes, at, before)
  return start
}

function lengthOf(bytes: Buffer, at: number, index: number): number {
  return Math.max(0, bytes.readInt32LE(at + index * 4))
}

function weight(bytes: Buffer, at: number): number {
  return lengthOf(bytes, at, 1) + lengthOf(bytes, at, 2)
}

function size(bytes: Buffer, at: number): number {
  return startOf(bytes, at, 3) - at
}

function read(bytes: Buffer, at: number, number: number): Recorded {
  // A copy: the segment is written over in time.
  const part = (index: number) => {
    const start = startOf(bytes, at, index)
    const isMissing = bytes.readInt32LE(at + index * 4) === MISSING
    return isMissing ? undefined : Buffer.from(bytes.subarray(start, startOf(bytes, at, index + 1)))
  }
  return { number, head: part(0)?.toString() ?? '', parts: [part(1), part(2)] }
}
