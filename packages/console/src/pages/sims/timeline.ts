/** Spans of connection, made from a log of their beginnings and ends. */

/** A search may leave members out; the console asks for all of them. */
export interface Entry {
  readonly date?: string
  readonly session_status?: string
}

export interface Span {
  readonly from: number
  /** Left out while it lasts. */
  readonly to?: number
}

export const isUp = ({ session_status = '' }: Entry) => /created|up/i.test(session_status)

/** The log comes newest first. An end whose beginning is no longer in it begins where the log does. */
export function spansOf(log: readonly Entry[], now: number): Span[] {
  const spans: Span[] = []
  let from: number | undefined
  for (const entry of log.toReversed()) {
    const at = Date.parse(entry.date ?? '')
    if (Number.isNaN(at) || at > now) continue
    if (isUp(entry)) {
      from ??= at
    } else {
      if (from !== undefined) spans.push({ from, to: at })
      from = undefined
    }
  }
  return from === undefined ? spans : [...spans, { from }]
}
