/** The connections of a process: as many as are needed at once, up to a limit, kept for the next. */
import { after } from '../../kernel/clock.ts'
import type { Address } from './address.ts'
import { Connection } from './connection.ts'
import { ConnectionLost } from './error.ts'

const MOST = 10
/** So that a server that moves, or a balancer before it, gets its connections back in time. */
const LIFETIME_MS = 45 * 60_000
const PATIENCE_MS = 5000

interface Waiting {
  resolve(connection: Connection): void
  reject(error: unknown): void
}

export class Pool {
  readonly #address: Address
  readonly #all = new Set<Connection>()
  /** The last one that was used is the next one to be, so that the others can rest. */
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting[] = []
  #opening = 0
  #isEnding = false
  #ended: (() => void) | undefined

  constructor(address: Address) {
    this.#address = address
  }

  /** One that is there, at once. */
  takeIdle(): Connection | undefined {
    return this.#waiting.length > 0 ? undefined : this.#idle.pop()
  }

  take(): Promise<Connection> {
    if (this.#isEnding) return Promise.reject(new ConnectionLost('The database is being closed'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#serve()
    })
  }

  give(connection: Connection): void {
    if (!connection.isFit || connection.age() > LIFETIME_MS) connection.close()
    else this.#idle.push(connection)
    this.#serve()
  }

  /** Waits for what is under way, but not for ever. */
  async end(): Promise<void> {
    this.#isEnding = true
    const impatience = after(PATIENCE_MS, () => this.#endNow())
    await new Promise<void>((resolve) => {
      this.#ended = resolve
      this.#serve()
    })
    impatience.cancel()
  }

  #endNow(): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new ConnectionLost('The database is being closed'))
    }
    for (const connection of [...this.#all]) connection.close()
    this.#ended?.()
    this.#ended = undefined
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const connection = this.#idle.pop()
      if (connection === undefined) break
      this.#waiting.shift()
      next.resolve(connection)
    }
    while (this.#opening < this.#waiting.length && this.#all.size + this.#opening < MOST) {
      void this.#open()
    }
    const isUsed = this.#all.size > this.#idle.length || this.#opening + this.#waiting.length > 0
    if (this.#isEnding && !isUsed) this.#endNow()
  }

  async #open(): Promise<void> {
    this.#opening += 1
    try {
      const connection = await Connection.open(this.#address, (closed) => this.#lost(closed))
      this.#all.add(connection)
      this.#idle.push(connection)
    } catch (error) {
      // Whoever waits the longest is told, and the next one tries again.
      this.#waiting.shift()?.reject(error)
    }
    this.#opening -= 1
    this.#serve()
  }

  #lost(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#serve()
  }
}
