/** Fixed spans of charts: a day is a day, whatever data there is, and a step without data is zero. */

export interface ChartSpan {
  /** Seconds since 1970. */
  readonly from: number
  /** No part of it. */
  readonly to: number
  readonly stepSeconds: number
  /** When the step began that is still counted, if it is in the span. */
  readonly runningFrom?: number | undefined
}

export interface RunningSpan extends ChartSpan {
  readonly runningFrom: number
}

export interface Filled {
  readonly times: number[]
  readonly values: readonly (number | null)[][]
}

/**
 * All steps of the span with the values of each series; `rows` are those that have data, by their time. Nobody
 * knows yet what a running step without data comes to.
 */
export function fillSteps(
  { from, to, stepSeconds, runningFrom }: ChartSpan,
  rows: ReadonlyMap<number, readonly number[]>,
  seriesCount: number,
): Filled {
  const times: number[] = []
  const values = Array.from({ length: seriesCount }, (): (number | null)[] => [])
  for (let time = from; time < to; time += stepSeconds) {
    const row = rows.get(time)
    times.push(time)
    const none = time === runningFrom ? null : 0
    for (const [at, list] of values.entries()) list.push(row?.[at] ?? none)
  }
  return { times, values }
}

const FIVE_MINUTES = 300

/** So many hours until now in steps of five minutes, of which the last one is running. */
export function stepsUntil(nowMs: number, hours: number): RunningSpan {
  const runningFrom = Math.floor(nowMs / 1000 / FIVE_MINUTES) * FIVE_MINUTES
  const to = runningFrom + FIVE_MINUTES
  return { from: to - hours * 3600, to, stepSeconds: FIVE_MINUTES, runningFrom }
}
