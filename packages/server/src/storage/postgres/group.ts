/**
 * Works that share one serializable transaction (docs/adr/0165). First all of them look, at the same time, at
 * the database as it was when the group began. Then what they insert is carried out, work after work, and for
 * each work it is checked that it would have seen the same in its turn. So it is as if they had run one after
 * the other; a work for which it is not is found out before the commit.
 */
import type { Sequence } from '../database.ts'
import { type Sql, type SqlValue, sql } from '../sql.ts'
import { kindOf } from '../statement-kind.ts'
import { type Asked, nobody, Watched } from './asked.ts'
import { Changes, SameRows, Shared } from './checks.ts'
import type { Connection } from './connection.ts'
import { isMisspelt } from './error.ts'
import { giveUp, insertForAll } from './for-all.ts'
import { areApart, learnKeys } from './foreign-keys.ts'
import { afterPromises, Looks } from './looks.ts'
import type { Host, Look, Member, Wish } from './member.ts'

export class Group implements Host {
  /** Whose own statements fail, or do something else than was taken for granted. */
  readonly culprits = new Set<Member>()
  /** What was done together did not go well. Whose fault it is shows only when all do it one by one. */
  isDoubtful = false
  readonly #connection: Connection
  readonly #members: readonly Member[]
  readonly #isCareful: boolean
  #pending = 0
  #resume: (() => void) | undefined
  readonly #looks: Looks
  /** Numbers that are asked for in this turn. */
  readonly #numbers = new Map<Sequence, Asked[]>()

  /** A careful one does nothing together. */
  constructor(connection: Connection, members: readonly Member[], isCareful: boolean) {
    this.#connection = connection
    this.#members = members
    this.#isCareful = isCareful
    this.#looks = new Looks(connection, this.#doubt)
  }

  get failure(): Error | undefined {
    return this.#connection.failure
  }

  ask(member: Member, query: Sql, asked: Asked): void {
    if (this.failure !== undefined) {
      asked.fail(this.failure, false)
      return
    }
    const watched = this.#watched(asked, this.#blame(member))
    if (this.#isCareful) this.#connection.ask(query, watched)
    else this.#looks.ask(query, watched)
  }

  next(_member: Member, sequence: Sequence, asked: Asked): void {
    const waiting = this.#numbers.get(sequence)
    if (waiting !== undefined) {
      waiting.push(asked)
      return
    }
    this.#numbers.set(sequence, [asked])
    this.#pending += 1
    afterPromises(() => {
      this.#takeNumbers(sequence)
      this.#answered()
    })
  }

  /** Until no work waits for an answer any more. One that then waits for something else does not fit. */
  async look(): Promise<void> {
    for (const member of this.#members) member.join(this)
    for (;;) {
      await new Promise<void>(afterPromises)
      if (this.#pending === 0 && !this.#members.every(isOver)) await new Promise(setImmediate)
      if (this.#pending === 0) break
      await this.#quiet()
    }
    for (const member of this.#members) if (!isOver(member)) member.leave()
  }

  /** Carries out what the works have written down, each in its turn. */
  async carryOut(members: readonly Member[]): Promise<void> {
    if (this.#isFreeOfOrder(members)) {
      const queries = members.flatMap(({ inserts }) => inserts)
      this.#insertAlike(queries, (rows) => new Changes(rows, this.#doubt))
    } else this.#insertInTurn(members)
    this.#grant(members)
    await this.#quiet()
  }

  /**
   * Nobody has looked at what anybody changes, and no row changes another one or refers to one of another work:
   * whoever goes first, all see the same, and all inserts succeed or not alike (docs/adr/0172).
   */
  #isFreeOfOrder(members: readonly Member[]): boolean {
    if (this.#isCareful || members.length < 2) return false
    const kinds = members.flatMap(({ inserts }) => inserts.map(kindOf))
    if (kinds.length === 0 || !kinds.every(({ isNew }) => isNew)) return false
    const tables = new Set(kinds.map(({ table }) => table))
    const isLookedAt = ({ query }: Look) => isAnyIn(tables, kindOf(query).words)
    if (members.some(({ looks }) => looks.some(isLookedAt))) return false
    learnKeys(this.#connection)
    return areApart(this.#connection, tables)
  }

  /** Those with the same text as one statement. What goes wrong is not of anybody in particular. */
  #insertAlike(all: readonly Sql[], check: (rows: number) => Asked): void {
    for (const queries of alike(all)) {
      const [first] = queries
      const types = queries.length > 1 && first && this.#connection.find(first)?.types
      const forAll = types && insertForAll(first, types)
      if (!forAll) for (const query of queries) this.#send(query, check(1), this.#doubt)
      else {
        const rows = queries.map(({ values }) => values)
        const watched = this.#watched(check(rows.length), (error) => {
          if (isMisspelt(error)) giveUp(first)
          this.#doubt()
        })
        this.#connection.askForAll(forAll, rows, watched)
      }
    }
  }

  #insertInTurn(members: readonly Member[]): void {
    const changed = new Set<string>()
    for (const member of members) {
      const blame = this.#blame(member)
      for (const { query, rows } of member.looks) {
        // An insert changes its own table and no other (a test sees to that).
        if (isAnyIn(changed, kindOf(query).words)) {
          this.#send(query, new SameRows(rows, blame), blame)
        }
      }
      for (const query of member.inserts) {
        this.#send(query, new Changes(1, blame), blame)
        changed.add(kindOf(query).table)
      }
    }
  }

  /** At the end, so nobody may have looked at what others have wished for. */
  #grant(members: readonly Member[]): void {
    const queries = gathered(members).map(({ wish, values }) => wish.together(values))
    if (this.#isCareful) for (const query of queries) this.#send(query, nobody)
    else this.#insertAlike(queries, () => nobody)
    if (members.length === 1) return
    const tables = new Set(queries.map((query) => kindOf(query).table))
    const isLookedAt = ({ query }: Look) => isAnyIn(tables, kindOf(query).words)
    for (const member of members) if (member.looks.some(isLookedAt)) this.culprits.add(member)
  }

  #takeNumbers(sequence: Sequence): void {
    const waiting = this.#numbers.get(sequence) ?? []
    this.#numbers.delete(sequence)
    const name = `${sequence}_sequence`
    this.#send(
      sql`SELECT nextval(${name}::text::regclass) AS taken FROM generate_series(1, ${waiting.length})`,
      new Shared(waiting),
    )
  }

  #send(query: Sql, asked: Asked, blame?: () => void): void {
    this.#connection.ask(query, this.#watched(asked, blame))
  }

  #watched(asked: Asked, blame?: (error?: Error) => void): Asked {
    this.#pending += 1
    return new Watched(asked, (error, isOwn = false) => {
      if (isOwn) blame?.(error)
      this.#answered()
    })
  }

  readonly #doubt = () => {
    this.isDoubtful = true
  }

  #blame(member: Member): () => void {
    return () => this.culprits.add(member)
  }

  #answered(): void {
    this.#pending -= 1
    if (this.#pending > 0) return
    this.#resume?.()
    this.#resume = undefined
  }

  async #quiet(): Promise<void> {
    if (this.#pending === 0) return
    await new Promise<void>((resolve) => {
      this.#resume = resolve
    })
  }
}

/** Those of one name together, in the order of the names: groups that meet in them then do not wait crosswise. */
function gathered(members: readonly Member[]) {
  const byName = new Map<string, { readonly wish: Wish; readonly values: SqlValue[] }>()
  for (const { wishes } of members) {
    for (const wish of wishes) {
      const known = byName.get(wish.name)
      if (known === undefined) byName.set(wish.name, { wish, values: [wish.value] })
      else known.values.push(wish.value)
    }
  }
  return [...byName.values()].sort((a, b) => (a.wish.name < b.wish.name ? -1 : 1))
}

/** Those with the same text together, in the order of their first ones. */
function alike(queries: readonly Sql[]): Iterable<readonly Sql[]> {
  const byText = new Map<readonly string[], Sql[]>()
  for (const query of queries) {
    const others = byText.get(query.chunks)
    if (others === undefined) byText.set(query.chunks, [query])
    else others.push(query)
  }
  return byText.values()
}

function isAnyIn(changed: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  for (const table of changed) if (words.has(table)) return true
  return false
}

function isOver({ outcome, isMisfit }: Member): boolean {
  return isMisfit || outcome !== undefined
}
