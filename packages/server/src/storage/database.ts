/** What the stores know of a database: the same few calls on either engine. */
import type { Sql, SqlValue } from './sql.ts'

/**
 * One transaction. Statements run in the order in which they are asked for. Those that do not depend on each
 * other may be asked for together (`Promise.all`): PostgreSQL then answers them in one round trip.
 */
export interface Tx {
  readonly engine: Engine
  /** Set by whoever wants to know what is changed. */
  rowCounter?: RowCounter
  all<Row>(query: Sql): Promise<Row[]>
  first<Row>(query: Sql): Promise<Row | undefined>
  /** Answers with the number of rows that were changed. */
  run(query: Sql): Promise<number>
  /** Inserts many rows; each has a value for every column. */
  insertMany(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void>
  /** A number that is never given out again. */
  next(sequence: Sequence): Promise<number>
  /** Keeps a number that came from outside (a world file) from being given out. */
  reserve(sequence: Sequence, number: number): Promise<void>
  /**
   * To be called before a query that may take long. Where such a query would block the event loop, the read
   * starts again on a thread of its own; elsewhere the call is not there.
   */
  offload?(): void
  /** Runs once the transaction is durable; not at all when it is rolled back. */
  afterCommit(effect: () => void): void
}

export interface RowCounter {
  /** Called by the engine for every statement; one with RETURNING gives the rows that it changed. */
  countRows(query: Sql, rows: number): void
}

/** The values of a row, in the order of its columns. */
export type SqlRow = readonly SqlValue[]

/** Counted apart; each is made by a migration. */
export type Sequence = 'resource' | 'outbox' | 'session' | 'bill' | 'audit'

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  /**
   * A consistent view of what is committed. `work` may run more than once, as for `write`. When the signal of
   * `waiter` is aborted nobody waits for the result any more, and what can be stopped is stopped.
   */
  read<T>(work: (tx: Tx) => Promise<T>, waiter?: Waiter): Promise<T>
  /**
   * Serializable, all or nothing, and durable before the promise is fulfilled. `work` may run more
   * than once (PostgreSQL retries after a serialization failure), so it has no effect but through `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, waiter?: Waiter): Promise<T>
  /** As `write`, with no other transaction of any process meanwhile: for migrations and snapshots. */
  exclusive<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** How busy its connections are, where the engine itself is asked. */
  load?(): DatabaseLoad | undefined
  close(): Promise<void>
}

export interface DatabaseLoad {
  /** Connections that are open, and those of them that nobody uses. */
  readonly open: number
  readonly idle: number
  /** Transactions that wait for one: on the embedded store for the one that writes, or that reads what takes long. */
  readonly waiting: number
}

/** Who waits for a result; the signal is made only where it is used. */
export interface Waiter {
  readonly signal: AbortSignal
}

/** The database itself refuses or fails; a sentence for the person who started the server. */
export class DatabaseUnusable extends Error {}
