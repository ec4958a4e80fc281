/**
 * Datetimes on the wire, and Japan's calendar. Japan has had no daylight saving since 1951, so its
 * local time is UTC shifted by nine hours, and the machine's own time zone never matters.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts'

const JAPAN_OFFSET_MS = 9 * HOUR_MS

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/
const JAPAN_PLAIN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

// Every form has four digits for the year, so an instant must keep to them in UTC and in Japan.
const EARLIEST_MS = utcMs(0, 0, 1)
const LATEST_MS = utcMs(10_000, 0, 1) - JAPAN_OFFSET_MS - 1

/** `2026-04-01T09:00:00+09:00`, of items and bills. */
export function japanTime(date: Date): string {
  return `${secondsText(date.getTime() + JAPAN_OFFSET_MS)}+09:00`
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
/** The day that was written last: most datetimes of an answer, and of the next one, are of few days. */
let lastDay = Number.NaN
let lastDayText = ''

/** `2026-04-01T00:00:00`: lists have forty of them, and toISOString takes several times as long. */
function secondsText(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  if (day !== lastDay) {
    lastDayText = new Date(day * DAY_MS).toISOString().slice(0, 11)
    lastDay = day
  }
  const seconds = Math.floor((ms - day * DAY_MS) / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${lastDayText}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`
}

/** `2026-04-01T00:00:00+00:00`, of the dates in a SIM's detail. */
export function utcOffset(date: Date): string {
  return `${secondsText(date.getTime())}+00:00`
}

/** `2026-04-01T00:00:00.000000Z`, of logs and files. */
export function utcMicros(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000Z`
}

/** `2026-04-01T00:00:00.000Z`, as toISOString writes it, for the log. */
export function utcMillis(date: Date): string {
  const ms = date.getTime()
  return `${secondsText(ms)}.${String(ms - Math.floor(ms / 1000) * 1000).padStart(3, '0')}Z`
}

let lastSecond = Number.NaN
let lastSecondText = ''

/** `Wed, 01 Apr 2026 00:00:00 GMT`, of the heads of answers: many come in the same second. */
export function httpDate(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  if (second !== lastSecond) {
    lastSecondText = date.toUTCString()
    lastSecond = second
  }
  return lastSecondText
}

/** `2026-04-01 09:00:00` in Japan time, of maintenances. */
export function japanPlain(date: Date): string {
  return inJapan(date).toISOString().slice(0, 19).replace('T', ' ')
}

/** `202604`: the month in Japan. */
export function japanMonth(date: Date): string {
  return japanPlain(date).slice(0, 7).replace('-', '')
}

/**
 * Strict RFC 3339: upper-case T and Z, an offset that must be there, 1 to 9 digits of fraction, of
 * which a Date keeps three. A leap second is refused, since a Date cannot hold it.
 */
export function parseDatetime(text: string): Date | undefined {
  const match = DATETIME.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number)
  const [fraction = '', sign = '+'] = match.slice(7, 9)
  const [offsetHour = 0, offsetMinute = 0] = match.slice(9, 11).map((digits) => Number(digits ?? 0))
  if (!isDay(year, month, day)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (offsetHour > 23 || offsetMinute > 59) return undefined
  const local =
    utcMs(year, month - 1, day) +
    (hour * 60 + minute) * MINUTE_MS +
    second * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  const offset = (offsetHour * 60 + offsetMinute) * MINUTE_MS
  const instant = sign === '-' ? local + offset : local - offset
  if (instant < EARLIEST_MS || instant > LATEST_MS) return undefined
  return new Date(instant)
}

/** The counterpart of `japanPlain`. */
export function parseJapanPlain(text: string): Date | undefined {
  if (!JAPAN_PLAIN.test(text)) return undefined
  return parseDatetime(`${text.replace(' ', 'T')}+09:00`)
}

/** `2026-04-01` as the instant at which that day begins in Japan. */
export function parseDay(text: string): Date | undefined {
  if (!DAY.test(text)) return undefined
  return parseDatetime(`${text}T00:00:00+09:00`)
}

export function japanDayStart(date: Date): Date {
  const local = inJapan(date)
  return fromJapan(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
}

export function japanMonthStart(date: Date): Date {
  const local = inJapan(date)
  return fromJapan(local.getUTCFullYear(), local.getUTCMonth(), 1)
}

export function nextJapanMonthStart(date: Date): Date {
  const local = inJapan(date)
  return fromJapan(local.getUTCFullYear(), local.getUTCMonth() + 1, 1)
}

/** A Date whose UTC getters give the time on a clock in Japan. */
function inJapan(date: Date): Date {
  return new Date(date.getTime() + JAPAN_OFFSET_MS)
}

function fromJapan(year: number, monthIndex: number, day: number): Date {
  return new Date(utcMs(year, monthIndex, day) - JAPAN_OFFSET_MS)
}

// Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
function utcMs(year: number, monthIndex: number, day: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, day)
}

// A Date rolls 30 February over to 2 March, so what comes back differs exactly when it is no day.
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(utcMs(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
