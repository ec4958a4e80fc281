/**
 * Packets and reports that wait together are applied by one transaction; while it commits, the next ones gather.
 * Each is answered after the commit.
 */
import { yieldToEventLoop } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/errors.ts'
import { type Database, DatabaseUnusable } from '../../storage/database.ts'
import { AccountingBatch, type AccountingParts, type EntryOutcome } from './accounting-batch.ts'
import type { Entry } from './accounting-entries.ts'

/** Entries in one transaction: a bound on how long others wait for it. */
export const BATCH_MAX = 256

interface Waiting {
  readonly entry: Entry
  settle(outcome: EntryOutcome): void
  fail(error: unknown): void
}

export class Accounting {
  readonly #database: Database
  readonly #parts: AccountingParts
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(database: Database, parts: AccountingParts) {
    this.#database = database
    this.#parts = parts
  }

  in(database: Database): Accounting {
    return new Accounting(database, this.#parts)
  }

  /** Fulfilled once it is durable. */
  submit(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (refusal: EntryOutcome) =>
        refusal === undefined ? resolve() : reject(refusal)
      this.#waiting.push({ entry, settle, fail: reject })
      if (this.#isBusy) return
      this.#isBusy = true
      // All that is read in one iteration of the event loop is in the first batch.
      setImmediate(() => void this.#drain())
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#apply(this.#waiting.splice(0, BATCH_MAX))
      await this.#gather()
    }
    this.#isBusy = false
  }

  /** Answers go out and new packets come in; as long as there come more, they share the next transaction. */
  async #gather(): Promise<void> {
    let before = -1
    await yieldToEventLoop()
    while (this.#waiting.length > before && this.#waiting.length < BATCH_MAX) {
      before = this.#waiting.length
      await yieldToEventLoop()
    }
  }

  async #apply(batch: readonly Waiting[]): Promise<void> {
    try {
      const entries = batch.map(({ entry }) => entry)
      const outcomes = await this.#database.write((tx) =>
        AccountingBatch.run(tx, this.#parts, entries),
      )
      for (const [index, waiting] of batch.entries()) waiting.settle(outcomes[index])
    } catch (error) {
      // A database that is not there fails each of them alike; else one of them is to blame, and only that one fails.
      const isAlike = error instanceof Refusal || error instanceof DatabaseUnusable
      if (batch.length === 1 || isAlike) for (const waiting of batch) waiting.fail(error)
      else for (const waiting of batch) await this.#apply([waiting])
    }
  }
}
