/**
 * The embedded engine: one file, written by one connection through group commit and read by another, so that
 * a reader sees only what is committed (WAL). In memory there is one connection for both.
 */
import { type Database, type DatabaseLoad, DatabaseUnusable, type Tx } from '../database.ts'
import { SqliteConnection } from './connection.ts'
import { GroupCommit } from './group-commit.ts'
import { createIfMissing } from './new-file.ts'
import { ReadBatch } from './read-batch.ts'
import { ReaderThread, TakesLong } from './reader-thread.ts'
import { TextIndex } from './text-index.ts'
import { SqliteReadTx, SqliteTx } from './transaction.ts'

/** What only a file has: beside the writer a connection and a thread that read it. */
interface FileReader {
  readonly connection: SqliteConnection
  readonly batch: ReadBatch
  readonly thread: ReaderThread
}

export class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #writer: SqliteConnection
  readonly #writes: GroupCommit
  readonly #reader: FileReader | undefined

  /** `file` undefined keeps everything in memory, beginning with `content` of another. */
  constructor(file: string | undefined, content?: Uint8Array) {
    try {
      if (file !== undefined) createIfMissing(file)
      this.#writer = new SqliteConnection(file ?? ':memory:', true, content)
      this.#reader = file === undefined ? undefined : openReader(file)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new DatabaseUnusable(`The database ${file ?? 'in memory'} cannot be opened: ${reason}.`)
    }
    const texts = new TextIndex(this.#writer)
    // In memory there is no flush to share, so nobody waits for others.
    const schedule = file === undefined ? process.nextTick : setImmediate
    this.#writes = new GroupCommit(this.#writer, () => texts.update(), schedule)
  }

  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // One connection has one transaction at a time: in memory that is the writer's.
    if (this.#reader === undefined) {
      return this.#writes.write(() => work(new SqliteTx(this.#writer)))
    }
    const { connection, batch, thread } = this.#reader
    try {
      return await batch.read(() => work(new SqliteReadTx(connection)))
    } catch (error) {
      if (error instanceof TakesLong) return thread.read(work)
      throw error
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let tx = new SqliteTx(this.#writer)
    return this.#writes.write(
      () => {
        // Each run has its own effects.
        tx = new SqliteTx(this.#writer)
        return work(tx)
      },
      () => {
        for (const effect of tx.effects) effect()
      },
    )
  }

  exclusive<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // A reader goes on with what it began to see, and there is one writer at a time.
    return this.write(work)
  }

  load(): DatabaseLoad {
    const reader = this.#reader && [this.#reader.batch, this.#reader.thread]
    const connections = [this.#writes, ...(reader ?? [])]
    return {
      open: connections.length,
      idle: connections.filter(({ isBusy }) => !isBusy).length,
      waiting: connections.reduce((sum, { waiting }) => sum + waiting, 0),
    }
  }

  serialize(): Uint8Array | undefined {
    return this.#writer.serialize()
  }

  async close(): Promise<void> {
    await this.#reader?.batch.idle()
    await this.#reader?.thread.close()
    await this.#writes.write(async () => undefined)
    this.#reader?.connection.close()
    this.#writer.close()
  }
}

function openReader(file: string): FileReader {
  const connection = new SqliteConnection(file, false)
  return { connection, batch: new ReadBatch(connection), thread: new ReaderThread(file) }
}
