/**
 * Writes that run by themselves, at the same time. Those that change the same rows would wait for each other there,
 * to fail one after the other. So kinds that collide often stand in line: those that wait are carried out
 * one after the other in one transaction (docs/adr/0177).
 */
import type { Tx } from '../database.ts'
import type { Sql } from '../sql.ts'
import { nobody } from './asked.ts'
import type { Connection } from './connection.ts'
import { isUnreachable, PostgresError, wantsRetry } from './error.ts'
import { insist } from './insist.ts'
import { type Outcome, tell } from './member.ts'
import { PostgresTx } from './tx.ts'

/** The longer a transaction, the more likely it is that another one changes what it has seen. */
const LONGEST = 16
/** A collision weighs as much as so many works that did not collide; from which weight on a kind stands in line. */
const WEIGHT = 8
const CONTENDED = 2 * WEIGHT
const HEAVIEST = 4 * WEIGHT
/** One of so many is tried by itself all the same, to find out when works of its kind do not collide any more. */
const PROBED = 256
/** Lines that have collided with another process take turns with its lines for a while. */
const TURNS = 50
/** More are forgotten; a kind is a statement of our source, so there are not that many. */
const MOST_KINDS = 1000

type Work = (tx: Tx) => Promise<unknown>

/** Connections, and transactions on them. */
export interface Transactions {
  take(): Connection | Promise<Connection>
  /** In turns with all other transactions that are begun so. */
  begin(connection: Connection, inTurns: boolean): void
  commit(connection: Connection): Promise<void>
  rollBack(connection: Connection): void
  give(connection: Connection): void
  /** One for this work, tried once. */
  attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

interface Entry {
  readonly work: Work
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** What became of a work, if the transaction can be committed. */
interface Done {
  readonly entry: Entry
  readonly outcome: Outcome
  readonly effects: readonly (() => void)[]
}

export class Line {
  readonly #transactions: Transactions
  /** By kind. */
  readonly #weights = new Map<unknown, number>()
  #passed = 0
  #turns = 0
  #waiting: Entry[] = []
  #isBusy = false

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** `opening` is the first statement of the work. */
  async write<T>(work: (tx: Tx) => Promise<T>, opening: Sql | undefined): Promise<T> {
    const kind = opening && kindOf(opening)
    if (this.#standsInLine(kind)) return this.#enter(work)
    try {
      const value = await this.#transactions.attempt(work)
      this.#weigh(kind, -1)
      return value
    } catch (error) {
      if (!wantsRetry(error)) throw error
    }
    this.#weigh(kind, WEIGHT)
    return this.#enter(work)
  }

  #standsInLine(kind: unknown): boolean {
    if ((this.#weights.get(kind) ?? 0) < CONTENDED) return false
    this.#passed = (this.#passed + 1) % PROBED
    if (this.#passed === 0) return false
    // Where nobody waits, little collides.
    if (!this.#isBusy) this.#weigh(kind, -1)
    return true
  }

  #weigh(kind: unknown, more: number): void {
    const weight = this.#weights.get(kind)
    if (weight === undefined && more < 0) return
    if (this.#weights.size >= MOST_KINDS) this.#weights.clear()
    const sum = (weight ?? 0) + more
    if (more > 0 && sum >= CONTENDED) this.#weights.set(kind, HEAVIEST)
    else if (sum > 0) this.#weights.set(kind, sum)
    else this.#weights.delete(kind)
  }

  #enter<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      if (this.#isBusy) return
      this.#isBusy = true
      // With all that come together.
      process.nextTick(() => void this.#drain())
    }) as Promise<T>
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#carryOut(this.#waiting.splice(0, LONGEST))
    }
    this.#isBusy = false
  }

  /** Fewer of them are less likely to collide, and by whose fault they failed is found out so, too. */
  async #carryOut(entries: readonly Entry[]): Promise<void> {
    try {
      if (entries.length > 1) await this.#attempt(entries)
      else await insist(() => this.#attempt(entries))
    } catch (error) {
      if (entries.length > 1 && error instanceof PostgresError && !isUnreachable(error)) {
        const half = entries.length >> 1
        await this.#carryOut(entries.slice(0, half))
        await this.#carryOut(entries.slice(half))
      } else for (const { reject } of entries) reject(error)
    }
  }

  async #attempt(entries: readonly Entry[]): Promise<void> {
    try {
      const all = await this.#run(entries)
      for (const { entry, outcome, effects } of all) tell(entry, outcome, effects)
    } catch (error) {
      if (wantsRetry(error)) this.#turns = TURNS
      throw error
    }
  }

  async #run(entries: readonly Entry[]): Promise<Done[]> {
    const { take, begin, commit, rollBack, give } = this.#transactions
    const connection = await take()
    begin(connection, this.#turns > 0)
    if (this.#turns > 0) this.#turns -= 1
    const all: Done[] = []
    try {
      for (const entry of entries) all.push(await perform(entry, connection))
    } catch (error) {
      rollBack(connection)
      give(connection)
      throw error
    }
    const committed = commit(connection)
    give(connection)
    await committed
    return all
  }
}

function kindOf({ chunks, isFixed }: Sql): unknown {
  return isFixed ? chunks : chunks.join('?')
}

/** What a work has changed before it refuses is undone. What the database refuses ends the transaction. */
async function perform(entry: Entry, connection: Connection): Promise<Done> {
  const effects: (() => void)[] = []
  connection.command('SAVEPOINT work', nobody)
  try {
    const value = await entry.work(new PostgresTx(connection, effects))
    if (connection.failure !== undefined) throw connection.failure
    connection.command('RELEASE SAVEPOINT work', nobody)
    return { entry, effects, outcome: { value } }
  } catch (error) {
    if (connection.failure !== undefined) throw connection.failure
    connection.command('ROLLBACK TO SAVEPOINT work', nobody)
    connection.command('RELEASE SAVEPOINT work', nobody)
    return { entry, effects: [], outcome: { error } }
  }
}
