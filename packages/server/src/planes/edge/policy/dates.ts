/** HTTP-date in its three forms (RFC 9110, section 5.6.7). Anything else is no date. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const FIXDATE = /^[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) gmt$/i
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 = /^[a-z]{6,9}, (\d\d)-([a-z]{3})-(\d\d) (\d\d):(\d\d):(\d\d) gmt$/i
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/i

/** In milliseconds. `nowMs` tells the century of a year with two digits. */
export function parseDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const fixed = FIXDATE.exec(text)
  if (fixed !== null) {
    const [, day, month, year, ...time] = fixed
    return instant(Number(year), month, day, time)
  }
  const old = RFC_850.exec(text)
  if (old !== null) {
    const [, day, month, year, ...time] = old
    return instant(fullYear(Number(year), nowMs), month, day, time)
  }
  const unix = ASCTIME.exec(text)
  if (unix === null) return undefined
  const [, month, day, hours, minutes, seconds, year] = unix
  return instant(Number(year), month, day, [hours, minutes, seconds])
}

function instant(
  year: number,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): number | undefined {
  const index = MONTHS.indexOf(month?.toLowerCase() ?? '')
  if (index < 0) return undefined
  return Date.UTC(year, index, Number(day), ...time.map(Number))
}

/** One that seems to be more than 50 years ahead is past. */
function fullYear(digits: number, nowMs: number): number {
  const current = new Date(nowMs).getUTCFullYear()
  const year = current - (current % 100) + digits
  return year > current + 50 ? year - 100 : year
}
