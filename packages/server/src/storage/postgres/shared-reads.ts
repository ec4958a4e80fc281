/**
 * Reads that come at the same time share one transaction: beginning and ending one costs as much as several
 * statements. Each sees all that was committed before it came, since it joins before the first statement is
 * sent. A search, which may take long, goes alone; so does again whoever was in a transaction in which the
 * statement of another one failed (docs/adr/0164).
 */
import { type Alarm, after } from '../../kernel/clock.ts'
import type { Tx } from '../database.ts'
import type { Connection } from './connection.ts'
import { Reader } from './reader.ts'
import { PostgresTx } from './tx.ts'

/** Bounds how long the answers of one group keep the process from its sockets. */
const LARGEST_GROUP = 64
/** Those who come later wait so long for the first answers, to be the next group together. */
const PATIENCE_MS = 3
/** So many groups have the same connection one after the other at most. */
const MOST_GROUPS = 100
/** Alone it is void only when what a connection has prepared is of no use any more, and each has its own. */
const MOST_ATTEMPTS = 12

/** Connections, and a reading transaction on one. */
export interface Readers {
  take(): Connection | Promise<Connection>
  begin(connection: Connection): void
  /** Nobody waits for it. The connection can be used on, but only by a reading transaction. */
  end(connection: Connection): void
  give(connection: Connection): void
}

export class SharedReads {
  readonly #readers: Readers
  readonly #waiting: Reader[] = []
  #isGathering = false
  /** The group whose first answers are still to come. */
  #young: object | undefined
  #impatience: Alarm | undefined
  /** Has just ended a transaction: what begins now goes out together with that end. */
  #warm: Connection | undefined
  #groups = 0

  constructor(readers: Readers) {
    this.#readers = readers
  }

  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#young !== undefined
  }

  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const reader = new Reader((own, first) => {
        if (first.isFixed && attempt === 1) this.#join(own)
        else this.#serve([own])
      })
      try {
        const value = await work(new PostgresTx(reader))
        if (reader.failure !== undefined) throw reader.failure
        if (!reader.isVoid) return value
      } catch (error) {
        if (!reader.isVoid || attempt === MOST_ATTEMPTS) throw error
      } finally {
        reader.leave()
      }
    }
  }

  #join(reader: Reader): void {
    this.#waiting.push(reader)
    if (this.#isGathering) return
    this.#isGathering = true
    // With all that are served together (http/turn.ts).
    process.nextTick(() => {
      this.#isGathering = false
      this.#start()
    })
  }

  #start(): void {
    if (this.#waiting.length === 0) return
    if (this.#young !== undefined) {
      this.#impatience ??= after(PATIENCE_MS, () => this.#next())
      return
    }
    const group = this.#waiting.splice(0, LARGEST_GROUP)
    this.#young = group
    const answered = () => {
      if (this.#young === group) this.#next()
    }
    // When those who were answered have gone on, which is the end for most.
    this.#serve(group, () => queueMicrotask(() => process.nextTick(answered)))
  }

  #next(): void {
    this.#impatience?.cancel()
    this.#impatience = undefined
    this.#young = undefined
    this.#start()
  }

  #serve(group: readonly Reader[], answered?: () => void): void {
    const taken = this.#takeWarm() ?? this.#readers.take()
    if (!(taken instanceof Promise)) this.#run(group, taken, answered)
    else {
      taken.then(
        (connection) => this.#run(group, connection, answered),
        (error) => {
          for (const reader of group) reader.refuse(error)
          answered?.()
        },
      )
    }
  }

  #run(group: readonly Reader[], connection: Connection, answered?: () => void): void {
    this.#readers.begin(connection)
    let left = group.length
    const leave = () => {
      left -= 1
      if (left === 0) this.#end(connection)
    }
    for (const reader of group) reader.start(connection, leave)
    if (answered !== undefined) connection.flush(answered)
  }

  #end(connection: Connection): void {
    this.#readers.end(connection)
    this.#groups += 1
    if (this.#warm !== undefined || this.#groups % MOST_GROUPS === 0) {
      this.#readers.give(connection)
      return
    }
    this.#warm = connection
    setImmediate(() => {
      if (this.#warm !== connection) return
      this.#warm = undefined
      this.#readers.give(connection)
    })
  }

  #takeWarm(): Connection | undefined {
    const warm = this.#warm
    this.#warm = undefined
    if (warm === undefined || warm.isSound) return warm
    this.#readers.give(warm)
    return undefined
  }
}
