export interface Usage {
  readonly accessCount: number
  readonly bytesSent: number
  readonly cacheMissBytesSent: number
  /** Unknown where only a month was declared. */
  readonly hitCount?: number | undefined
}

export interface Total extends Usage {
  /** The accesses of which it is known whether they were hits. */
  readonly countedHits: number
}

export interface Delivered {
  readonly accessCount: number
  readonly hitCount: number
  readonly bytesSent: number
  readonly cacheMissBytesSent: number
}

/** Of one hour. */
export interface HourOfSite extends Delivered {
  readonly hour: Date
}
