/** Limits the calls of an account within an hour. */
import type { Caller } from '../kernel/caller.ts'
import { TooManyRequests } from '../kernel/errors.ts'

export interface RateLimitOptions {
  readonly now: () => Date
  readonly callsPerHour: () => Promise<number>
  /** Counts a call. When there were too many, resolves with the time from which one is possible again. */
  readonly take: (
    accountId: Caller['accountId'],
    limit: number,
    now: Date,
  ) => Promise<Date | undefined>
}

/** Resolves with the refusal when there were too many calls. */
export function rateLimit({ now, callsPerHour, take }: RateLimitOptions) {
  return async ({ accountId }: Caller): Promise<TooManyRequests | undefined> => {
    const limit = await callsPerHour()
    const at = now()
    const next = await take(accountId, limit, at)
    if (next === undefined) return undefined
    const seconds = Math.max(1, Math.ceil((next.getTime() - at.getTime()) / 1000))
    return new TooManyRequests(
      seconds,
      `The account has made ${limit} calls within an hour; the next one is possible in ${seconds} s.`,
      `1時間あたり ${limit} 回の上限に達しました。${seconds} 秒後に再試行してください。`,
    )
  }
}
