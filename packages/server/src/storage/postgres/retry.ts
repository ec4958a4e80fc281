/** Bounded retry with jitter. Transactions that have collided are run again one by one, or they would collide again. */
import { pause } from '../../kernel/clock.ts'
import { Unavailable } from '../../kernel/errors.ts'
import { systemRandom } from '../../kernel/random.ts'
import { ConnectionLost, isBroken, isDuplicateKey, isRetryable } from './errors.ts'

export const MAX_ATTEMPTS = 20
const MAX_DELAY_MS = 100
let lastCollided: Promise<unknown> = Promise.resolve()

/** Runs `attempt` again after a conflict with another transaction, or a connection lost before COMMIT. */
export async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1, hasCollided = false; ; attempts += 1) {
    try {
      if (!hasCollided) return await attempt()
      const result = lastCollided.then(attempt)
      lastCollided = result.catch(() => undefined)
      return await result
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (attempts === MAX_ATTEMPTS) throw lastError(error)
      hasCollided = !isBroken(error)
      // Between nothing and a bound that doubles. Timing is no part of a seeded run.
      const bound = Math.min(MAX_DELAY_MS, 2 ** attempts)
      await pause((systemRandom.bytes(2).readUInt16BE() / 0xffff) * bound)
    }
  }
}

/** A key that is there each time is no conflict, but a fault of ours. */
function lastError(error: unknown): unknown {
  return error instanceof ConnectionLost || isDuplicateKey(error) ? error : gaveUp(error)
}

function gaveUp(cause: unknown): Unavailable {
  const english = 'Too many requests change the same thing at once.'
  return new Unavailable(english, '同じ対象への変更が集中しています。', { cause })
}
