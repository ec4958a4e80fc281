/**
 * What a client sends (PostgreSQL's protocol, version 3), written one after the other into pieces of
 * memory that go to the socket as they are.
 */
import type { SqlValue } from '../sql.ts'

const PIECE_BYTES = 65_536
/** Of a character in UTF-8, at most, for each unit of a JavaScript string. */
const CHARACTER_BYTES = 3
const NUMBER_BYTES = 32

const TYPE = { parse: 0x50, describe: 0x44, bind: 0x42, close: 0x43, query: 0x51, copyData: 0x64 }
const STATEMENT = 0x53
const BINARY = 1
/** Before the elements: how many dimensions, whether there may be nulls, their type (text), how many, from where. */
const ARRAY_INTS = [1, 1, 25]
const ARRAY_HEAD_BYTES = 20
/** Execute the unnamed portal, all rows. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])
export const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])

export class Messages {
  #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES)
  #from = 0
  #end = 0

  get isEmpty(): boolean {
    return this.#from === this.#end
  }

  /** What was written since the last time. */
  take(): Buffer {
    const taken = this.#bytes.subarray(this.#from, this.#end)
    this.#from = this.#end
    return taken
  }

  /** The types of the values are left to the server. */
  parse(name: string, text: string): void {
    this.#reserve((name.length + text.length) * CHARACTER_BYTES + 16)
    const start = this.#begin(TYPE.parse)
    this.#string(name)
    this.#string(text)
    this.#int16(0)
    this.#finish(start)
  }

  describe(name: string): void {
    this.#ofStatement(TYPE.describe, name)
  }

  /** A statement that is not used any more. */
  close(name: string): void {
    this.#ofStatement(TYPE.close, name)
  }

  /** All values and all columns as texts. */
  bindAndExecute(name: string, values: readonly SqlValue[]): void {
    this.#reserve(name.length * CHARACTER_BYTES + 40 + mostBytes(values))
    const start = this.#begin(TYPE.bind)
    this.#bytes[this.#end++] = 0
    this.#string(name)
    this.#int16(0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(0)
    this.#finish(start)
    this.#raw(EXECUTE)
  }

  /**
   * Each value is an array of texts with one element of every row. In the binary form, in which a text is as
   * it is and nothing has to be quoted.
   */
  bindArraysAndExecute(name: string, rows: readonly (readonly SqlValue[])[]): void {
    const columns = rows[0]?.length ?? 0
    let most = name.length * CHARACTER_BYTES + 40 + columns * (ARRAY_HEAD_BYTES + 4)
    for (const row of rows) most += mostBytes(row)
    this.#reserve(most)
    const start = this.#begin(TYPE.bind)
    this.#bytes[this.#end++] = 0
    this.#string(name)
    this.#int16(1)
    this.#int16(BINARY)
    this.#int16(columns)
    for (let column = 0; column < columns; column += 1) this.#array(rows, column)
    this.#int16(0)
    this.#finish(start)
    this.#raw(EXECUTE)
  }

  sync(): void {
    this.#reserve(SYNC.length)
    this.#raw(SYNC)
  }

  /** Text of our own, perhaps several statements. */
  query(text: string): void {
    this.#reserve(text.length * CHARACTER_BYTES + 8)
    const start = this.#begin(TYPE.query)
    this.#string(text)
    this.#finish(start)
  }

  copyData(text: string): void {
    this.#reserve(text.length * CHARACTER_BYTES + 8)
    const start = this.#begin(TYPE.copyData)
    this.#end += this.#bytes.write(text, this.#end)
    this.#finish(start)
  }

  copyDone(): void {
    this.#reserve(COPY_DONE.length)
    this.#raw(COPY_DONE)
  }

  #ofStatement(type: number, name: string): void {
    this.#reserve(name.length * CHARACTER_BYTES + 8)
    const start = this.#begin(type)
    this.#bytes[this.#end++] = STATEMENT
    this.#string(name)
    this.#finish(start)
  }

  #value(value: SqlValue): void {
    if (value === null) {
      this.#end = this.#bytes.writeInt32BE(-1, this.#end)
      return
    }
    const written = this.#bytes.write(String(value), this.#end + 4)
    this.#end = this.#bytes.writeInt32BE(written, this.#end) + written
  }

  #array(rows: readonly (readonly SqlValue[])[], column: number): void {
    const start = this.#end
    this.#end += 4
    for (const int of ARRAY_INTS) this.#int32(int)
    this.#int32(rows.length)
    this.#int32(1)
    for (const row of rows) this.#value(row[column] ?? null)
    this.#bytes.writeInt32BE(this.#end - start - 4, start)
  }

  #begin(type: number): number {
    this.#bytes[this.#end] = type
    this.#end += 5
    return this.#end - 4
  }

  /** The length, which counts itself, is known at the end. */
  #finish(start: number): void {
    this.#bytes.writeInt32BE(this.#end - start, start)
  }

  #string(text: string): void {
    this.#end += this.#bytes.write(text, this.#end)
    this.#bytes[this.#end++] = 0
  }

  #int16(value: number): void {
    this.#end = this.#bytes.writeInt16BE(value, this.#end)
  }

  #int32(value: number): void {
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
  }

  #raw(bytes: Buffer): void {
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }

  /** The socket may still hold what was taken, so a full piece is left to it and a new one begun. */
  #reserve(bytes: number): void {
    // Room for what has a fixed length and follows: an execute, a sync.
    const needed = bytes + EXECUTE.length + SYNC.length
    if (this.#end + needed <= this.#bytes.length) return
    const waiting = this.take()
    const piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, waiting.length + needed))
    piece.set(waiting)
    this.#bytes = piece
    this.#from = 0
    this.#end = waiting.length
  }
}

function mostBytes(values: readonly SqlValue[]): number {
  let most = 0
  for (const value of values) {
    most += 4 + (typeof value === 'string' ? value.length * CHARACTER_BYTES : NUMBER_BYTES)
  }
  return most
}
