import type { ChartSpan } from './chart-steps.ts'

export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  /** What is shown, in a sentence. */
  readonly label: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly formatX?: (seconds: number) => string
  readonly kind?: 'line' | 'bars'
  /** What the axis of time covers; without one, what the times do. */
  readonly span?: ChartSpan
}
