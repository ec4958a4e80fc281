/** Conditions of a client, evaluated against a response that is at hand (RFC 9110, section 13; RFC 9111, section 4.3.2). */
import { parseDate } from './dates.ts'
import { type Fields, fieldValue, type RequestFields } from './fields.ts'

export function hasCondition(request: RequestFields): boolean {
  return (
    request['if-none-match'] !== undefined ||
    request['if-modified-since'] !== undefined ||
    request['if-match'] !== undefined ||
    request['if-unmodified-since'] !== undefined
  )
}

/** For GET and HEAD: whether 304 says all. If-None-Match comes before If-Modified-Since. */
export function isNotModified(request: RequestFields, response: Fields, nowMs: number): boolean {
  const tags = request['if-none-match']
  if (tags !== undefined) return matchesTag(tags, fieldValue(response, 'etag'))
  const since = parseDate(request['if-modified-since'], nowMs)
  if (since === undefined) return false
  const changed = fieldValue(response, 'last-modified') ?? fieldValue(response, 'date')
  return (parseDate(changed, nowMs) ?? Number.POSITIVE_INFINITY) <= since
}

/** For GET and HEAD: whether If-Match or If-Unmodified-Since says no. */
export function isPreconditionFailed(
  request: RequestFields,
  response: Fields,
  nowMs: number,
): boolean {
  const tags = request['if-match']
  if (tags !== undefined) return !matchesStrongTag(tags, fieldValue(response, 'etag'))
  const since = parseDate(request['if-unmodified-since'], nowMs)
  if (since === undefined) return false
  const changed = parseDate(fieldValue(response, 'last-modified'), nowMs)
  return changed !== undefined && changed > since
}

/** Section 13.1.5: whether the range is of the response that the client has a part of. */
export function isRangeOf(ifRange: string | undefined, response: Fields, nowMs: number): boolean {
  if (ifRange === undefined) return true
  const etag = fieldValue(response, 'etag')
  if (ifRange.startsWith('"')) return etag === ifRange
  if (ifRange.startsWith('W/')) return false
  const given = parseDate(ifRange, nowMs)
  return given !== undefined && given === parseDate(fieldValue(response, 'last-modified'), nowMs)
}

/** Weak comparison: `W/"a"` is `"a"`. */
function matchesTag(list: string, etag: string | undefined): boolean {
  if (list.trim() === '*') return true
  if (etag === undefined) return false
  const own = opaque(etag)
  return tagsOf(list).some((tag) => opaque(tag) === own)
}

function matchesStrongTag(list: string, etag: string | undefined): boolean {
  if (list.trim() === '*') return true
  return etag !== undefined && !etag.startsWith('W/') && tagsOf(list).includes(etag)
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/** A tag may have commas within its quotes. */
function tagsOf(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? []
}
