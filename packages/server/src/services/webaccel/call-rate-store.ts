/**
 * Counts calls, over all processes. All calls of an account change one row, and on PostgreSQL transactions that
 * do so at the same time are retried. So the calls of a process that wait for the same row are counted by one
 * transaction, and only other processes can conflict with it.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import { takeCall } from './call-rate-rules.ts'

interface Call {
  readonly limit: number
  readonly now: Date
  readonly resolve: (possibleAt: Date | undefined) => void
  readonly reject: (error: unknown) => void
}

export class CallRateStore {
  readonly #database: Database
  /** By account, while a transaction for it runs: the calls of the next one. */
  readonly #waiting = new Map<AccountId, Call[]>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Counts a call. When there were too many, resolves with the time from which one is possible again. */
  take(accountId: AccountId, limit: number, now: Date): Promise<Date | undefined> {
    return new Promise((resolve, reject) => {
      const call = { limit, now, resolve, reject }
      const waiting = this.#waiting.get(accountId)
      if (waiting === undefined) void this.#count(accountId, [call])
      else waiting.push(call)
    })
  }

  async #count(accountId: AccountId, first: readonly Call[]): Promise<void> {
    for (let calls = first; calls.length > 0; ) {
      const next: Call[] = []
      this.#waiting.set(accountId, next)
      try {
        const answers = await this.#database.write((tx) => countAll(tx, accountId, calls))
        calls.forEach(({ resolve }, index) => {
          resolve(answers[index])
        })
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
      calls = next
    }
    this.#waiting.delete(accountId)
  }
}

async function countAll(
  tx: Tx,
  accountId: AccountId,
  calls: readonly Call[],
): Promise<(Date | undefined)[]> {
  const row = await tx.first<{ arrival_us: number }>(
    sql`SELECT arrival_us FROM call_rate WHERE account_id = ${accountId}`,
  )
  const before = row?.arrival_us ?? 0
  let current = before
  const answers = calls.map(({ limit, now }) => {
    const { arrivalUs, possibleAt } = takeCall(current, limit, now)
    current = arrivalUs
    return possibleAt
  })
  if (current !== before) {
    await tx.run(
      sql`INSERT INTO call_rate (account_id, arrival_us) VALUES (${accountId}, ${current})
          ON CONFLICT (account_id) DO UPDATE SET arrival_us = excluded.arrival_us`,
    )
  }
  return answers
}
