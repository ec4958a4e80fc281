/**
 * Trying again when a server says that it cannot answer now: 429 and 503. Nothing has happened then, so
 * every method is tried again. The number of tries and each wait have bounds, and a server that wants a
 * longer wait than that is not waited for: the caller gets the refusal, with the wait in it.
 */
import { retryAfterSeconds } from './answer.ts'

export interface RetryOptions {
  /** How often in all; 1 never tries again. */
  readonly tries?: number
  /** The first wait, which doubles with each try. */
  readonly baseMs?: number
  /** The longest wait. */
  readonly maxMs?: number
}

export interface Waiting {
  /** Fulfilled after so many milliseconds; rejected when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** 0 up to 1. */
  readonly random: () => number
}

export async function withRetry(
  send: () => Promise<Response>,
  { tries = 4, baseMs = 500, maxMs = 20_000 }: RetryOptions,
  { sleep, random }: Waiting,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send()
    if (attempt >= tries || (response.status !== 429 && response.status !== 503)) return response
    const asked = retryAfterSeconds(response)
    if (asked !== undefined && asked * 1000 > maxMs) return response
    // A body that is not read would keep its connection.
    await response.body?.cancel()
    // Spread, so that many clients that were refused together do not come back together.
    const own = Math.min(maxMs, baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
    await sleep(asked === undefined ? own : asked * 1000 + random() * baseMs, signal)
  }
}

export function sleepFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
