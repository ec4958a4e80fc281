import { setImmediate as turn } from 'node:timers/promises'
import { Unavailable } from '../kernel/errors.ts'

/** For work after a server was away: each lost connection is noticed when it is used, or a moment later. */
export async function afterLoss<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || left === 0) throw error
      await turn()
    }
  }
}
