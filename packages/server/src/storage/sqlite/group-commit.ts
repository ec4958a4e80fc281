/**
 * Group commit: a durable commit costs a flush to the disk, whatever is in it, so the writes that are waiting
 * when one begins share it. They run one after the other, and nobody is answered before the commit, refusals
 * included, since a refusal may rest on what an earlier write of the same group did.
 *
 * A savepoint for each write costs a seventh of it, and most refusals come before anything was written. So a
 * group runs without savepoints first. When a write fails that has changed something, the group is rolled back
 * and run again with a savepoint for each; as on PostgreSQL, a work may run twice.
 */

/** The little that the group needs of its connection. */
export interface Connection {
  execute(statement: string): void
  /** Counts up with each statement that may have changed something. */
  readonly writes: number
}

interface Entry {
  /** Rejects when the write is to be rolled back. */
  run(): Promise<void>
  settle(): void
  fail(error: unknown): void
}

/** Bounds how long one group keeps the process from reading its sockets. */
const MAX_GROUP = 64

export class GroupCommit {
  readonly #connection: Connection
  readonly #beforeCommit: () => void
  readonly #schedule: (start: () => void) => void
  #waiting: Entry[] = []
  #isBusy = false

  /**
   * `beforeCommit` may still write. `schedule` starts a group; by `setImmediate` it has all requests in it that
   * are read in one iteration of the event loop.
   */
  constructor(
    connection: Connection,
    beforeCommit: () => void = () => undefined,
    schedule: (start: () => void) => void = setImmediate,
  ) {
    this.#connection = connection
    this.#beforeCommit = beforeCommit
    this.#schedule = schedule
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** `onCommit` is called once the work is durable, before its caller goes on. */
  write<T>(work: () => Promise<T>, onCommit: () => void = () => undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(entryOf(work, onCommit, resolve, reject))
      if (this.#isBusy) return
      this.#isBusy = true
      this.#schedule(() => void this.#drain())
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, MAX_GROUP))
      await this.#gather()
    }
    this.#isBusy = false
  }

  /** Answers go out and new requests come in; as long as there come more, they share the next group. */
  async #gather(): Promise<void> {
    let before = -1
    await new Promise(setImmediate)
    while (this.#waiting.length > before && this.#waiting.length < MAX_GROUP) {
      before = this.#waiting.length
      await new Promise(setImmediate)
    }
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      if (!(await this.#runAll(group))) {
        this.#rollBack()
        this.#connection.execute('BEGIN IMMEDIATE')
        for (const entry of group) await this.#inSavepoint(entry)
      }
      this.#beforeCommit()
      this.#connection.execute('COMMIT')
    } catch (error) {
      // The engine itself failed (a full disk, say): nothing of the group is durable.
      this.#rollBack()
      for (const entry of group) entry.fail(error)
      return
    }
    for (const entry of group) entry.settle()
  }

  /** False when a write that failed has left something behind. */
  async #runAll(group: readonly Entry[]): Promise<boolean> {
    for (const entry of group) {
      const before = this.#connection.writes
      try {
        await entry.run()
      } catch {
        // The entry keeps its error and is answered after the commit.
        if (this.#connection.writes !== before) return false
      }
    }
    return true
  }

  async #inSavepoint(entry: Entry): Promise<void> {
    this.#connection.execute('SAVEPOINT entry')
    try {
      await entry.run()
    } catch (error) {
      this.#rollBackEntry(error)
    }
    this.#connection.execute('RELEASE entry')
  }

  #rollBackEntry(error: unknown): void {
    try {
      this.#connection.execute('ROLLBACK TO entry')
    } catch {
      // On a full disk SQLite rolls back the whole transaction; then nothing of the group is durable.
      throw error
    }
  }

  #rollBack(): void {
    try {
      this.#connection.execute('ROLLBACK')
    } catch {
      // SQLite has already rolled back by itself; there is no transaction left to end.
    }
  }
}

function entryOf<T>(
  work: () => Promise<T>,
  onCommit: () => void,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Entry {
  let settle = () => {}
  return {
    async run() {
      try {
        const value = await work()
        settle = () => {
          try {
            onCommit()
            resolve(value)
          } catch (error) {
            reject(error)
          }
        }
      } catch (error) {
        settle = () => reject(error)
        throw error
      }
    },
    settle: () => settle(),
    fail: reject,
  }
}
