/** What was delivered, by site and hour, until it is reported. */
import type { EdgeUsage } from '../../services/webaccel/public.ts'

const HOUR_MS = 3_600_000

interface Counts {
  accessCount: number
  hitCount: number
  bytesSent: number
  cacheMissBytesSent: number
}

export class UsageCounters {
  #hours = new Map<number, Map<string, Counts>>()
  #lastHour = -1
  #last = new Map<string, Counts>()

  /** An answer of the edge itself is neither a hit nor a miss. */
  count(siteId: string, nowMs: number, bytes: number, from: 'cache' | 'origin' | 'edge'): void {
    const hour = Math.floor(nowMs / HOUR_MS)
    if (hour !== this.#lastHour) this.#open(hour)
    let counts = this.#last.get(siteId)
    if (counts === undefined) {
      counts = { accessCount: 0, hitCount: 0, bytesSent: 0, cacheMissBytesSent: 0 }
      this.#last.set(siteId, counts)
    }
    counts.accessCount += 1
    counts.bytesSent += bytes
    if (from === 'cache') counts.hitCount += 1
    if (from === 'origin') counts.cacheMissBytesSent += bytes
  }

  /** All there is since the last time. */
  take(): readonly EdgeUsage[] {
    const taken = [...this.#hours].flatMap(([hour, sites]) =>
      [...sites].map(([siteId, counts]) => ({
        siteId,
        hour: new Date(hour * HOUR_MS).toISOString(),
        ...counts,
      })),
    )
    this.#hours = new Map()
    this.#lastHour = -1
    return taken
  }

  #open(hour: number): void {
    this.#last = this.#hours.get(hour) ?? new Map()
    this.#hours.set(hour, this.#last)
    this.#lastHour = hour
  }
}
