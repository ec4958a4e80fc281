/**
 * Looks with the same text that are asked for in one turn of the program go out as one statement, and each of its
 * rows goes to the one whose look it is of (docs/adr/0172).
 */
import type { Sql } from '../sql.ts'
import type { Asked } from './asked.ts'
import type { Connection } from './connection.ts'
import { isMisspelt } from './error.ts'
import { giveUp, lookForAll } from './for-all.ts'
import type { RowMaker, RowReader } from './rows.ts'

interface Look {
  readonly query: Sql
  readonly asked: Asked
}

export class Looks {
  readonly #connection: Connection
  readonly #doubt: () => void
  #waiting = new Map<readonly string[], Look[]>()

  /** If several fail together, none of them is told that it is its own fault, but that is when there is doubt. */
  constructor(connection: Connection, doubt: () => void) {
    this.#connection = connection
    this.#doubt = doubt
  }

  ask(query: Sql, asked: Asked): void {
    if (this.#waiting.size === 0) afterPromises(() => this.#send())
    const others = this.#waiting.get(query.chunks)
    if (others === undefined) this.#waiting.set(query.chunks, [{ query, asked }])
    else others.push({ query, asked })
  }

  #send(): void {
    const kinds = this.#waiting.values()
    this.#waiting = new Map()
    for (const looks of kinds) {
      if (!this.#sendTogether(looks)) {
        for (const { query, asked } of looks) this.#connection.ask(query, asked)
      }
    }
  }

  #sendTogether(looks: readonly Look[]): boolean {
    const [first] = looks
    if (first === undefined || looks.length === 1) return false
    const { types, toRow } = this.#connection.find(first.query) ?? {}
    const forAll = types && lookForAll(first.query, types)
    if (forAll === undefined || toRow === undefined) return false
    const rows = looks.map(({ query }) => query.values)
    this.#connection.askForAll(forAll, rows, new Dealt(looks, toRow, this.#doubt))
    return true
  }
}

/** Rows that begin with the number of the one who gets them. */
class Dealt implements Asked {
  readonly #looks: readonly Look[]
  readonly #toRow: RowMaker
  readonly #doubt: () => void

  constructor(looks: readonly Look[], toRow: RowMaker, doubt: () => void) {
    this.#looks = looks
    this.#toRow = toRow
    this.#doubt = doubt
  }

  row(_toRow: RowMaker, reader: RowReader, bytes: Buffer, _at: number, end: number): void {
    const number = Number(reader.text())
    const rest = reader.rest
    this.#looks[number - 1]?.asked.row(this.#toRow, reader.begin(bytes, rest), bytes, rest, end)
  }

  done(bytes: Buffer, end: number): void {
    for (const { asked } of this.#looks) asked.done(bytes, end)
  }

  fail(error: Error, isOwn: boolean): void {
    const [first] = this.#looks
    if (isOwn && first !== undefined && isMisspelt(error)) giveUp(first.query)
    if (isOwn) this.#doubt()
    for (const { asked } of this.#looks) asked.fail(error, false)
  }
}

/** When all that can go on has gone on: a tick that is asked for between promises comes after them. */
export function afterPromises(resume: () => void): void {
  queueMicrotask(() => process.nextTick(resume))
}
