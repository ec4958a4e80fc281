/** Rows as objects, in code made for the columns of one statement. */
import { textAt } from './frames.ts'

/** Reads the values of a row one after the other; all of them come as texts. */
export class RowReader {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  begin(bytes: Buffer, at: number): this {
    this.#bytes = bytes
    // The number of values, which the statement's columns tell.
    this.#at = at + 2
    return this
  }

  /** Where a row of those that are left would begin. */
  get rest(): number {
    return this.#at - 2
  }

  text(): string | null {
    const length = this.#length()
    if (length < 0) return null
    const from = this.#at
    this.#at += length
    return this.#bytes.toString('utf8', from, this.#at)
  }

  /** One that a number cannot hold is a fault of ours. */
  integer(): number | null {
    const text = this.text()
    if (text === null) return null
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer.`)
    return value
  }

  number(): number | null {
    const text = this.text()
    return text === null ? null : Number(text)
  }

  boolean(): boolean | null {
    const text = this.text()
    return text === null ? null : text === 't'
  }

  #length(): number {
    const length = this.#bytes.readInt32BE(this.#at)
    this.#at += 4
    return length
  }
}

/** The values of a row, without their number before them, which is another one when there is more in the row. */
export function contentOf(bytes: Buffer, at: number, end: number): Buffer {
  return bytes.subarray(at + 2, end)
}

export type RowMaker = (reader: RowReader) => unknown

/** By the engine's numbers for its types; all others are texts. */
const READERS = new Map<number, 'integer' | 'number' | 'boolean'>([
  [16, 'boolean'],
  [20, 'integer'],
  [21, 'number'],
  [23, 'number'],
  [26, 'number'],
  [700, 'number'],
  [701, 'number'],
  // Sums of 64-bit integers.
  [1700, 'integer'],
])

/** After the name: table, column, type, size, modifier, format. */
const TYPE_OFFSET = 6
const REST_BYTES = 18

/** Out of the message that describes a statement's columns. */
export function rowMaker(bytes: Buffer, start: number): RowMaker {
  const members: string[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const name = textAt(bytes, at)
    at += Buffer.byteLength(name) + 1
    const type = bytes.readInt32BE(at + TYPE_OFFSET)
    members.push(`${JSON.stringify(name)}: reader.${READERS.get(type) ?? 'text'}()`)
    at += REST_BYTES
  }
  // Names are of our own source. The cast: a function made from text has no type.
  return new Function('reader', `return { ${members.join(', ')} }`) as RowMaker
}

/** Out of the message that describes a statement's values. */
export function valueTypes(bytes: Buffer, at: number): number[] {
  return Array.from({ length: bytes.readInt16BE(at) }, (_, index) =>
    bytes.readInt32BE(at + 2 + 4 * index),
  )
}
