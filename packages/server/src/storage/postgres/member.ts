/**
 * One work of a group of writes, as its transaction. It looks at the database as it was when the group began,
 * and what it inserts is written down and taken to succeed: the group carries it out later and checks that it
 * does. What does not fit into that (a change whose outcome is not known, a look at something after it has
 * changed something) is found out here; the work then runs again by itself.
 */
import type { RowCount, Sequence, Tx } from '../database.ts'
import { never } from '../misfits.ts'
import type { Sql, SqlValue } from '../sql.ts'
import { kindOf } from '../statement-kind.ts'
import { AllRows, type Asked, FirstRow } from './asked.ts'
import { contentOf, type RowMaker, type RowReader } from './rows.ts'

/** A look at the database, and the values of its rows as they came. */
export interface Look {
  readonly query: Sql
  readonly rows: Buffer[]
}

/** What may be done together with what others want under the same name. */
export interface Wish {
  readonly name: string
  readonly value: SqlValue
  readonly together: (values: readonly SqlValue[]) => Sql
}

/** What a member needs of its group. */
export interface Host {
  ask(member: Member, query: Sql, asked: Asked): void
  next(member: Member, sequence: Sequence, asked: Asked): void
}

export interface Taken {
  readonly sequence: Sequence
  readonly number: number
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** A work that does more than this takes long enough to be alone. */
const MOST_INSERTS = 500

export class Member implements Tx {
  readonly engine = 'postgres'
  count?: RowCount
  readonly looks: Look[] = []
  readonly inserts: Sql[] = []
  readonly wishes: Wish[] = []
  readonly effects: (() => void)[] = []
  /** Numbers that nobody else gets; if it has to run again, they are its first ones. */
  readonly taken: Taken[]
  outcome: Outcome | undefined
  isMisfit = false
  /** Its first statement, by which works of its kind are known. */
  opening: Sql | undefined
  /** Works of its kind may fit. */
  wasTried = false
  readonly #fits: (opening: Sql) => boolean
  readonly #misfits: () => void
  /** Those of before that it has not asked for again. */
  readonly #left: Taken[]
  #host: Host | undefined
  /** What it has asked for before the group began. */
  readonly #early: ((host: Host) => void)[] = []

  /** With the numbers that were taken when it ran before. */
  constructor(fits: (opening: Sql) => boolean, misfits: () => void, taken: readonly Taken[]) {
    this.#fits = fits
    this.#misfits = misfits
    this.taken = [...taken]
    this.#left = [...taken]
  }

  async perform(work: (tx: Tx) => Promise<unknown>): Promise<void> {
    try {
      this.outcome = { value: await work(this) }
    } catch (error) {
      this.outcome = { error }
      // It may rest on what was only taken to succeed.
      if (this.#hasWritten) this.leave()
    }
  }

  get #hasWritten(): boolean {
    return this.inserts.length + this.wishes.length > 0
  }

  /** The group begins. */
  join(host: Host): void {
    this.#host = host
    for (const ask of this.#early.splice(0)) ask(host)
  }

  leave(): void {
    if (this.isMisfit) return
    this.isMisfit = true
    this.#misfits()
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  all<Row>(query: Sql): Promise<Row[]> {
    if (!this.#canLook(query)) return never()
    return new Promise<unknown[]>((resolve, reject) =>
      this.#look(query, new AllRows(resolve, reject)),
    ) as Promise<Row[]>
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    if (!this.#canLook(query)) return never()
    return new Promise<unknown>((resolve, reject) =>
      this.#look(query, new FirstRow(resolve, reject)),
    ) as Promise<Row | undefined>
  }

  async run(query: Sql): Promise<number> {
    this.#begin(query)
    const isInsert = kindOf(query).kind === 'insert' && this.inserts.length < MOST_INSERTS
    if (this.isMisfit || !isInsert) return this.#misfit()
    this.inserts.push(query)
    this.count?.told(query, 1)
    return 1
  }

  async later(name: string, value: SqlValue, together: Wish['together']): Promise<void> {
    if (this.isMisfit) return never()
    this.wishes.push({ name, value, together })
  }

  fill(): Promise<void> {
    return this.#misfit()
  }

  next(sequence: Sequence): Promise<number> {
    if (this.isMisfit) return never()
    const known = takeOut(this.#left, sequence)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise<unknown>((resolve, reject) => {
      const asked = new FirstRow(resolve, reject)
      this.#withHost((host) => host.next(this, sequence, asked))
    }).then((row) => {
      const { taken: number } = row as { taken: number }
      this.taken.push({ sequence, number })
      return number
    })
  }

  reserve(): Promise<void> {
    return this.#misfit()
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect)
  }

  #begin(query: Sql): void {
    if (this.opening !== undefined) return
    this.opening = query
    this.wasTried = this.#fits(query)
    if (!this.wasTried) this.leave()
  }

  #canLook(query: Sql): boolean {
    this.#begin(query)
    if (this.#hasWritten || kindOf(query).kind !== 'read') this.leave()
    return !this.isMisfit
  }

  #look(query: Sql, asked: Asked): void {
    const rows: Buffer[] = []
    this.looks.push({ query, rows })
    this.#withHost((host) => host.ask(this, query, new Kept(rows, asked)))
  }

  #withHost(ask: (host: Host) => void): void {
    if (this.#host === undefined) this.#early.push(ask)
    else ask(this.#host)
  }

  #misfit(): Promise<never> {
    this.leave()
    return never()
  }
}

/** After the commit. */
export function tell(
  waiting: { resolve(value: unknown): void; reject(error: unknown): void },
  outcome: Outcome,
  effects: readonly (() => void)[],
): void {
  if ('error' in outcome) {
    waiting.reject(outcome.error)
    return
  }
  try {
    for (const effect of effects) effect()
    waiting.resolve(outcome.value)
  } catch (error) {
    waiting.reject(error)
  }
}

/** The first number of the sequence, which is then not there any more. */
export function takeOut(taken: Taken[], sequence: Sequence): number | undefined {
  const index = taken.findIndex((one) => one.sequence === sequence)
  return index < 0 ? undefined : taken.splice(index, 1)[0]?.number
}

/** Keeps the rows of a look as they came. */
class Kept implements Asked {
  readonly #rows: Buffer[]
  readonly #asked: Asked

  constructor(rows: Buffer[], asked: Asked) {
    this.#rows = rows
    this.#asked = asked
  }

  row(toRow: RowMaker, reader: RowReader, bytes: Buffer, at: number, end: number): void {
    this.#rows.push(contentOf(bytes, at, end))
    this.#asked.row(toRow, reader, bytes, at, end)
  }

  done(bytes: Buffer, end: number): void {
    this.#asked.done(bytes, end)
  }

  fail(error: Error, isOwn: boolean): void {
    this.#asked.fail(error, isOwn)
  }
}
