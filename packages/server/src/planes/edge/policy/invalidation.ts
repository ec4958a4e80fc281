/** What an unsafe request makes useless (RFC 9111, section 4.4). */
import { type Fields, fieldValue } from './fields.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isUnsafe(method: string): boolean {
  return !SAFE.has(method)
}

/**
 * Paths with queries, of this host: the one that was asked for, and those in Location and Content-Location. Nothing when
 * the origin has refused.
 */
export function invalidated(
  request: { readonly method: string; readonly host: string; readonly target: string },
  response: { readonly status: number; readonly fields: Fields },
): readonly string[] {
  if (!isUnsafe(request.method) || response.status >= 400) return []
  const found = new Set([request.target])
  for (const name of ['location', 'content-location']) {
    const value = fieldValue(response.fields, name)
    const url = value && URL.parse(value, `http://${request.host}${request.target}`)
    if (url && url.hostname === request.host) found.add(`${url.pathname}${url.search}`)
  }
  return [...found]
}
