/** Limits the requests of an account within a second, where it has such a quota. Each process counts for itself. */
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import { TooManyRequests } from '../kernel/errors.ts'

const NONE_RETRY_SECONDS = 60

interface Bucket {
  tokens: number
  at: number
}

/** A token bucket for each account that has a limit: a second's worth may come at once. */
export class RequestRates {
  readonly #clock: Pick<Clock, 'now'>
  readonly #buckets = new Map<Caller['accountId'], Bucket>()

  /** The clock is the machine's: a world's may stand still. */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The refusal when there were too many. */
  count(accountId: Caller['accountId'], perSecond: number): TooManyRequests | undefined {
    if (perSecond === 0) return noneAtAll()
    const now = this.#clock.now().getTime()
    const bucket = this.#buckets.get(accountId) ?? { tokens: perSecond, at: now }
    // A clock that was set back gives nothing.
    const refill = (Math.max(0, now - bucket.at) * perSecond) / 1000
    bucket.tokens = Math.min(perSecond, bucket.tokens + refill)
    bucket.at = now
    this.#buckets.set(accountId, bucket)
    if (bucket.tokens < 1) return tooMany(perSecond)
    bucket.tokens -= 1
    return undefined
  }
}

function tooMany(perSecond: number): TooManyRequests {
  return new TooManyRequests(
    1,
    `The quota requests_per_second of the account is ${perSecond}; the next request is possible in 1 s.`,
    `アカウントの上限 requests_per_second は ${perSecond} です。1 秒後に再試行してください。`,
  )
}

/** Waiting does not help; Retry-After keeps clients that follow it from asking every second. */
function noneAtAll(): TooManyRequests {
  return new TooManyRequests(
    NONE_RETRY_SECONDS,
    'The quota requests_per_second of the account is 0; no request is possible until the operator changes it.',
    'アカウントの上限 requests_per_second は 0 です。運用者が変更するまでリクエストはできません。',
  )
}
