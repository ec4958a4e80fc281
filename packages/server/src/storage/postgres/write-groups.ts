/**
 * Which writes share a transaction, one group at a time: those that wait when one begins. Whoever does not fit
 * into a group, or is why one failed, runs alone; the others of a failed group try once more.
 */
import type { Tx } from '../database.ts'
import { Misfits } from '../misfits.ts'
import type { Connection } from './connection.ts'
import { isUnreachable, wantsRetry } from './error.ts'
import { Group } from './group.ts'
import type { Line, Transactions } from './line.ts'
import { Member, type Taken, takeOut, tell } from './member.ts'

const LARGEST_GROUP = 64
/** How often a work is tried within groups before it runs alone. */
const MOST_GROUPS = 3
/** Groups that have collided with those of another process take turns with them for a while. */
const TURNS = 50
/** So many groups have the same connection one after the other at most. */
const MOST_ON_ONE = 100

interface Entry {
  readonly work: (tx: Tx) => Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
  member: Member
  groups: number
  /** A group that it was in did not go well, and it is not known by whose fault. */
  isDoubtful: boolean
}

export class WriteGroups {
  readonly #transactions: Transactions
  readonly #line: Line
  readonly #misfits = new Misfits()
  #waiting: Entry[] = []
  #isBusy = false
  #turns = 0
  /** When those of the last group are answered, or have gone on elsewhere. */
  #settled: Promise<void> = Promise.resolve()

  /** Those who do not fit run by the line. */
  constructor(transactions: Transactions, line: Line) {
    this.#transactions = transactions
    this.#line = line
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      const entry = { work, resolve, reject, groups: 0, isDoubtful: false, member: NOBODY }
      this.#enter(entry)
    }) as Promise<T>
  }

  #enter(entry: Entry): void {
    const member = new Member(
      (opening) => this.#misfits.tries(opening),
      () => this.#leave(entry, member),
      entry.member.taken,
    )
    entry.member = member
    entry.groups += 1
    this.#waiting.push(entry)
    void member.perform(entry.work)
    if (this.#isBusy) return
    this.#isBusy = true
    // With all that are served together (http/turn.ts).
    process.nextTick(() => void this.#drain())
  }

  /** One that still waits need not wait for the group; the group looks after its own. */
  #leave(entry: Entry, member: Member): void {
    const index = this.#waiting.indexOf(entry)
    if (index < 0) return
    this.#waiting.splice(index, 1)
    this.#goAlone(entry, member)
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, LARGEST_GROUP)
      try {
        await this.#runOn(await this.#transactions.take(), entries)
      } catch (error) {
        for (const { reject } of entries) reject(error)
      }
      // The event loop turns, so that requests that arrived meanwhile can join the next group.
      await new Promise(setImmediate)
    }
    this.#isBusy = false
  }

  /**
   * This group and those that wait when one is at its end. The end of the one and the beginning of the next go out
   * together, so the database goes on while those who were in the one are answered.
   */
  async #runOn(connection: Connection, first: readonly Entry[]): Promise<void> {
    let isGood = await this.#run(first, connection)
    for (let groups = 1; groups < MOST_ON_ONE; groups += 1) {
      if (!isGood || this.#waiting.length === 0 || !connection.isSound) break
      connection.divide()
      isGood = await this.#run(this.#waiting.splice(0, LARGEST_GROUP), connection)
    }
    this.#transactions.give(connection)
    await this.#settled
  }

  /** To where it is known whether it can be committed. */
  async #run(entries: readonly Entry[], connection: Connection): Promise<boolean> {
    this.#transactions.begin(connection, this.#turns > 0)
    if (this.#turns > 0) this.#turns -= 1
    const group = new Group(
      connection,
      entries.map(({ member }) => member),
      entries.some(({ isDoubtful }) => isDoubtful),
    )
    try {
      await group.look()
      const fitting = entries.filter(({ member }) => !member.isMisfit)
      if (group.failure === undefined) await group.carryOut(fitting.map(({ member }) => member))
    } catch (error) {
      // A fault of ours: a statement that cannot be put together.
      this.#transactions.rollBack(connection)
      for (const { reject } of entries) reject(error)
      return false
    }
    const isGood = group.failure === undefined && group.culprits.size === 0 && !group.isDoubtful
    if (!isGood) this.#transactions.rollBack(connection)
    const ended = isGood ? this.#transactions.commit(connection) : Promise.reject(group.failure)
    this.#settled = ended.then(
      () => this.#answer(entries),
      (error) => this.#repeat(entries, error, group),
    )
    return isGood
  }

  #answer(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.member.isMisfit) this.#goAlone(entry, entry.member)
      else this.#settle(entry)
    }
  }

  #repeat(entries: readonly Entry[], error: unknown, group: Group): void {
    for (const entry of entries) {
      if (entry.member.isMisfit) this.#goAlone(entry, entry.member)
      else this.#again(entry, error, group)
    }
  }

  #again(entry: Entry, error: unknown, { culprits, isDoubtful }: Group): void {
    // The next group is careful then, and that is not one more attempt but the rest of this one.
    entry.isDoubtful = isDoubtful && !wantsRetry(error)
    if (entry.isDoubtful) entry.groups -= 1
    if (isUnreachable(error)) entry.reject(error)
    else if (wantsRetry(error) && entry.groups < MOST_GROUPS) {
      this.#turns = TURNS
      this.#enter(entry)
    } else if (culprits.has(entry.member) || entry.groups >= MOST_GROUPS) this.#goAlone(entry)
    else this.#enter(entry)
  }

  #goAlone(entry: Entry, misfit?: Member): void {
    const { taken, opening } = entry.member
    if (misfit?.wasTried && misfit.opening !== undefined) this.#misfits.add(misfit.opening)
    this.#line
      .write((tx) => entry.work(giving(tx, taken)), opening)
      .then(entry.resolve, entry.reject)
  }

  #settle(entry: Entry): void {
    const { opening, outcome, effects } = entry.member
    if (opening !== undefined) this.#misfits.forget(opening)
    if (outcome !== undefined) tell(entry, outcome, effects)
  }
}

/** The same transaction; numbers that were taken before are given out first, so that none is skipped. */
function giving(tx: Tx, taken: readonly Taken[]): Tx {
  const left = [...taken]
  const next = tx.next.bind(tx)
  tx.next = async (sequence) => takeOut(left, sequence) ?? next(sequence)
  return tx
}

const NOBODY = new Member(
  () => true,
  () => undefined,
  [],
)
