/**
 * Reads of the embedded engine that take long, on a thread of their own (docs/adr/0007-reader-thread.md): on
 * ours they would block everybody else meanwhile. One read at a time; the thread starts with the first one.
 */
import { Worker } from 'node:worker_threads'
import type { Tx } from '../database.ts'
import type { Sql, SqlValue } from '../sql.ts'

export interface ThreadQuery {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type Reply = { readonly rows: unknown[] } | { readonly problem: string }

/** Thrown by a read that is about to take long; it begins anew on the thread. */
export class TakesLong extends Error {}

interface Pending {
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

export class ReaderThread {
  readonly #file: string
  #worker: Worker | undefined
  /** They are answered in their order. */
  #pending: Pending[] = []
  #last: Promise<unknown> = Promise.resolve()
  /** Reads that have not ended, of which one runs. */
  #reads = 0

  constructor(file: string) {
    this.#file = file
  }

  get isBusy(): boolean {
    return this.#reads > 0
  }

  get waiting(): number {
    return Math.max(0, this.#reads - 1)
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#reads += 1
    const read = this.#last
      .then(() => this.#transact(work))
      .finally(() => {
        this.#reads -= 1
      })
    this.#last = read.catch(() => undefined)
    return read
  }

  async close(): Promise<void> {
    await this.#last
    await this.#worker?.terminate()
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#query('BEGIN')
    try {
      return await work(new ThreadTx((text, values) => this.#query(text, values)))
    } finally {
      // One that has ended took the transaction with it.
      if (this.#worker !== undefined) await this.#query('COMMIT')
    }
  }

  #query(text: string, values: readonly SqlValue[] = []): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#pending.push({ resolve, reject })
      // Only while something is under way does it keep the process from ending.
      this.#worker.ref()
      this.#worker.postMessage({ text, values } satisfies ThreadQuery)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./reader-thread-worker.ts', import.meta.url), {
      workerData: this.#file,
    })
    worker.on('message', (reply: Reply) => {
      const pending = this.#pending.shift()
      if (this.#pending.length === 0) worker.unref()
      if ('rows' in reply) pending?.resolve(reply.rows)
      else pending?.reject(new Error(reply.problem))
    })
    worker.once('error', (error) => this.#end(worker, error))
    worker.once('exit', () => this.#end(worker, new Error('The thread for long reads has ended.')))
    return worker
  }

  /** The next read has a new one. */
  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    const all = this.#pending
    this.#pending = []
    this.#worker = undefined
    for (const { reject } of all) reject(error)
  }
}

class ThreadTx implements Tx {
  readonly engine = 'sqlite'
  readonly #query: (text: string, values: readonly SqlValue[]) => Promise<unknown[]>

  constructor(query: (text: string, values: readonly SqlValue[]) => Promise<unknown[]>) {
    this.#query = query
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  all<Row>({ chunks, values }: Sql): Promise<Row[]> {
    return this.#query(chunks.join('?'), values) as Promise<Row[]>
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const [row] = await this.all<Row>(query)
    return row
  }

  run(): Promise<never> {
    return Promise.reject(new Error('A read changes nothing.'))
  }

  readonly insertMany = this.run
  readonly next = this.run
  readonly reserve = this.run

  /** As with any read, nothing is ever committed. */
  afterCommit(): void {}
}
