/**
 * Reads that were asked for together run together, in one read transaction: it begins after the last of them was
 * asked for, so that each sees all that was committed before, and the next batch begins when this one has ended.
 * Reads wait for nothing outside, so none waits long.
 */
interface Connection {
  execute(statement: string): void
}

interface Read {
  run(): Promise<void>
  reject(error: unknown): void
}

export class ReadBatch {
  readonly #connection: Connection
  #waiting: Read[] = []
  #running: Promise<void> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  get waiting(): number {
    return this.#waiting.length
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      }
      this.#waiting.push({ run, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Fulfilled when none is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #drain(): Promise<void> {
    // With all requests that are served in this iteration of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    while (this.#waiting.length > 0) {
      const reads = this.#waiting
      this.#waiting = []
      try {
        this.#connection.execute('BEGIN')
        await Promise.all(reads.map(({ run }) => run()))
        this.#connection.execute('COMMIT')
      } catch (error) {
        // The engine itself fails; a read that has its result keeps it.
        for (const { reject } of reads) reject(error)
      }
    }
    this.#running = undefined
  }
}
