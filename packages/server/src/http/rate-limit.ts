/**
 * So many calls an hour, sliding, exact also across processes. An account has as many slots as calls; a
 * call takes one that nobody has taken for an hour. The free ones are looked up without a lock and one of
 * them is taken by a conditional write, so that calls meet only when they choose the same slot.
 */
import type { Caller } from '../kernel/caller.ts'
import { TooManyRequests } from '../kernel/errors.ts'
import type { Random } from '../kernel/random.ts'
import type { Database } from '../storage/database.ts'
import { sql } from '../storage/sql.ts'

const WINDOW_MS = 60 * 60 * 1000

export interface RateLimitOptions {
  readonly database: Database
  readonly random: Random
  readonly now: () => Date
  readonly callsPerHour: () => Promise<number>
}

export class RateLimit {
  readonly #options: RateLimitOptions

  constructor(options: RateLimitOptions) {
    this.#options = options
  }

  /** Counts the call, unless there were too many: then it answers with the refusal. */
  async count({ accountId }: Caller): Promise<TooManyRequests | undefined> {
    const limit = await this.#options.callsPerHour()
    for (;;) {
      const now = this.#options.now()
      const free = await this.#freeSlots(accountId, limit, now)
      if (free.slots.length === 0) return tooMany(limit, free.oldest, now)
      const chosen = free.slots[this.#options.random.bytes(2).readUInt16BE() % free.slots.length]
      if (chosen !== undefined && (await this.#take(accountId, chosen, now))) return undefined
    }
  }

  async #freeSlots(accountId: string, limit: number, now: Date) {
    const rows = await this.#options.database.read((tx) =>
      tx.all<{ slot: number; taken_at: number }>(
        sql`SELECT slot, taken_at FROM rate_slot
            WHERE account_id = ${accountId} AND slot < ${limit} AND taken_at > ${windowStart(now)}`,
      ),
    )
    const taken = new Set(rows.map(({ slot }) => slot))
    const slots = Array.from({ length: limit }, (_, slot) => slot).filter(
      (slot) => !taken.has(slot),
    )
    return { slots, oldest: Math.min(...rows.map(({ taken_at }) => taken_at)) }
  }

  async #take(accountId: string, slot: number, now: Date): Promise<boolean> {
    const changed = await this.#options.database.write((tx) =>
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

function tooMany(limit: number, oldest: number, now: Date): TooManyRequests {
  const seconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now.getTime()) / 1000))
  return new TooManyRequests(
    seconds,
    `The account has made ${limit} calls within an hour; the next one is possible in ${seconds} s.`,
    `1時間あたり ${limit} 回の上限に達しました。${seconds} 秒後に再試行してください。`,
  )
}
