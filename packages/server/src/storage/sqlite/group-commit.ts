/**
 * Group commit: a durable commit costs a flush to the disk, whatever is in it, so the writes that are waiting
 * when one begins share it. They run one after the other, each in a savepoint of its own, so that one that
 * fails takes nothing of the others with it. Nobody is answered before the commit, refusals included, since a
 * refusal may rest on what an earlier write of the same group did.
 */

/** The little that the group needs of its connection. */
export interface Connection {
  execute(statement: string): void
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
   * are read in one turn of the event loop.
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
      // Answers go out and new requests come in, which then share the next group.
      await new Promise(setImmediate)
    }
    this.#isBusy = false
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      for (const entry of group) await this.#inSavepoint(entry)
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

  async #inSavepoint(entry: Entry): Promise<void> {
    this.#connection.execute('SAVEPOINT entry')
    try {
      await entry.run()
    } catch {
      // The entry keeps its error and is answered after the commit.
      this.#connection.execute('ROLLBACK TO entry')
    }
    this.#connection.execute('RELEASE entry')
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
