/** The engine asks for a transaction that has collided once more; so it is tried again, each time a little later. */
import { pause } from '../../kernel/clock.ts'
import { Unavailable } from '../../kernel/errors.ts'
import { wantsRetry } from './error.ts'

const MOST_ATTEMPTS = 12

export async function insist<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact()
    } catch (error) {
      if (!wantsRetry(error)) throw error
      if (attempt === MOST_ATTEMPTS) throw tooBusy(error)
      await pause(attempt * attempt)
    }
  }
}

function tooBusy(cause: unknown): Unavailable {
  return new Unavailable(
    'Too many requests change the same thing at once.',
    '同じ対象への変更が集中しています。',
    { cause },
  )
}
