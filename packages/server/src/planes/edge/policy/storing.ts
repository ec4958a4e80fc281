/** Which responses are stored (RFC 9111, section 3). */
import { directivesOf } from './directives.ts'
import {
  type Fields,
  fieldValue,
  hasField,
  hopByHop,
  type RequestFields,
  without,
} from './fields.ts'
import { explicitLifetime } from './freshness.ts'
import { varyNames } from './vary.ts'

export interface StoreRequest {
  readonly method: string
  readonly fields: RequestFields
}

export interface Response {
  readonly status: number
  readonly fields: Fields
}

/** Whose meaning for a cache is known here; `must-understand` asks for it (section 5.2.2.3). */
const UNDERSTOOD = new Set([
  ...[200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 451],
  ...[500, 501, 502, 503, 504],
])

/**
 * Undefined when it is stored, else why not. `defaultSeconds` is the site's lifetime for what the origin says nothing
 * about; below 0 that is not stored.
 */
export function reasonNotToStore(
  request: StoreRequest,
  { status, fields }: Response,
  defaultSeconds: number,
  receivedMs: number,
): string | undefined {
  const { directives } = directivesOf(fields)
  if (request.method !== 'GET') return 'the method is not GET'
  if (status < 200 || status === 206 || status === 304) return `the status is ${status}`
  const mustUnderstand = directives.has('must-understand')
  if (mustUnderstand && !UNDERSTOOD.has(status)) return 'the status is unknown'
  if (directives.has('no-store') && !mustUnderstand) return 'no-store'
  if (directives.has('private')) return 'private'
  // Not in the RFC: what is meant for one person is too often sent with a lifetime.
  if (hasField(fields, 'set-cookie')) return 'Set-Cookie'
  if (request.fields.authorization !== undefined && !isForAll(directives)) return 'Authorization'
  if (varyNames(fields).includes('*')) return 'Vary: *'
  if (explicitLifetime(fields, receivedMs) !== undefined) return undefined
  if (defaultSeconds < 0) return 'no lifetime'
  return isDefaultFor(status) ? undefined : `no lifetime, and the status is ${status}`
}

/** Section 3.5. */
function isForAll(directives: ReadonlyMap<string, string>): boolean {
  return directives.has('public') || directives.has('must-revalidate') || directives.has('s-maxage')
}

/** A site's own lifetime is for content, not for failures. */
function isDefaultFor(status: number): boolean {
  return status === 200 || status === 203 || status === 204 || status === 301 || status === 308
}

/** Section 3.1: all but what is of the connection. */
export function endToEnd(fields: Fields): string[] {
  return without(fields, hopByHop(fieldValue(fields, 'connection')))
}

/** Age is computed for each use. */
export function storedFields(fields: Fields): string[] {
  return without(endToEnd(fields), (name) => name === 'age')
}
