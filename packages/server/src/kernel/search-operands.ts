/** The values of search conditions, as the types of the fields that they are compared with. */
import { parseDatetime } from './datetime.ts'
import { BadRequest } from './errors.ts'
import type { Scalar } from './search-query.ts'

const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function parseNumber(at: string, value: Scalar): number {
  const number = typeof value === 'string' && NUMERIC.test(value.trim()) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new BadRequest(`${at} must be a number.`, `${at} は数値でなければなりません。`)
}

export function parseBoolean(at: string, value: Scalar): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new BadRequest(
    `${at} must be true or false.`,
    `${at} は true または false でなければなりません。`,
  )
}

/**
 * The instants that a datetime stands for, as a start and an end that is no part of it. Most lists
 * show whole seconds, so one without a fraction is its whole second; else what a list shows would
 * not find the item that showed it.
 */
export function parsePeriod(at: string, value: Scalar): readonly [number, number] {
  const date = typeof value === 'string' ? parseDatetime(value) : undefined
  if (date === undefined) {
    throw new BadRequest(
      `${at} must be a datetime with an offset, such as 2026-04-01T09:00:00+09:00.`,
      `${at} は 2026-04-01T09:00:00+09:00 のようなオフセット付き日時でなければなりません。`,
    )
  }
  const hasFraction = String(value).includes('.')
  return [date.getTime(), date.getTime() + (hasFraction ? 1 : 1000)]
}
