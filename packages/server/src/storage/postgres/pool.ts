/** The connections: opened as they are needed, limited in number, each given to one transaction at a time. */
import { connect } from 'node:net'
import pg from 'pg'
import { type Address, parseAddress } from './address.ts'
import { ConnectionLost } from './errors.ts'

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

type Client = pg.PoolClient

const CANCEL_REQUEST = 80_877_102
const NO_TLS = 'The server does not support SSL connections'

export class Pool {
  readonly #address: Address
  readonly #options: PoolOptions
  readonly #pool: pg.Pool
  /** Which of the hosts is connected to; the next one after a failure. */
  #host = 0
  #usesTls: boolean

  constructor(options: PoolOptions) {
    this.#options = options
    this.#address = parseAddress(options.url)
    this.#usesTls = this.#address.tls !== 'disable'
    const configOf = () => this.#clientConfig()
    // Each new connection goes to the host of the moment, which pg's own options cannot say.
    class CurrentClient extends pg.Client {
      constructor() {
        super(configOf())
      }
    }
    this.#pool = new pg.Pool({
      Client: CurrentClient,
      max: options.size,
      connectionTimeoutMillis: options.waitMs,
      idleTimeoutMillis: 0,
      onConnect: (client) => this.#checkWritable(client),
    })
    // The pool drops an idle connection that breaks; one in use fails the transaction that uses it.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /** One after the other of the hosts is tried, each once. */
  async take(): Promise<Client> {
    for (let tries = 1; ; tries += 1) {
      const host = this.#host
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (this.#address.tls === 'prefer' && String(error).includes(NO_TLS)) this.#usesTls = false
        else if (tries < this.#address.hosts.length) {
          // Several that fail at once move on to the next host together.
          if (host === this.#host) this.#host += 1
          // What the server itself refuses (a password, a database) is told as it is.
        } else throw error instanceof pg.DatabaseError ? error : new ConnectionLost(error)
      }
    }
  }

  /** The connection broke, or its server no longer takes writes: others lead there, too. */
  failOver(): void {
    if (this.#address.hosts.length > 1) this.#host += 1
  }

  /**
   * Asks the server to stop what the connection is doing. The request may arrive late, so the connection
   * must not be used for anything else afterwards.
   */
  cancel(client: Client): Promise<void> {
    // Not in pg's types, though its protocol has them.
    const { host, port, processID, secretKey } = client as Client & {
      readonly host: string
      readonly port: number
      readonly processID: number
      readonly secretKey: number
    }
    const request = Buffer.alloc(16)
    request.writeInt32BE(request.length, 0)
    request.writeInt32BE(CANCEL_REQUEST, 4)
    request.writeInt32BE(processID, 8)
    request.writeInt32BE(secretKey, 12)
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    return new Promise((resolve) => {
      const socket = connect(target, () => socket.end(request))
      socket.setTimeout(this.#options.waitMs, () => socket.destroy())
      // The server closes when it has read it. One that does not answer runs into its statement timeout.
      socket.on('error', () => undefined).on('close', () => resolve())
    })
  }

  /** Connections in use are waited for. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  #clientConfig(): pg.ClientConfig {
    const { hosts, user, password, database, applicationName, parameters, tls } = this.#address
    const { statementMs, lockMs, idleInTransactionMs, hasPooler, waitMs } = this.#options
    return {
      ...hosts[this.#host % hosts.length],
      ...{ user, password, database, application_name: applicationName },
      ssl: this.#usesTls && { rejectUnauthorized: tls === 'verify' },
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: waitMs,
      types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
      // A pooler would give the session to somebody else; there the limits go with each transaction.
      ...(!hasPooler && {
        statement_timeout: statementMs,
        lock_timeout: lockMs,
        idle_in_transaction_session_timeout: idleInTransactionMs,
        options: sessionOptions({ plan_cache_mode: 'force_custom_plan', ...parameters }),
      }),
    }
  }

  /** Of several hosts one is the primary. */
  async #checkWritable(client: pg.ClientBase): Promise<void> {
    if (this.#address.hosts.length === 1) return
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby')
    if (rows[0]?.standby) throw new Error('the server is a standby')
  }
}

/** `-c name=value` for each, as the server reads it. */
function sessionOptions(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ')
}

/** By the type's number in the server's catalogue; all others stay text. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [16, (text: string) => text === 't'],
  [20, integer],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  // Sums of 64-bit integers.
  [1700, integer],
])

function typeParser(type: number): (text: string) => unknown {
  return PARSERS.get(type) ?? String
}

/** One that a number cannot hold is a fault of ours. */
function integer(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer.`)
  return value
}
