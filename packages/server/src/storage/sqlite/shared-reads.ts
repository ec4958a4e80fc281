/**
 * Reads share one transaction of the reading connection until something is committed: beginning and ending
 * one costs as much as the statement between. A read sees all that was committed before it began: after a
 * commit nobody joins the old view any more, and the next reads wait until those who are in it have
 * finished, which they do without waiting for anything outside.
 */
import type { Connection } from './group-commit.ts'
import { TakesLong } from './reader-thread.ts'

export class SharedReads {
  readonly #connection: Connection
  #isOpen = false
  #isOutdated = false
  #readers = 0
  #gathering: Promise<void> | undefined
  readonly #waiting: (() => void)[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** `elsewhere` begins it anew when it takes long, since those who wait for the next view cannot. */
  async read<T>(work: () => Promise<T>, elsewhere: () => Promise<T>): Promise<T> {
    await this.#gathered()
    // Whoever has waited may find that another commit came in between.
    while (this.#isOutdated && this.#readers > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#join()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error
    } finally {
      this.#leave()
    }
    return elsewhere()
  }

  /** Something is about to be committed: an open view would keep the log from being folded into the file. */
  rest(): void {
    if (this.#readers === 0) this.#close()
  }

  /** Something was committed: what is open now does not show it. */
  outdate(): void {
    if (!this.#isOpen) return
    this.#isOutdated = true
    this.rest()
  }

  async end(): Promise<void> {
    while (this.#readers > 0) await new Promise(setImmediate)
    this.#close()
  }

  /** Those of requests that are served together (http/turn.ts) begin together, after each was looked at. */
  #gathered(): Promise<void> {
    this.#gathering ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#gathering = undefined
        resolve()
      })
    })
    return this.#gathering
  }

  #join(): void {
    if (this.#isOutdated) this.#close()
    if (!this.#isOpen) {
      this.#connection.execute('BEGIN')
      this.#isOpen = true
    }
    this.#readers += 1
  }

  #leave(): void {
    this.#readers -= 1
    if (this.#readers > 0) return
    if (this.#isOutdated) this.#close()
    for (const resume of this.#waiting.splice(0)) resume()
  }

  #close(): void {
    if (this.#isOpen) this.#connection.execute('COMMIT')
    this.#isOpen = false
    this.#isOutdated = false
  }
}
