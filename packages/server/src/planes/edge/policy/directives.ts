/** Cache-Control and what is written like it (RFC 9111, section 5.2). */
import { type Fields, fieldValue } from './fields.ts'
import { parseDictionary } from './structured.ts'

/** By name in lower case; an empty text where a directive has no argument. */
export type Directives = ReadonlyMap<string, string>

/** The first of several with one name counts (RFC 9111, section 4.2.1). */
export function parseDirectives(value: string): Directives {
  const found = new Map<string, string>()
  for (const part of splitList(value)) {
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase()
    const argument = equals < 0 ? '' : unquoted(part.slice(equals + 1).trim())
    if (name !== '' && !found.has(name)) found.set(name, argument)
  }
  return found
}

/** At commas that are not within quotes. */
function splitList(value: string): string[] {
  if (!value.includes('"')) return value.split(',')
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted && character === '\\') at += 1
    else if (!isQuoted && character === ',') {
      parts.push(value.slice(start, at))
      start = at + 1
    }
  }
  parts.push(value.slice(start))
  return parts
}

function unquoted(argument: string): string {
  const isQuoted = argument.length > 1 && argument.startsWith('"') && argument.endsWith('"')
  return isQuoted ? argument.slice(1, -1) : argument
}

/**
 * Those that hold for this cache. CDN-Cache-Control takes the place of Cache-Control, and of Expires, when it is a valid
 * dictionary that is not empty (RFC 9213, section 2.1).
 */
export function directivesOf(fields: Fields): { directives: Directives; isTargeted: boolean } {
  const targeted = fieldValue(fields, 'cdn-cache-control')
  const parsed = targeted === undefined ? undefined : parseDictionary(targeted)
  if (parsed !== undefined && parsed.size > 0) return { directives: parsed, isTargeted: true }
  return {
    directives: parseDirectives(fieldValue(fields, 'cache-control') ?? ''),
    isTargeted: false,
  }
}

/** RFC 9111, section 1.2.2: more than this is as good as never. */
export const SECONDS_MAX = 2 ** 31

/** Undefined when it is no number of seconds. */
export function seconds(argument: string | undefined): number | undefined {
  if (argument === undefined || !/^\d+$/.test(argument)) return undefined
  return Math.min(Number(argument), SECONDS_MAX)
}
