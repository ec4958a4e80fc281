/**
 * Group commit: a durable commit costs a flush to the disk, whatever is in it. So the writes that are
 * waiting when one begins share it. It is as if each ran alone, to its end (sqlite-together.ts), and one that fails
 * takes nothing of the others with it. Nobody is answered before the commit, refusals included, since a refusal may rest on
 * what an earlier write of the same group did.
 *
 * Most refusals come before anything was written, so savepoints are left out at first. When one does leave
 * something behind, the group is rolled back and runs again, each in a savepoint of its own; as on the other
 * engine, work has to be such that it can run twice.
 */
import type { Gate, Rest, Together, Work } from '../sqlite-together.ts'

/** The little that the group needs of its connection. */
export interface Connection {
  execute(statement: string): void
}

export interface WritingConnection extends Connection {
  /** Counts up with each statement that may write. */
  readonly writes: number
}

/** Who wants to know what becomes of a group. */
export interface Told {
  /** Before the end of the group, or of a savepoint; may still write. */
  committing?(): void
  /** Before anybody is answered. */
  committed?(): void
  /** Of the group, or of a savepoint. */
  rolledBack?(): void
}

interface Entry extends Work {
  settle(): void
  fail(error: unknown): void
}

class Write<T> implements Entry {
  readonly #work: (gate?: Gate) => Promise<T>
  readonly #done: () => void
  readonly #resolve: (value: T) => void
  readonly fail: (error: unknown) => void
  #outcome: { readonly value: T } | { readonly error: unknown } | undefined
  #runs = 0

  constructor(
    work: (gate?: Gate) => Promise<T>,
    done: () => void,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#work = work
    this.#done = done
    this.#resolve = resolve
    this.fail = reject
  }

  async run(gate?: Gate): Promise<void> {
    this.#runs += 1
    const run = this.#runs
    try {
      const value = await this.#work(gate)
      if (run === this.#runs) this.#outcome = { value }
    } catch (error) {
      if (run === this.#runs) this.#outcome = { error }
      throw error
    }
  }

  settle(): void {
    const outcome = this.#outcome
    if (outcome === undefined) return
    try {
      if ('error' in outcome) throw outcome.error
      this.#done()
      this.#resolve(outcome.value)
    } catch (error) {
      this.fail(error)
    }
  }
}

/** Bounds how long one group keeps the process from reading its sockets. */
const LARGEST_GROUP = 64

export class GroupCommit {
  readonly #connection: WritingConnection
  readonly #told: Told
  readonly #together: Together | undefined
  #waiting: Entry[] = []
  #busy = false

  /** Without `together`, each work runs alone from its beginning to its end. */
  constructor(connection: WritingConnection, told: Told = {}, together?: Together) {
    this.#connection = connection
    this.#told = told
    this.#together = together
  }

  /** `done` is called once the work is durable, before its caller goes on. */
  write<T>(work: (gate?: Gate) => Promise<T>, done: () => void = () => {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(new Write(work, done, resolve, reject))
      if (!this.#busy) {
        this.#busy = true
        // With all that are served together (http/turn.ts).
        process.nextTick(() => void this.#drain())
      }
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, LARGEST_GROUP))
      await this.#gather()
    }
    this.#busy = false
  }

  /** The event loop turns as long as that brings more: a larger group costs each of its writes less. */
  async #gather(): Promise<void> {
    // The answers are out; what they bring is served at the end of the next turn.
    await new Promise(setImmediate)
    let before: number
    do {
      before = this.#waiting.length
      await new Promise(setImmediate)
    } while (this.#waiting.length > before && this.#waiting.length < LARGEST_GROUP)
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      if (!(await this.#runGroup(group))) {
        this.#beginAgain()
        for (const entry of group) await this.#inSavepoint(entry)
      }
      this.#told.committing?.()
      this.#connection.execute('COMMIT')
      this.#told.committed?.()
    } catch (error) {
      // The engine itself failed (a full disk, say): nothing of the group is durable.
      this.#rollBack()
      for (const entry of group) entry.fail(error)
      return
    }
    for (const entry of group) entry.settle()
  }

  /** False when a write that failed has left something behind. */
  async #runGroup(group: readonly Entry[]): Promise<boolean> {
    const all = group.map((entry) => () => entry.run())
    if (this.#together === undefined || group.length === 1) return this.#runAll(all)
    const rest = await this.#together.run(group)
    if (rest === undefined) this.#beginAgain()
    return this.#runAll(rest ?? all)
  }

  #beginAgain(): void {
    this.#connection.execute('ROLLBACK')
    this.#told.rolledBack?.()
    this.#connection.execute('BEGIN IMMEDIATE')
  }

  /** One after the other. */
  async #runAll(runs: readonly Rest[]): Promise<boolean> {
    for (const run of runs) {
      const before = this.#connection.writes
      try {
        await run()
      } catch {
        // The entry keeps its own error and is told after the commit.
        if (this.#connection.writes !== before) return false
      }
    }
    return true
  }

  async #inSavepoint(entry: Entry): Promise<void> {
    this.#connection.execute('SAVEPOINT entry')
    try {
      await entry.run()
      this.#told.committing?.()
    } catch {
      this.#connection.execute('ROLLBACK TO entry')
      this.#told.rolledBack?.()
    }
    this.#connection.execute('RELEASE entry')
  }

  #rollBack(): void {
    this.#told.rolledBack?.()
    try {
      this.#connection.execute('ROLLBACK')
    } catch {
      // SQLite has already rolled back by itself; there is no transaction left to end.
    }
  }
}
