/** The connections: opened as they are needed, limited in number, each given to one transaction at a time. */
import pg from 'pg'
import { addressesOf, withoutTls } from './address.ts'
import { classify } from './errors.ts'

export interface PoolOptions {
  readonly url: string
  readonly size: number
  /** How long a transaction waits for a connection. */
  readonly waitMs: number
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  /** PgBouncer in transaction mode lies between: no state outlives a transaction. */
  readonly hasPooler: boolean
}

const NO_TLS = 'The server does not support SSL connections'

export class Pool {
  #addresses: string[]
  readonly #options: PoolOptions
  readonly connections: pg.Pool
  /** Which of the addresses is connected to; the next one after a failure. */
  #current = 0

  constructor(options: PoolOptions) {
    this.#options = options
    this.#addresses = addressesOf(options.url)
    const configOf = () => this.#clientConfig()
    // Each new connection goes to the address of the moment, which pg's own options cannot say.
    class CurrentClient extends pg.Client {
      constructor() {
        super(configOf())
      }
    }
    this.connections = new pg.Pool({
      Client: CurrentClient,
      max: options.size,
      connectionTimeoutMillis: options.waitMs,
      idleTimeoutMillis: 0,
      onConnect: (client) => this.#checkWritable(client),
    })
    // The pool drops an idle connection that breaks; one in use fails the transaction that uses it.
    this.connections.on('error', () => undefined)
    this.connections.on('connect', (client) => client.on('error', () => undefined))
  }

  /** One after the other of the addresses is tried, each once. */
  async take(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries += 1) {
      const tried = this.#current
      try {
        return await this.connections.connect()
      } catch (error) {
        const plain = this.#addresses.map(withoutTls)
        if (String(error).includes(NO_TLS) && String(plain) !== String(this.#addresses)) {
          this.#addresses = plain
        } else if (tries < this.#addresses.length) {
          // Several that fail at once move on to the next address together.
          if (tried === this.#current) this.#current += 1
        } else throw classify(error)
      }
    }
  }

  /** The connection broke, or its server no longer takes writes: others lead there, too. */
  failOver(): void {
    if (this.#addresses.length > 1) this.#current += 1
  }

  #clientConfig(): pg.ClientConfig {
    const { statementMs, lockMs, idleInTransactionMs, hasPooler, waitMs } = this.#options
    return {
      connectionString: this.#addresses[this.#current % this.#addresses.length],
      fallback_application_name: 'kumoi',
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: waitMs,
      types: { getTypeParser },
      // A pooler would give the session to somebody else; there the limits go with each transaction.
      ...(!hasPooler && {
        statement_timeout: statementMs,
        lock_timeout: lockMs,
        idle_in_transaction_session_timeout: idleInTransactionMs,
        options: '-c plan_cache_mode=force_custom_plan',
      }),
    }
  }

  /** Of several servers one is the primary. */
  async #checkWritable(client: pg.ClientBase): Promise<void> {
    if (this.#addresses.length === 1) return
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby')
    if (rows[0]?.standby) throw new Error('the server is a standby')
  }
}

/** 64-bit integers and their sums, by their numbers in the server's catalogue. */
const INTEGERS = [20, 1700]

const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  INTEGERS.includes(type) ? integer : pg.types.getTypeParser(type, format)

/** One that a number cannot hold is a fault of ours. */
function integer(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer.`)
  return value
}
