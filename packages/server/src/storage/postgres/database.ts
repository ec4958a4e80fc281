/**
 * The engine for more than one process: PostgreSQL. A request is one serializable transaction on one
 * connection, run again when it fails to serialize. The stores' SQL is the same as for SQLite.
 */
import type pg from 'pg'
import { pause, stopwatch } from '../../kernel/clock.ts'
import { type Database, DatabaseUnusable, type Tx, type Waiter } from '../database.ts'
import { VERSIONS_TABLE } from '../migrate.ts'
import type { Sql, SqlValue } from '../sql.ts'
import { ConnectionLost, isBroken, OutcomeUnknown } from './errors.ts'
import { Pool, type PoolOptions } from './pool.ts'
import { retry } from './retry.ts'
import { PostgresTx, submit } from './transaction.ts'

export interface PostgresOptions extends PoolOptions {
  /** Whether all data may be replaced while others use it, as a snapshot that is loaded does. */
  readonly replaceable: boolean
}

/** The number of the advisory lock under which the first table is made: the letters "kumo". */
const CREATION_LOCK = 0x6b756d6f
/**
 * To replace all data a transaction must be alone, reads included. A table lock is taken before the first
 * snapshot; an advisory lock would be taken by a SELECT, whose snapshot is older than the wait.
 */
const SHARED = 'LOCK TABLE schema_migration IN ACCESS SHARE MODE;'
const EXCLUSIVE = 'LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE;'
const XID = 'SELECT pg_current_xact_id() AS id'
const READ = /^\s*SELECT\b/i
/** How long the outcome of a commit is asked for after its connection was lost. */
const OUTCOME_MS = 10_000
const OUTCOME_STEP_MS = 50

type Work<T> = (tx: Tx) => Promise<T>

export class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #pool: Pool
  /** For what must not wait until a transaction has ended. */
  readonly #sidePool: Pool
  /** The connection of all reads of a single statement: those that come together go out together. */
  #shared: Promise<pg.PoolClient> | undefined
  readonly #options: PostgresOptions
  /** First statements of reads that went on to a second one. */
  readonly #severalStatements = new WeakSet<readonly string[]>()
  #underWay = 0
  #onIdle = () => {}
  #isClosed = false

  private constructor(options: PostgresOptions) {
    this.#options = options
    this.#pool = new Pool(options)
    this.#sidePool = new Pool({ ...options, size: 2 })
  }

  /** Fails with one sentence when the server cannot be reached or the credentials are wrong. */
  static async connect(options: PostgresOptions): Promise<PostgresDatabase> {
    let database: PostgresDatabase | undefined
    try {
      database = new PostgresDatabase(options)
      await database.#use(undefined, (client) =>
        // One message is one transaction.
        submit(client, `SELECT pg_advisory_xact_lock(${CREATION_LOCK}); ${VERSIONS_TABLE}`),
      )
      return database
    } catch (error) {
      await database?.close()
      throw new DatabaseUnusable(`The database cannot be used: ${describe(error)}.`)
    }
  }

  read<T>(work: Work<T>, waiter?: Waiter): Promise<T> {
    return this.#track(() => this.#read(work, waiter))
  }

  write<T>(work: Work<T>, waiter?: Waiter): Promise<T> {
    return this.#track(() => this.#use(waiter, (client, hold) => this.#write(client, work, hold)))
  }

  exclusive<T>(work: Work<T>): Promise<T> {
    // Alone, so that READ COMMITTED is enough; without limits, since a migration may take long.
    const begin = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
      SET LOCAL idle_in_transaction_session_timeout = 0; ${EXCLUSIVE} ${XID}`
    return this.#track(() =>
      this.#use(undefined, (client, hold) => this.#write(client, work, hold, begin)),
    )
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const idle = Promise.withResolvers<void>()
    this.#onIdle = idle.resolve
    if (this.#underWay > 0) await idle.promise
    this.#unshare(this.#shared)
    await Promise.all([this.#pool, this.#sidePool].map(({ connections }) => connections.end()))
  }

  load() {
    const { totalCount, idleCount, waitingCount } = this.#pool.connections
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** With retries; closing waits for it. */
  async #track<T>(attempt: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await retry(attempt)
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#onIdle()
    }
  }

  /**
   * Runs `work` with a connection that is nobody else's meanwhile. When nobody waits for it any
   * more, what runs on it is cancelled; `hold` ends that, since a commit under way is not to be cancelled.
   */
  async #use<T>(
    waiter: Waiter | undefined,
    work: (client: pg.PoolClient, hold: () => void) => Promise<T>,
  ): Promise<T> {
    const signal = waiter?.signal
    signal?.throwIfAborted()
    const client = await this.#pool.take()
    let cancelled: Promise<void> | undefined
    const cancel = () => {
      // One that fails leaves the statement to its timeout.
      cancelled = this.#cancel(client).catch(() => undefined)
    }
    const hold = () => signal?.removeEventListener('abort', cancel)
    signal?.addEventListener('abort', cancel)
    let broken = false
    try {
      return await work(client, hold)
    } catch (error) {
      broken = isBroken(error)
      if (error instanceof ConnectionLost) this.#pool.failOver()
      throw error
    } finally {
      hold()
      await cancelled
      client.release(broken || cancelled !== undefined)
    }
  }

  /**
   * A single statement sees one snapshot by itself and needs no BEGIN. A read that asks for a second one is
   * run again inside a transaction; those that begin alike, and searches, are begun there at once.
   */
  async #read<T>(work: Work<T>, waiter: Waiter | undefined): Promise<T> {
    const snapshot = () => this.#use(waiter, (client) => this.#readSnapshot(client, work))
    if (this.#options.hasPooler) return snapshot()
    this.#shared ??= this.#share()
    const shared = this.#shared
    let first: Sql | undefined
    let isSnapshotNeeded = false
    const before = (query: Sql) => {
      isSnapshotNeeded ||=
        first !== undefined || !query.isFixed || this.#severalStatements.has(query.chunks)
      if (isSnapshotNeeded) throw new Error('This read needs a snapshot.')
      first = query
      return undefined
    }
    try {
      const client = await shared
      const value = await work(new PostgresTx({ client, named: true, before }))
      if (!isSnapshotNeeded) return value
    } catch (error) {
      if (isBroken(error)) this.#unshare(shared)
      if (!isSnapshotNeeded) throw error
    }
    if (first !== undefined) this.#severalStatements.add(first.chunks)
    return snapshot()
  }

  /** One that could not be had is asked for again by the next read, whatever the reason was. */
  #share(): Promise<pg.PoolClient> {
    const shared = this.#sidePool.take()
    shared.catch(() => this.#unshare(shared))
    return shared
  }

  #unshare(shared: Promise<pg.PoolClient> | undefined): void {
    if (this.#shared !== shared) return
    this.#shared = undefined
    shared?.then(
      (client) => client.release(true),
      () => undefined,
    )
  }

  /** Ends the statement that the connection runs, which must not be used for anything else afterwards. */
  async #cancel(client: pg.PoolClient): Promise<void> {
    // pg's types lack it. A pooler hides it; there the statement timeout has to do.
    const { processID } = client as pg.PoolClient & { readonly processID: number }
    if (!this.#options.hasPooler) await this.#ask('SELECT pg_cancel_backend($1::int)', processID)
  }

  async #readSnapshot<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
    const begun = submit(client, this.#begin('REPEATABLE READ READ ONLY'))
    const tx = new PostgresTx({ client, named: !this.#options.hasPooler })
    try {
      const [value] = await Promise.all([work(tx), begun])
      if (tx.failure !== undefined) throw tx.failure
      return value
    } catch (error) {
      throw tx.failure ?? error
    } finally {
      await begun.catch(() => undefined)
      await submit(client, 'COMMIT').catch(() => undefined)
    }
  }

  async #write<T>(
    client: pg.PoolClient,
    work: Work<T>,
    hold: () => void,
    begin = this.#begin('SERIALIZABLE', XID),
  ): Promise<T> {
    const begun = submit(client, begin)
    // It is waited for below; until then its failure is nobody's.
    begun.catch(() => undefined)
    // What changes something waits for BEGIN: if that failed, it would be committed by itself.
    const before = ({ chunks: [head = ''] }: Sql) =>
      READ.test(head) ? undefined : begun.then(() => undefined)
    const tx = new PostgresTx({ client, named: !this.#options.hasPooler, before })
    let value: T
    let transactionId: string
    try {
      value = await work(tx)
      // Of a message with several statements the driver gives several results.
      transactionId = [await begun].flat().at(-1)?.rows[0].id
      if (tx.failure !== undefined) throw tx.failure
    } catch (error) {
      await begun.catch(() => undefined)
      await submit(client, 'ROLLBACK').catch(() => undefined)
      throw tx.failure ?? error
    }
    hold()
    await this.#commit(client, transactionId)
    for (const effect of tx.effects) effect()
    return value
  }

  async #commit(client: pg.PoolClient, transactionId: string): Promise<void> {
    try {
      const { command } = await submit(client, 'COMMIT')
      // An aborted transaction answers so, without an error.
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}.`)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      const outcome = await this.#outcomeOf(transactionId)
      if (outcome === 'aborted') throw error
      if (outcome !== 'committed') throw new OutcomeUnknown(error)
    }
  }

  /** What became of a transaction whose connection was lost; undefined when nobody says. */
  async #outcomeOf(transactionId: string): Promise<string | undefined> {
    const elapsed = stopwatch()
    while (elapsed() < OUTCOME_MS) {
      try {
        const text = 'SELECT pg_xact_status($1::text::xid8) AS status'
        const { rows } = await this.#ask(text, transactionId)
        if (rows[0]?.status !== 'in progress') return String(rows[0]?.status)
      } catch (error) {
        // Such as a standby that has become the primary and never heard of it.
        if (!(error instanceof ConnectionLost)) return undefined
      }
      await pause(OUTCOME_STEP_MS)
    }
    return undefined
  }

  async #ask(text: string, value: SqlValue): Promise<pg.QueryResult> {
    const client = await this.#sidePool.take()
    try {
      return await submit(client, text, [value])
    } finally {
      // One that may be broken is not worth keeping.
      client.release(true)
    }
  }

  #begin(isolation: string, more = ''): string {
    const { hasPooler, replaceable, statementMs, lockMs, idleInTransactionMs } = this.#options
    const limits = `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${lockMs};
      SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs};`
    return `BEGIN ISOLATION LEVEL ${isolation}; ${hasPooler ? limits : ''} ${replaceable ? SHARED : ''} ${more}`
  }
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  if (error instanceof ConnectionLost) return describe(error.cause)
  if (!(error instanceof Error)) return String(error)
  return error.message.replace(/\.$/, '')
}
