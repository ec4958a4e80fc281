/**
 * The embedded engine in a process that only reads, beside the one that owns the file (docs/adr/0160). Nobody
 * tells it of commits, so each read has a view of its own, which shows all that was answered before it began.
 */
import type { Database, Tx } from './database.ts'
import { SqliteConnection, SqliteTx } from './sqlite.ts'

export class SqliteReader implements Database {
  readonly engine = 'sqlite'
  readonly #connection: SqliteConnection
  #isBusy = false
  readonly #waiting: (() => void)[] = []

  constructor(file: string) {
    this.#connection = new SqliteConnection(file, false)
  }

  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Reads wait for nothing outside, so that none waits long for its turn.
    while (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#connection.execute('BEGIN')
    this.#isBusy = true
    try {
      return await work(new SqliteTx(this.#connection))
    } finally {
      this.#connection.execute('COMMIT')
      this.#isBusy = false
      this.#waiting.shift()?.()
    }
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
    await this.read(async () => undefined)
    this.#connection.close()
  }
}
