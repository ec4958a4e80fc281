/** What is sold, and what a use of it costs: integer yen including tax (docs/billing.md). */
import { DAY_SECONDS } from '../../kernel/units.ts'
import type { Zone } from '../../kernel/zone.ts'

/** Seconds of use, a number of things, or bytes. */
export const MEASURES = ['time', 'count', 'bytes'] as const
export type Measure = (typeof MEASURES)[number]

export interface Price {
  /** For one thing, or for one unit of bytes. */
  readonly base: number
  /** For each hour, day or month that has begun; of these the cheapest is charged. 0: not offered. */
  readonly hourly: number
  readonly daily: number
  readonly monthly: number
}

export interface Product {
  /** Differs per zone for the same product. */
  readonly serviceClassId: number
  readonly name: string
  readonly path: string
  readonly displayName: string
  /** Left out for what is the same in all zones. */
  readonly zone?: Zone
  /** Whether strangers see it in the price list. */
  readonly isPublic: boolean
  readonly measure: Measure
  /** The bytes that the base price is for. */
  readonly unitBytes: number
  readonly price: Price
}

const HOUR_SECONDS = 3_600

/** What a month's use of one resource costs. */
export function chargeFor({ measure, unitBytes, price }: Product, used: number): number {
  if (measure === 'count') return used * price.base
  // Bytes times yen can be more than a number holds; a part of a yen is not charged.
  if (measure === 'bytes') return Number((BigInt(used) * BigInt(price.base)) / BigInt(unitBytes))
  return chargeForTime(price, used)
}

function chargeForTime({ hourly, daily, monthly }: Price, seconds: number): number {
  if (seconds === 0) return 0
  const offers = [
    hourly * Math.ceil(seconds / HOUR_SECONDS),
    daily * Math.ceil(seconds / DAY_SECONDS),
    monthly,
  ].filter((yen) => yen > 0)
  return offers.length === 0 ? 0 : Math.min(...offers)
}
