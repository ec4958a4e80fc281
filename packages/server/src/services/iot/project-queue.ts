/**
 * Writes to one project, one after the other. Its messages are numbered consecutively, so on PostgreSQL transactions
 * that store them at the same time would be retried again and again. In one process they are queued instead.
 * The embedded engine runs writes one by one anyway, and commits them together.
 */
import type { ItemId } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../storage/database.ts'

export class ProjectQueue {
  readonly #database: Database
  /** The end of the last write of each project; never rejects. */
  readonly #last = new Map<ItemId, Promise<unknown>>()
  readonly #onStored: () => void

  /** `onStored` is called when there may be a new message, which will have to be deleted one day. */
  constructor(database: Database, onStored: () => void = () => undefined) {
    this.#database = database
    this.#onStored = onStored
  }

  /** `projectId` undefined: whatever it is about, it is refused and numbers nothing. */
  async write<T>(projectId: ItemId | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#enqueue(projectId, work)
    this.#onStored()
    return result
  }

  async #enqueue<T>(projectId: ItemId | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#database.engine === 'sqlite' || projectId === undefined) {
      return this.#database.write(work)
    }
    const before = this.#last.get(projectId) ?? Promise.resolve()
    const own = before.then(() => this.#database.write(work))
    // Its caller gets the error; the next one only waits for the end.
    const end = own.catch(() => undefined)
    this.#last.set(projectId, end)
    try {
      return await own
    } finally {
      if (this.#last.get(projectId) === end) this.#last.delete(projectId)
    }
  }
}
