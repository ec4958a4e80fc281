/** The computed past of a simulated device: what it would have sent had it been driven all the while. */
import { japanMonth, nextJapanMonthStart } from '../../kernel/datetime.ts'
import { type Span, STEP_MS } from '../../kernel/steps.ts'
import { trafficSource, trafficSum } from './fleet-rules.ts'
import type { NetworkKey, Traffic } from './session-rules.ts'
import type { Step } from './traffic-rules.ts'

export interface History {
  readonly simId: string
  readonly iccid: string
  readonly seed: string
  /** Where it was attached. */
  readonly network: NetworkKey
  /** The steps from `from` on, without `to`. What is counted since is stored. */
  readonly span: Span
}

/** Those of the span, oldest first. */
export function historySteps({ seed, iccid, span }: History, wanted: Span): Step[] {
  const traffic = trafficSource(seed, iccid)
  const steps: Step[] = []
  const to = Math.min(span.to, wanted.to)
  for (let at = Math.max(span.from, wanted.from); at < to; at += STEP_MS) {
    steps.push({ at, ...traffic(at) })
  }
  return steps
}

/** Of several devices together. */
export function summedSteps(histories: readonly History[], wanted: Span): Step[] {
  const length = Math.max(0, Math.ceil((wanted.to - wanted.from) / STEP_MS))
  const uplink = new Float64Array(length)
  const downlink = new Float64Array(length)
  for (const history of histories) {
    for (const { at, uplinkBytes, downlinkBytes } of historySteps(history, wanted)) {
      const place = (at - wanted.from) / STEP_MS
      uplink[place] = (uplink[place] ?? 0) + uplinkBytes
      downlink[place] = (downlink[place] ?? 0) + downlinkBytes
    }
  }
  return Array.from(uplink, (uplinkBytes, place) => ({
    at: wanted.from + place * STEP_MS,
    uplinkBytes,
    downlinkBytes: downlink[place] ?? 0,
  })).filter(({ uplinkBytes, downlinkBytes }) => uplinkBytes + downlinkBytes > 0)
}

/** The sum of each month of Japan. */
export function monthSums(history: History, stride?: number): Map<string, Traffic> {
  const sums = new Map<string, Traffic>()
  const { from, to } = history.span
  for (let at = from; at < to; ) {
    const month = new Date(at)
    const end = Math.min(to, nextJapanMonthStart(month).getTime())
    sums.set(japanMonth(month), trafficSum(history, { from: at, to: end }, stride))
    at = end
  }
  return sums
}
