/**
 * The embedded engine in a process that only reads, beside the one that owns the file (docs/adr/0160). Nobody
 * tells it of commits, so a view is only for the reads that waited when it was begun: it shows all that was
 * answered before any of them came.
 */
import type { Database, Tx } from './database.ts'
import { SqliteConnection, SqliteReadTx } from './sqlite/database.ts'
import { SqliteThread, TakesLong } from './sqlite/reader-thread.ts'

interface Waiting {
  run(): Promise<void>
  reject(error: unknown): void
}

export class SqliteReader implements Database {
  readonly engine = 'sqlite'
  readonly #connection: SqliteConnection
  readonly #thread: SqliteThread
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(file: string) {
    this.#connection = new SqliteConnection(file, false)
    this.#thread = new SqliteThread(file)
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await work(new SqliteReadTx(this.#connection)))
        } catch (error) {
          if (error instanceof TakesLong) resolve(this.#thread.read(work))
          else reject(error)
        }
      }
      this.#waiting.push({ run, reject })
      if (this.#isBusy) return
      this.#isBusy = true
      // With all that are served together (http/turn.ts).
      process.nextTick(() => void this.#drain())
    })
  }

  /** Reads wait for nothing outside, so that none waits long for the next view. */
  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const reads = this.#waiting
      this.#waiting = []
      try {
        this.#connection.execute('BEGIN')
        await Promise.all(reads.map(({ run }) => run()))
        this.#connection.execute('COMMIT')
      } catch (error) {
        // The engine itself fails; those who have their answer are not told again.
        for (const { reject } of reads) reject(error)
      }
      await new Promise(setImmediate)
    }
    this.#isBusy = false
  }

  write(): Promise<never> {
    return Promise.reject(new Error('This process only reads; the lead writes.'))
  }

  replace(): Promise<never> {
    return this.write()
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  async close(): Promise<void> {
    while (this.#isBusy) await new Promise(setImmediate)
    await this.#thread.close()
    this.#connection.close()
  }
}
