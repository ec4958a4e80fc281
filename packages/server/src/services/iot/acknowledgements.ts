/** What devices have acknowledged: written a moment later, as many at once as wait. One that is lost is sent again. */
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../storage/database.ts'
import { setAcknowledged } from './sim-store.ts'

export class Acknowledgements {
  readonly #database: Database
  readonly #log: Log
  #waiting = new Map<string, number>()
  #writing: Promise<void> | undefined

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  add(deviceId: string, number: number): void {
    this.#waiting.set(deviceId, Math.max(number, this.#waiting.get(deviceId) ?? 0))
    this.#writing ??= this.#drain()
  }

  /** What is known by now is written. */
  async idle(): Promise<void> {
    await this.#writing
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      // In one order, so that two processes do not wait for each other.
      const marks = [...this.#waiting].sort(([a], [b]) => (a < b ? -1 : 1))
      this.#waiting = new Map()
      try {
        await this.#database.write(async (tx) => {
          for (const [deviceId, number] of marks) await setAcknowledged(tx, deviceId, number)
        })
      } catch (err) {
        this.#log.error({ err }, 'acknowledgements of devices were not kept')
      }
    }
    this.#writing = undefined
  }
}
