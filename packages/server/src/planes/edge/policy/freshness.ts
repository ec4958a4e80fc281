/** Freshness and age (RFC 9111, section 4.2), and when something stale may be used (RFC 5861). */
import { parseDate } from './dates.ts'
import { directivesOf, seconds } from './directives.ts'
import { type Fields, fieldValue } from './fields.ts'

export interface Freshness {
  /** Section 4.2.1: freshness_lifetime. */
  readonly lifetimeSeconds: number
  /** Section 4.2.3: corrected_initial_age, at `receivedMs`. */
  readonly initialAgeSeconds: number
  readonly receivedMs: number
  /** Nothing stale is used: must-revalidate, proxy-revalidate, s-maxage and no-cache. */
  readonly isStrict: boolean
  readonly staleWhileRevalidateSeconds: number
  readonly staleIfErrorSeconds: number
}

export interface Timing {
  readonly requestedMs: number
  readonly receivedMs: number
  /** Whether these are of another time than the origin's: a clock that was moved says nothing about its Date. */
  readonly isVirtual: boolean
}

/** `defaultSeconds` is used only when the origin says nothing; there is no heuristic freshness (section 4.2.2). */
export function freshnessOf(fields: Fields, timing: Timing, defaultSeconds: number): Freshness {
  const { directives } = directivesOf(fields)
  const isStrict =
    directives.has('must-revalidate') ||
    directives.has('proxy-revalidate') ||
    directives.has('s-maxage') ||
    directives.has('no-cache')
  return {
    lifetimeSeconds: explicitLifetime(fields, timing.receivedMs) ?? Math.max(0, defaultSeconds),
    initialAgeSeconds: initialAge(fields, timing),
    receivedMs: timing.receivedMs,
    isStrict,
    staleWhileRevalidateSeconds: seconds(directives.get('stale-while-revalidate')) ?? 0,
    staleIfErrorSeconds: seconds(directives.get('stale-if-error')) ?? 0,
  }
}

/**
 * Section 4.2.1; undefined when the origin says nothing. What cannot be read is stale. `no-cache` is a lifetime of 0
 * (with field names, too: as section 5.2.2.4 allows).
 */
export function explicitLifetime(fields: Fields, receivedMs: number): number | undefined {
  const { directives, isTargeted } = directivesOf(fields)
  if (directives.has('no-cache')) return 0
  for (const name of ['s-maxage', 'max-age']) {
    if (directives.has(name)) return seconds(directives.get(name)) ?? 0
  }
  const expires = isTargeted ? undefined : fieldValue(fields, 'expires')
  if (expires === undefined) return undefined
  const until = parseDate(expires, receivedMs)
  if (until === undefined) return 0
  return Math.max(0, (until - (dateOf(fields, receivedMs) ?? receivedMs)) / 1000)
}

export function dateOf(fields: Fields, nowMs: number): number | undefined {
  return parseDate(fieldValue(fields, 'date'), nowMs)
}

/** Section 4.2.3. An Age that is no single number of seconds counts as older than anything (section 5.1). */
function initialAge(fields: Fields, { requestedMs, receivedMs, isVirtual }: Timing): number {
  const date = isVirtual ? undefined : dateOf(fields, receivedMs)
  const apparent = date === undefined ? 0 : Math.max(0, (receivedMs - date) / 1000)
  const age = fieldValue(fields, 'age')
  const value = age === undefined ? 0 : (seconds(age) ?? Number.POSITIVE_INFINITY)
  // A Date has whole seconds: without this, what was just sent would be a second old already.
  const known = apparent < 1 ? 0 : apparent
  return Math.max(known, value + (receivedMs - requestedMs) / 1000)
}

/** Section 4.2.3: current_age. */
export function ageSeconds(freshness: Freshness, nowMs: number): number {
  return freshness.initialAgeSeconds + Math.max(0, nowMs - freshness.receivedMs) / 1000
}

export function freshUntilMs({
  receivedMs,
  lifetimeSeconds,
  initialAgeSeconds,
}: Freshness): number {
  return receivedMs + (lifetimeSeconds - initialAgeSeconds) * 1000
}

export function isFresh(freshness: Freshness, nowMs: number): boolean {
  return freshUntilMs(freshness) > nowMs
}

/** RFC 5861, section 3: it is sent at once, and validated meanwhile. */
export function mayServeWhileRevalidating(freshness: Freshness, nowMs: number): boolean {
  return isWithin(freshness, freshness.staleWhileRevalidateSeconds, nowMs)
}

/** RFC 5861, section 4: in the place of an error of the origin. */
export function mayServeOnError(freshness: Freshness, nowMs: number): boolean {
  return isWithin(freshness, freshness.staleIfErrorSeconds, nowMs)
}

function isWithin(freshness: Freshness, staleSeconds: number, nowMs: number): boolean {
  if (freshness.isStrict || staleSeconds === 0) return false
  return freshUntilMs(freshness) + staleSeconds * 1000 > nowMs
}
