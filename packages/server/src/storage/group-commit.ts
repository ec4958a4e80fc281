/**
 * Group commit: a durable commit costs a flush to the disk, whatever is in it. So the writes that are
 * waiting when one begins share it. Each runs alone, to its end, in a savepoint of its own: one that
 * fails takes nothing of the others with it. Nobody is answered before the commit, refusals included,
 * since a refusal may rest on what an earlier write of the same group did.
 */

/** The few statements that the group needs of its connection. */
export interface Connection {
  execute(statement: string): void
}

interface Entry {
  run(): Promise<void>
  settle(): void
  fail(error: unknown): void
}

/** Bounds how long one group keeps the process from reading its sockets. */
const LARGEST_GROUP = 64

export class GroupCommit {
  readonly #connection: Connection
  readonly #committed: () => void
  #waiting: Entry[] = []
  #busy = false

  /** `committed` is told of each commit before anybody is answered. */
  constructor(connection: Connection, committed: () => void = () => undefined) {
    this.#connection = connection
    this.#committed = committed
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle: () => void
      this.#waiting.push({
        run: async () => {
          try {
            const value = await work()
            settle = () => resolve(value)
          } catch (error) {
            settle = () => reject(error)
            throw error
          }
        },
        settle: () => settle(),
        fail: reject,
      })
      if (!this.#busy) {
        this.#busy = true
        setImmediate(() => void this.#drain())
      }
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, LARGEST_GROUP))
      // The event loop turns, so that requests that arrived meanwhile can join the next group.
      await new Promise(setImmediate)
    }
    this.#busy = false
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    try {
      this.#connection.execute('BEGIN IMMEDIATE')
      for (const entry of group) await this.#inSavepoint(entry)
      this.#connection.execute('COMMIT')
      this.#committed()
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
      // The entry keeps its own error and is told after the commit.
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
