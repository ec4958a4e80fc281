/** What a group expects of the statements that it carries out for its works. */
import { type Asked, countOf } from './asked.ts'
import type { Look } from './member.ts'
import { contentOf, type RowMaker, type RowReader } from './rows.ts'

/** A look that has to give what it gave before. */
export class SameRows implements Asked {
  readonly #rows: Look['rows']
  readonly #blame: () => void
  #count = 0

  constructor(rows: Look['rows'], blame: () => void) {
    this.#rows = rows
    this.#blame = blame
  }

  row(_toRow: RowMaker, _reader: RowReader, bytes: Buffer, at: number, end: number): void {
    if (this.#rows[this.#count]?.equals(contentOf(bytes, at, end)) !== true) this.#blame()
    this.#count += 1
  }

  done(): void {
    if (this.#count !== this.#rows.length) this.#blame()
  }

  fail(): void {}
}

/** An insert that has to change so many rows. */
export class Changes implements Asked {
  readonly #rows: number
  readonly #blame: () => void

  constructor(rows: number, blame: () => void) {
    this.#rows = rows
    this.#blame = blame
  }

  row(): void {}

  done(bytes: Buffer, end: number): void {
    if (countOf(bytes, end) !== this.#rows) this.#blame()
  }

  fail(): void {}
}

/** One row for each of those who wait. */
export class Shared implements Asked {
  readonly #waiting: readonly Asked[]
  #count = 0

  constructor(waiting: readonly Asked[]) {
    this.#waiting = waiting
  }

  row(toRow: RowMaker, reader: RowReader, bytes: Buffer, at: number, end: number): void {
    this.#waiting[this.#count]?.row(toRow, reader, bytes, at, end)
    this.#count += 1
  }

  done(bytes: Buffer, end: number): void {
    for (const asked of this.#waiting) asked.done(bytes, end)
  }

  fail(error: Error, isOwn: boolean): void {
    for (const asked of this.#waiting) asked.fail(error, isOwn)
  }
}
