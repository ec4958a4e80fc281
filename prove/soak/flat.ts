/** Whether a value that was measured again and again has stopped growing. */
import { median } from '../../bench/processes.ts'
import type { Chart } from '../part.ts'

/** Before that, caches fill, code is compiled, and the first rows reach the age at which they are deleted. */
const WARM = 0.4
const MIDDLE = 0.65
const LATE = 0.75

/** How much more the last quarter may have than the time before it; the allowance is for small values. */
export interface Limit {
  readonly ratio: number
  readonly allowance: number
}

/** What is wrong with it, or undefined. */
export function growth(points: Chart['points'], limit: Limit): string | undefined {
  const last = points.at(-1)?.[0] ?? 0
  const between = (from: number, to: number) =>
    median(points.filter(([at]) => at >= from * last && at <= to * last).map(([, value]) => value))
  const [before, after] = [between(WARM, MIDDLE), between(LATE, 1)]
  if (after <= before * limit.ratio + limit.allowance) return undefined
  return `grows from ${round(before)} to ${round(after)}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
