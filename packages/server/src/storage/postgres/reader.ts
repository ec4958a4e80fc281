/** A reading work's way to a connection, which it has for itself or shares with others. */
import type { Sql } from '../sql.ts'
import { type Asked, type Asks, Watched } from './asked.ts'
import type { Connection } from './connection.ts'
import { isStale } from './error.ts'

export class Reader implements Asks {
  readonly #place: (reader: Reader, first: Sql) => void
  #isPlaced = false
  #connection: Connection | undefined
  #leave: (() => void) | undefined
  #isOver = false
  /** What it has asked for before it has a connection. */
  readonly #early: { readonly query: Sql; readonly asked: Asked }[] = []
  #failure: Error | undefined
  #isVoid = false

  /** With its first statement it is known where it belongs. */
  constructor(place: (reader: Reader, first: Sql) => void) {
    this.#place = place
  }

  /** Of its own statements. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** What it found out is worth nothing: the transaction was ended by no fault of its own. */
  get isVoid(): boolean {
    return this.#isVoid
  }

  ask(query: Sql, asked: Asked): void {
    if (this.#connection !== undefined) this.#send(this.#connection, query, asked)
    else if (this.#failure !== undefined) asked.fail(this.#failure, true)
    else this.#early.push({ query, asked })
    if (this.#isPlaced) return
    this.#isPlaced = true
    this.#place(this, query)
  }

  copy(): Promise<void> {
    throw new Error('A reading transaction takes no rows.')
  }

  start(connection: Connection, leave: () => void): void {
    this.#connection = connection
    this.#leave = leave
    for (const { query, asked } of this.#early.splice(0)) this.#send(connection, query, asked)
    if (this.#isOver) leave()
  }

  /** There is no connection to be had. */
  refuse(error: Error): void {
    this.#failure = error
    for (const { asked } of this.#early.splice(0)) asked.fail(error, true)
  }

  /** The work is done. */
  leave(): void {
    this.#isOver = true
    this.#leave?.()
  }

  #send(connection: Connection, query: Sql, asked: Asked): void {
    if (connection.failure === undefined || this.#failure !== undefined) {
      connection.ask(query, new Watched(asked, this.#over))
    } else {
      this.#over(connection.failure)
      asked.fail(connection.failure, false)
    }
  }

  readonly #over = (error?: Error, isOwn = false): void => {
    if (error === undefined) return
    if (isOwn && !isStale(error)) this.#failure ??= error
    else if (this.#failure === undefined) this.#isVoid = true
  }
}
