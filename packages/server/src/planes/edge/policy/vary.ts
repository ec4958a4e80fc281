/** Which request fields select a stored response (RFC 9111, section 4.1). */
import { type Fields, fieldValue, type RequestFields } from './fields.ts'

/** Names in lower case, in order and once each. */
export function varyNames(fields: Fields): readonly string[] {
  const value = fieldValue(fields, 'vary')
  if (value === undefined) return NONE
  const names = value.split(',').map((name) => name.trim().toLowerCase())
  return [...new Set(names.filter((name) => name !== ''))].sort()
}

const NONE: readonly string[] = []

/** What the named fields of a request say, in a form in which requests that mean the same are the same. */
export function variantOf(names: readonly string[], request: RequestFields): string {
  if (names.length === 0) return ''
  return JSON.stringify(names.map((name) => normalized(name, request[name])))
}

function normalized(name: string, value: string | undefined): string | null {
  if (value === undefined) return null
  const parts = value.split(',').map((part) => part.trim())
  if (name !== 'accept-language') return parts.join(',')
  // Languages are the same in any case, and in any order where none is preferred.
  return parts
    .map((part) => part.toLowerCase().replaceAll(/\s/g, ''))
    .sort()
    .join(',')
}
