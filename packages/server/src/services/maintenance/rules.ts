/** What a maintenance is, and which of them a call asks for (docs/maintenance.md). */
import { japanDayStart, japanPlain, parseDay } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Zone } from '../../kernel/zone.ts'

export const PAGE_COUNT_DEFAULT = 20
export const PAGE_COUNT_MAX = 1000
export const RESOURCE_CLASSES = ['server', 'appliance'] as const
export const SEARCH_TYPES = ['all', 'related'] as const

export interface Affected {
  readonly accountId: string
  readonly resourceClass: (typeof RESOURCE_CLASSES)[number]
  readonly resourceId: string
}

export interface Maintenance {
  readonly id: string
  readonly zone: Zone
  readonly startAt: Date
  readonly endAt: Date
  readonly title: string
  readonly infoUrl: string
  readonly service: string
  /** In the order of account, class and id. */
  readonly affects: readonly Affected[]
}

/** From the first moment of the first day to the last moment of the last. */
export interface Days {
  readonly from: Date
  /** No part of it. */
  readonly to: Date
}

/** `end` is one month after the later of today and `start` unless it is said. */
export function daysOf(start: string | undefined, end: string | undefined, now: Date): Days {
  const today = japanDayStart(now)
  const from = start === undefined ? today : dayOf('start_at', start)
  const last = end === undefined ? monthLater(from > today ? from : today) : dayOf('end_at', end)
  if (last < from) {
    throw new BadRequest(
      'Filter.end_at is before Filter.start_at.',
      'Filter.end_at が Filter.start_at より前です。',
    )
  }
  return { from, to: new Date(last.getTime() + DAY_MS) }
}

function dayOf(field: string, text: string): Date {
  const day = parseDay(text)
  if (day !== undefined) return day
  throw new BadRequest(
    `Filter.${field} must be a day such as 2026-04-01.`,
    `Filter.${field} は 2026-04-01 のような日付です。`,
  )
}

/** The same day of the next month, or its last one where it has no such day. */
export function monthLater(day: Date): Date {
  const [year = 0, month = 0, date = 0] = japanPlain(day).slice(0, 10).split('-').map(Number)
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1]
  for (let wanted = date; wanted > 0; wanted -= 1) {
    const text = [nextYear, nextMonth, wanted].map((part) => String(part).padStart(2, '0'))
    const found = parseDay(`${text[0]?.padStart(4, '0')}-${text[1]}-${text[2]}`)
    if (found !== undefined) return found
  }
  // After the last month that a datetime can show there is none.
  return day
}
