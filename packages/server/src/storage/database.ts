/** What the stores know of a database: the same few calls on either engine. */
import type { Sql, SqlValue } from './sql.ts'

/** One transaction. Statements run in the order in which they are asked for. */
export interface Tx {
  readonly engine: Engine
  /** Set by whoever wants to know what is changed. */
  count?: RowCount
  all<Row>(query: Sql): Promise<Row[]>
  first<Row>(query: Sql): Promise<Row | undefined>
  /** Answers with the number of rows that were changed. */
  run(query: Sql): Promise<number>
  /**
   * For what nobody reads before the commit: an engine may wait with it, and do with one statement what several
   * transactions want under the same name.
   */
  later(
    name: string,
    value: SqlValue,
    together: (values: readonly SqlValue[]) => Sql,
  ): Promise<void>
  /** Many rows at once, by the quickest way that the engine has; all of them have all columns. */
  fill(table: string, columns: readonly string[], rows: readonly SqlRow[]): Promise<void>
  /** A number that is never given out again. */
  next(sequence: Sequence): Promise<number>
  /** Keeps a number that came from outside (a world file) from being given out. */
  reserve(sequence: Sequence, number: number): Promise<void>
  /**
   * To be called before a question that may take long, where there is such a call: there it would keep all others
   * waiting, so the work begins anew where it does not.
   */
  mayTakeLong?(): void
  /** Runs once the transaction is durable; not at all when it is rolled back. */
  afterCommit(effect: () => void): void
}

export interface RowCount {
  /** By the engine, of every statement: one with RETURNING gives the rows that it changed. */
  told(query: Sql, rows: number): void
}

/** The values of a row, in the order of its columns. */
export type SqlRow = readonly SqlValue[]

/** Counted apart; each is made by a migration. */
export type Sequence = 'resource' | 'outbox' | 'purge' | 'session' | 'bill'

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  /** A consistent view of what is committed. `work` may run more than once, as for `write`. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Serializable, all or nothing, and durable before the promise is fulfilled. `work` may run more
   * than once (PostgreSQL asks for a retry when transactions collide), so it has no effect but
   * through `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** As `write`; every other transaction comes wholly before it or wholly after it, reads included. */
  replace<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs while no other process is in here: for migrations. */
  alone<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The database itself refuses or fails; a sentence for the person who started the server. */
export class DatabaseUnusable extends Error {}
