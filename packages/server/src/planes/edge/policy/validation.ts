/** Validation of stored responses (RFC 9111, section 4.3). */
import { type Fields, fieldValue, type RequestFields, without } from './fields.ts'
import { storedFields } from './storing.ts'

/** Section 4.3.1: what a request asks for when something of it is stored. */
export function conditionOf(stored: Fields): RequestFields {
  const etag = fieldValue(stored, 'etag')
  const modified = fieldValue(stored, 'last-modified')
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  }
}

/** They describe the body that is stored, and stay with it. A cookie is for the one who asked. */
const KEPT = new Set([
  'content-encoding',
  'content-length',
  'content-md5',
  'content-range',
  'etag',
  'set-cookie',
])

/** Sections 3.2 and 4.3.4: the fields of a stored response after a 304. */
export function freshened(stored: Fields, update: Fields): string[] {
  const fields = without(storedFields(update), (name) => KEPT.has(name))
  const replaced = new Set(fields.filter((_, index) => index % 2 === 0))
  return [...without(stored, (name) => replaced.has(name)), ...fields]
}

/**
 * Section 4.3.5: whether a 200 to HEAD is about the stored response. Validators and length must not differ where both
 * have them.
 */
export function isSameByHead(stored: Fields, head: Fields): boolean {
  return ['etag', 'last-modified', 'content-length'].every((name) => {
    const value = fieldValue(head, name)
    return value === undefined || value === fieldValue(stored, name)
  })
}
