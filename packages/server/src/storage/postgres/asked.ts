/** Who waits for the answer to a statement, and what they want of it. */
import type { Sql } from '../sql.ts'
import type { RowMaker, RowReader } from './rows.ts'

export interface Asked {
  /** As an object by the maker, which the reader serves, or as it came: from `at` to `end`. */
  row(toRow: RowMaker, reader: RowReader, bytes: Buffer, at: number, end: number): void
  /** The tag of the command ends at `end`, with its number of rows. */
  done(bytes: Buffer, end: number): void
  /** Not its own error: one before it ended the transaction that it is part of. */
  fail(error: Error, isOwn: boolean): void
}

/** Takes statements, which are answered in their order. */
export interface Asks {
  ask(query: Sql, asked: Asked): void
  copy(text: string, pieces: Iterable<string>, asked: Asked): Promise<void>
}

type Resolve<T> = (value: T) => void
type Reject = (error: Error) => void

/** Of rows that cannot be read nothing is answered; the rest of the statement is. */
abstract class Waiting<T> implements Asked {
  readonly #resolve: Resolve<T>
  readonly #reject: Reject
  #fault: Error | undefined

  constructor(resolve: Resolve<T>, reject: Reject) {
    this.#resolve = resolve
    this.#reject = reject
  }

  abstract take(row: unknown): void
  abstract value(bytes: Buffer, end: number): T

  row(toRow: RowMaker, reader: RowReader): void {
    try {
      this.take(toRow(reader))
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  done(bytes: Buffer, end: number): void {
    if (this.#fault === undefined) this.#resolve(this.value(bytes, end))
    else this.#reject(this.#fault)
  }

  fail(error: Error): void {
    this.#reject(error)
  }
}

export class AllRows extends Waiting<unknown[]> {
  readonly #rows: unknown[] = []

  take(row: unknown): void {
    this.#rows.push(row)
  }

  value(): unknown[] {
    return this.#rows
  }
}

export class FirstRow extends Waiting<unknown> {
  #first: unknown

  take(row: unknown): void {
    this.#first ??= row
  }

  value(): unknown {
    return this.#first
  }
}

export class ChangedRows extends Waiting<number> {
  take(): void {}

  value(bytes: Buffer, end: number): number {
    return countOf(bytes, end)
  }
}

/** Somebody else is told, too, that it is over, and how. */
export class Watched implements Asked {
  readonly #asked: Asked
  readonly #over: (error?: Error, isOwn?: boolean) => void

  constructor(asked: Asked, over: (error?: Error, isOwn?: boolean) => void) {
    this.#asked = asked
    this.#over = over
  }

  row(toRow: RowMaker, reader: RowReader, bytes: Buffer, at: number, end: number): void {
    this.#asked.row(toRow, reader, bytes, at, end)
  }

  done(bytes: Buffer, end: number): void {
    this.#asked.done(bytes, end)
    this.#over()
  }

  fail(error: Error, isOwn: boolean): void {
    this.#over(error, isOwn)
    this.#asked.fail(error, isOwn)
  }
}

/** Nobody waits: if it fails, so does what comes after it. */
export const nobody: Asked = {
  row() {},
  done() {},
  fail() {},
}

const ZERO = 0x30
const NINE = 0x39

/** "INSERT 0 1" has it at its end, before a zero byte; CREATE TABLE has none. */
export function countOf(bytes: Buffer, end: number): number {
  let count = 0
  let scale = 1
  for (let at = end - 2; at >= 0; at -= 1) {
    const digit = bytes[at] ?? 0
    if (digit < ZERO || digit > NINE) break
    count += (digit - ZERO) * scale
    scale *= 10
  }
  return count
}
