/**
 * Messages of one project are numbered one after another, so on PostgreSQL transactions that store them
 * at once would collide and repeat each other's work. In one process they wait for their turn instead.
 * The embedded engine runs writes one by one anyway, and commits them together.
 */
import type { ItemId } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../storage/database.ts'

export class Turns {
  readonly #database: Database
  readonly #last = new Map<ItemId, Promise<unknown>>()
  readonly #stored: () => void

  /** `stored` is told when a message may have come that will have to be forgotten one day. */
  constructor(database: Database, stored: () => void = () => undefined) {
    this.#database = database
    this.#stored = stored
  }

  /** `projectId` undefined: whatever it is about, it is refused and numbers nothing. */
  async write<T>(projectId: ItemId | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#inTurn(projectId, work)
    this.#stored()
    return result
  }

  async #inTurn<T>(projectId: ItemId | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#database.engine === 'sqlite' || projectId === undefined) {
      return this.#database.write(work)
    }
    const before = this.#last.get(projectId) ?? Promise.resolve()
    const own = before.then(() => this.#database.write(work))
    const end = own.catch(() => undefined)
    this.#last.set(projectId, end)
    try {
      return await own
    } finally {
      if (this.#last.get(projectId) === end) this.#last.delete(projectId)
    }
  }
}
