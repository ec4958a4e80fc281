/**
 * The embedded engine: one file, written by one connection through group commit and read by another, so that
 * a reader sees only what is committed (WAL). In memory there is one connection for both.
 */
import { type Database, DatabaseUnusable, type Tx } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { GroupCommit } from './group-commit.ts'
import { ReaderThread, TakesLong } from './reader-thread.ts'
import { TextIndex } from './text-index.ts'
import { SqliteReadTx, SqliteTx } from './transaction.ts'

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #writes: GroupCommit
  /** Undefined in memory. */
  readonly #reader: SqliteConnection | undefined
  readonly #thread: ReaderThread | undefined
  #lastRead: Promise<unknown> = Promise.resolve()

  /** `file` undefined keeps everything in memory. */
  constructor(file: string | undefined) {
    try {
      this.#writer = new SqliteConnection(file ?? ':memory:', true)
      this.#reader = file === undefined ? undefined : new SqliteConnection(file, false)
    } catch (error) {
      throw new DatabaseUnusable(`The database ${file} cannot be opened: ${messageOf(error)}.`)
    }
    this.#thread = file === undefined ? undefined : new ReaderThread(file)
    const texts = new TextIndex(this.#writer)
    // In memory there is no flush to share, so nobody waits for others.
    const schedule = file === undefined ? process.nextTick : setImmediate
    this.#writes = new GroupCommit(this.#writer, () => texts.update(), schedule)
  }

  /** One at a time: a connection has one transaction, and a read waits for nothing outside. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const reader = this.#reader
    if (reader === undefined) return this.#writes.write(() => work(new SqliteTx(this.#writer)))
    const read = this.#lastRead.then(() => this.#readOn(reader, work))
    this.#lastRead = read.catch(() => undefined)
    return read.catch((error: unknown) => {
      if (error instanceof TakesLong && this.#thread !== undefined) return this.#thread.read(work)
      throw error
    })
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const tx = new SqliteTx(this.#writer)
    return this.#writes.write(
      () => work(tx),
      () => {
        for (const effect of tx.effects) effect()
      },
    )
  }

  exclusive<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // A reader goes on with what it began to see, and there is one writer at a time.
    return this.write(work)
  }

  async close(): Promise<void> {
    await this.#lastRead
    await this.#thread?.close()
    await this.#writes.write(async () => undefined)
    this.#reader?.close()
    this.#writer.close()
  }

  async #readOn<T>(reader: SqliteConnection, work: (tx: Tx) => Promise<T>): Promise<T> {
    reader.execute('BEGIN')
    try {
      return await work(new SqliteReadTx(reader))
    } finally {
      reader.execute('COMMIT')
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
