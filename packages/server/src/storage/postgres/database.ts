/**
 * The engine for more than one process: PostgreSQL, or anything that speaks its protocol and its
 * serializable isolation. The stores' SQL is the same as for the embedded engine.
 */
import { stopwatch } from '../../kernel/clock.ts'
import { Unavailable } from '../../kernel/errors.ts'
import { type Database, DatabaseUnusable, type Tx } from '../database.ts'
import { VERSIONS_TABLE } from '../migrate.ts'
import { parseAddress } from './address.ts'
import { ChangedRows, nobody } from './asked.ts'
import type { Connection } from './connection.ts'
import { isUnreachable } from './error.ts'
import { insist } from './insist.ts'
import { Line, type Transactions } from './line.ts'
import { Pool } from './pool.ts'
import { SharedReads } from './shared-reads.ts'
import { PostgresTx } from './tx.ts'
import { WriteGroups } from './write-groups.ts'

const PATIENCE_MS = 5000
/** The number of the advisory lock: the letters "kumo". */
const ALONE = 0x6b756d6f
/**
 * Every transaction begins by passing the gate: together with all others, or, to replace everything,
 * alone (docs/adr/0156). The lock is taken before the first look at the data, and any table would do.
 */
const GATE = {
  shared: 'LOCK TABLE schema_migration IN ACCESS SHARE MODE',
  /** One after the other of those that pass it so, and together with the shared ones. */
  turns: 'LOCK TABLE schema_migration IN SHARE UPDATE EXCLUSIVE MODE',
  alone: 'LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE',
}
const READING = 'REPEATABLE READ READ ONLY'
const WRITING = 'SERIALIZABLE'

export class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #pool: Pool
  readonly #reads: SharedReads
  readonly #groups: WriteGroups
  readonly #line: Line

  constructor(pool: Pool) {
    this.#pool = pool
    const take = () => pool.takeIdle() ?? pool.take()
    const give = (connection: Connection) => connection.flush(() => pool.give(connection))
    const transactions: Transactions = {
      ...{ take, give },
      begin: (connection, inTurns) =>
        connection.begin(WRITING, inTurns ? GATE.turns : GATE.shared, nobody),
      commit: (connection) => this.#end(connection),
      rollBack: (connection) => connection.command('ROLLBACK', nobody),
      attempt: (work) => this.#attempt(GATE.shared, work),
    }
    this.#line = new Line(transactions)
    this.#groups = new WriteGroups(transactions, this.#line)
    this.#reads = new SharedReads({
      take,
      begin: (connection) => connection.begin(READING, GATE.shared, nobody),
      end: (connection) => connection.command('COMMIT', nobody),
      give,
    })
  }

  /** Fails with one sentence when the server cannot be reached or the credentials are wrong. */
  static async connect(url: string): Promise<PostgresDatabase> {
    let database: PostgresDatabase | undefined
    try {
      database = new PostgresDatabase(new Pool(parseAddress(url)))
      // The gate has to be there before the first transaction, that of the migrations included.
      await database.#script(`SELECT pg_advisory_xact_lock(${ALONE}); ${VERSIONS_TABLE}`)
      return database
    } catch (error) {
      await database?.close()
      throw new DatabaseUnusable(`The database cannot be used: ${describe(error)}.`)
    }
  }

  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#reads.read(work)
    } catch (error) {
      throw isUnreachable(error) ? unavailable(error) : error
    }
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#groups.write(work)
    } catch (error) {
      throw isUnreachable(error) ? unavailable(error) : error
    }
  }

  replace<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return insist(() => this.#attempt(GATE.alone, work))
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.#pool.take()
    try {
      await run(connection, `SELECT pg_advisory_lock(${ALONE})`)
      return await work()
    } finally {
      // With the connection the lock is gone, too.
      await run(connection, `SELECT pg_advisory_unlock(${ALONE})`).catch(() => connection.close())
      this.#pool.give(connection)
    }
  }

  async close(): Promise<void> {
    const waited = stopwatch()
    // Those who still wait for their group.
    const isBusy = () => this.#groups.isBusy || this.#line.isBusy || this.#reads.isBusy
    while (isBusy() && waited() < PATIENCE_MS) {
      await new Promise(setImmediate)
    }
    await this.#pool.end()
  }

  async #attempt<T>(gate: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = []
    let value: T
    try {
      value = await this.#transact(gate, work, effects)
    } catch (error) {
      throw isUnreachable(error) ? unavailable(error) : error
    }
    for (const effect of effects) effect()
    return value
  }

  async #transact<T>(
    gate: string,
    work: (tx: Tx) => Promise<T>,
    effects: (() => void)[],
  ): Promise<T> {
    const connection = this.#pool.takeIdle() ?? (await this.#pool.take())
    connection.begin(WRITING, gate, nobody)
    let value: T
    try {
      value = await work(new PostgresTx(connection, effects))
      if (connection.failure !== undefined) throw connection.failure
    } catch (error) {
      this.#rollBack(connection)
      throw error
    }
    await this.#commit(connection)
    return value
  }

  #commit(connection: Connection): Promise<void> {
    const committed = this.#end(connection)
    connection.flush(() => this.#pool.give(connection))
    return committed
  }

  #end(connection: Connection): Promise<void> {
    return new Promise((resolve, reject) => {
      // One that nobody waited for may have failed meanwhile.
      const done = () => (connection.failure ? reject(connection.failure) : resolve())
      connection.command('COMMIT', new ChangedRows(done, reject))
    })
  }

  #rollBack(connection: Connection): void {
    connection.command('ROLLBACK', nobody)
    connection.flush(() => this.#pool.give(connection))
  }

  async #script(text: string): Promise<void> {
    const connection = await this.#pool.take()
    try {
      await run(connection, text)
    } finally {
      this.#pool.give(connection)
    }
  }
}

function run(connection: Connection, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => connection.script(text, new ChangedRows(resolve, reject)))
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The database does not answer.', 'データベースが応答しません。', { cause })
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.message.replace(/\.$/, '')
}
