/**
 * Calls within the last hour, exact also across processes. An account has as many slots as calls; a call
 * takes one that was not taken for an hour, by a conditional write, so that calls conflict only when they
 * choose the same slot. Some slots are tried at random, which costs the same at any limit; only an account
 * that is near its limit has all of its slots read.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { Random } from '../../kernel/random.ts'
import type { Database } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

const WINDOW_MS = 60 * 60 * 1000
const RANDOM_TRIES = 4

export class CallRateStore {
  readonly #database: Database
  readonly #random: Random

  constructor(database: Database, random: Random) {
    this.#database = database
    this.#random = random
  }

  /** Counts a call. When there were too many, resolves with the time from which one is possible again. */
  async take(accountId: AccountId, limit: number, now: Date): Promise<Date | undefined> {
    for (let tries = 0; tries < RANDOM_TRIES; tries += 1) {
      if (await this.#takeSlot(accountId, this.#below(limit), now)) return undefined
    }
    for (;;) {
      const { free, oldest } = await this.#slots(accountId, limit, now)
      if (free.length === 0) return new Date(oldest + WINDOW_MS)
      const chosen = free[this.#below(free.length)]
      if (chosen !== undefined && (await this.#takeSlot(accountId, chosen, now))) return undefined
    }
  }

  #below(limit: number): number {
    return this.#random.bytes(4).readUInt32BE() % limit
  }

  async #slots(accountId: AccountId, limit: number, now: Date) {
    const rows = await this.#database.read((tx) =>
      tx.all<{ slot: number; taken_at: number }>(
        sql`SELECT slot, taken_at FROM rate_slot
            WHERE account_id = ${accountId} AND slot < ${limit} AND taken_at > ${windowStart(now)}`,
      ),
    )
    const taken = new Set(rows.map(({ slot }) => slot))
    const all = Array.from({ length: limit }, (_, slot) => slot)
    return {
      free: all.filter((slot) => !taken.has(slot)),
      oldest: Math.min(...rows.map(({ taken_at }) => taken_at)),
    }
  }

  async #takeSlot(accountId: AccountId, slot: number, now: Date): Promise<boolean> {
    const changed = await this.#database.write((tx) =>
      tx.run(
        sql`INSERT INTO rate_slot (account_id, slot, taken_at) VALUES (${accountId}, ${slot}, ${now})
            ON CONFLICT (account_id, slot) DO UPDATE SET taken_at = excluded.taken_at
            WHERE rate_slot.taken_at <= ${windowStart(now)}`,
      ),
    )
    return changed === 1
  }
}

function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS)
}
