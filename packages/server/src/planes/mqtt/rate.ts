/** How fast a device may send: so many a second, and as many at once after a pause. What is faster waits. */
import { pause } from '../../kernel/clock.ts'

/** As many as fit into it may come at once. */
const BURST_MS = 1000

export class Rate {
  readonly #perSecond: number
  readonly #now: () => number
  /** When the next one would come, had they all come evenly. */
  #nextAt = Number.NEGATIVE_INFINITY
  #last: Promise<void> = Promise.resolve()

  /** `now` in milliseconds of the machine. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Counts one, and answers with the time at which it may come. */
  take(): number {
    const earliest = Math.max(this.#nextAt, this.#now() - BURST_MS)
    this.#nextAt = earliest + 1000 / this.#perSecond
    return this.#nextAt
  }

  /** Fulfilled when one more may come, in the order in which they were asked for. */
  wait(): Promise<void> {
    const at = this.take()
    this.#last = this.#last.then(() => {
      const left = at - this.#now()
      return left > 0 ? pause(left) : undefined
    })
    return this.#last
  }
}
