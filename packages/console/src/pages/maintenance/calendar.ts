/** Days and weeks of a month, and what happens on them. All of it in the plain dates of the wire. */
import type { Element } from '@kumoi/client'

export type Entry = Element<'maintenanceList'>

/** `2026-04-10`, as the wire writes it. */
export type Day = string

const DAY_MS = 86_400_000

const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10)

/** The weeks that the month (`2026-04`) touches, from Sunday to Saturday. */
export function weeksOf(month: string): Day[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const start = first - new Date(first).getUTCDay() * DAY_MS
  const end = Date.parse(`${lastDayOf(month)}T00:00:00Z`)
  const weeks: Day[][] = []
  for (let week = start; week <= end; week += 7 * DAY_MS) {
    weeks.push(Array.from({ length: 7 }, (_, at) => dayOf(week + at * DAY_MS)))
  }
  return weeks
}

export function lastDayOf(month: string): Day {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return dayOf(Date.UTC(year, number, 0))
}

/** One that ends at midnight does not touch the day that begins then. */
export function touches({ start_at, end_at }: Entry, day: Day): boolean {
  return start_at < `${day} 24:00:00` && end_at > `${day} 00:00:00`
}
