/** Rates from what was counted at two times. */

export interface Sample {
  /** Milliseconds of this machine. */
  readonly at: number
  readonly hits: number
  readonly misses: number
}

/** Edges report every two seconds: over a shorter time the rate would jump. */
const WINDOW_MS = 10_000

/** The newest last; those that are too old for a rate are dropped. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => next.at - at <= WINDOW_MS), next]
}

/** Undefined until there are two. What has left the window of hours lets a sum shrink: that is no rate. */
export function ratesOf(
  samples: readonly Sample[],
): { readonly hits: number; readonly misses: number } | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at <= first.at) return undefined
  const seconds = (last.at - first.at) / 1000
  return {
    hits: Math.max(0, last.hits - first.hits) / seconds,
    misses: Math.max(0, last.misses - first.misses) / seconds,
  }
}
