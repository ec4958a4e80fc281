/**
 * Reads of the embedded engine that take long, on a thread of their own (docs/adr/0173): asked on ours, nobody else
 * would be answered meanwhile. One read at a time; the thread begins with the first one.
 */
import { Worker } from 'node:worker_threads'
import type { Tx } from '../database.ts'
import type { Sql, SqlValue } from '../sql.ts'

export interface Question {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type Reply = { readonly rows: unknown[] } | { readonly problem: string }

/** Thrown by a read that is about to take long; it begins anew on the thread. */
export class TakesLong extends Error {}

interface Asked {
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

export class SqliteThread {
  readonly #file: string
  #worker: Worker | undefined
  /** They are answered in their order. */
  #asked: Asked[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const read = this.#last.then(() => this.#transact(work))
    this.#last = read.catch(() => undefined)
    return read
  }

  async close(): Promise<void> {
    await this.#last
    await this.#worker?.terminate()
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#ask('BEGIN')
    try {
      return await work(new ThreadTx((text, values) => this.#ask(text, values)))
    } finally {
      // One that has ended took the transaction with it.
      if (this.#worker !== undefined) await this.#ask('COMMIT')
    }
  }

  #ask(text: string, values: readonly SqlValue[] = []): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#asked.push({ resolve, reject })
      // Only while something is under way does it keep the process from ending.
      this.#worker.ref()
      this.#worker.postMessage({ text, values } satisfies Question)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./reader-thread-worker.ts', import.meta.url), {
      workerData: this.#file,
    })
    worker.on('message', (reply: Reply) => {
      const asked = this.#asked.shift()
      if (this.#asked.length === 0) worker.unref()
      if ('rows' in reply) asked?.resolve(reply.rows)
      else asked?.reject(new Error(reply.problem))
    })
    worker.once('error', (error) => this.#end(worker, error))
    worker.once('exit', () => this.#end(worker, new Error('The thread for long reads has ended.')))
    return worker
  }

  /** The next read has a new one. */
  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    const all = this.#asked
    this.#asked = []
    this.#worker = undefined
    for (const { reject } of all) reject(error)
  }
}

class ThreadTx implements Tx {
  readonly engine = 'sqlite'
  readonly #ask: (text: string, values: readonly SqlValue[]) => Promise<unknown[]>

  constructor(ask: (text: string, values: readonly SqlValue[]) => Promise<unknown[]>) {
    this.#ask = ask
  }

  // The casts to Row: the engine cannot know the columns, the store that wrote the query does.
  all<Row>({ chunks, values }: Sql): Promise<Row[]> {
    return this.#ask(chunks.join('?'), values) as Promise<Row[]>
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    const [row] = await this.all<Row>(query)
    return row
  }

  run(): Promise<never> {
    return Promise.reject(new Error('A read changes nothing.'))
  }

  readonly later = this.run
  readonly fill = this.run
  readonly next = this.run
  readonly reserve = this.run

  /** As with any read, nothing is ever committed. */
  afterCommit(): void {}
}
