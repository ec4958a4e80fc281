/** Bounded retry with jitter: transactions that failed together shall not meet again at once. */
import { pause } from '../../kernel/clock.ts'
import { Unavailable } from '../../kernel/errors.ts'
import { systemRandom } from '../../kernel/random.ts'
import { ConnectionLost, isRetryable } from './errors.ts'

export const MAX_ATTEMPTS = 20
const MAX_DELAY_MS = 100

/** Runs `attempt` again after a serialization failure, a deadlock or a connection lost before COMMIT. */
export async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (attempts === MAX_ATTEMPTS) throw gaveUp(error)
      // Between nothing and a bound that doubles. Timing is no part of a seeded run.
      const bound = Math.min(MAX_DELAY_MS, 2 ** attempts)
      await pause((systemRandom.bytes(2).readUInt16BE() / 0xffff) * bound)
    }
  }
}

function gaveUp(error: unknown): unknown {
  if (error instanceof ConnectionLost) return error
  return new Unavailable(
    'Too many requests change the same thing at once.',
    '同じ対象への変更が集中しています。',
    { cause: error },
  )
}
