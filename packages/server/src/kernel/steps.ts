/** Measured values over time come in steps of five minutes, and calls ask for a span of them. */
import { parseDatetime } from './datetime.ts'
import { BadRequest } from './errors.ts'
import { DAY_MS, MINUTE_MS } from './units.ts'

export const STEP_MS = 5 * MINUTE_MS
export const METRICS_SPAN_MAX_DAYS = 31

export interface Span {
  readonly from: number
  /** No part of it. */
  readonly to: number
}

/** What a call for measured values carries: two datetimes, or nothing for the last day. */
export interface SpanQuery {
  readonly Start?: string | null | undefined
  readonly End?: string | null | undefined
}

export function stepOf(time: Date): number {
  return Math.floor(time.getTime() / STEP_MS) * STEP_MS
}

/**
 * The next full hour or day after this time, never at it: what falls due at the border is old enough
 * when a job runs then.
 */
export function nextMultiple(time: number, step: number): Date {
  return new Date((Math.floor(time / step) + 1) * step)
}

/** The steps that a call asks for; the running one is not over and left out (docs/adr/0021-packed-traffic.md). */
export function metricsSpan({ Start, End }: SpanQuery, now: Date): Span {
  const to = (parseTime('End', End) ?? now).getTime()
  const from = parseTime('Start', Start)?.getTime() ?? to - DAY_MS
  if (from > to) {
    throw new BadRequest('Start is after End.', 'Start が End より後です。')
  }
  if (to - from > METRICS_SPAN_MAX_DAYS * DAY_MS) {
    throw new BadRequest(
      `Start and End may be at most ${METRICS_SPAN_MAX_DAYS} days apart.`,
      `Start と End の間隔は ${METRICS_SPAN_MAX_DAYS} 日以内です。`,
    )
  }
  return { from: Math.ceil(from / STEP_MS) * STEP_MS, to: Math.min(to, stepOf(now)) }
}

/** What so many bytes in one step are in bits a second. */
export function bitsPerSecond(bytes: number): number {
  return (bytes * 8) / (STEP_MS / 1000)
}

function parseTime(name: string, text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined
  const date = parseDatetime(text)
  if (date === undefined) {
    throw new BadRequest(
      `${name} must be a datetime with an offset, such as 2026-04-01T09:00:00.000+09:00.`,
      `${name} は 2026-04-01T09:00:00.000+09:00 のようなオフセット付き日時です。`,
    )
  }
  return date
}
