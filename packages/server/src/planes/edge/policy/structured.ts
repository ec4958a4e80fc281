/** Dictionaries of RFC 9651 (structured fields), as far as a targeted cache control needs them. */

const KEY = /[a-z*][a-z0-9_\-.*]*/y
/** A number, a string, a token, bytes or a boolean. */
const ITEM =
  /-?\d{1,15}(?:\.\d{1,3})?|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"|[A-Za-z*][!#$%&'*+\-.^_`|~\w:/]*|:[A-Za-z0-9+/=]*:|\?[01]/y
const SEPARATOR = /[ \t]*,[ \t]*/y

/**
 * Values as texts: a string without its quotes, true as an empty text; what is false is left out. The last of several
 * with one name counts. Undefined when the field cannot be parsed: it is ignored then, all of it.
 */
export function parseDictionary(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>()
  const trimmed = text.trim()
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(trimmed)?.[0]
    if (match !== undefined) at += match.length
    return match
  }
  while (at < trimmed.length) {
    const key = take(KEY)
    if (key === undefined) return undefined
    const value = valueAfter(take, () => trimmed[at])
    if (value === undefined) return undefined
    found.delete(key)
    if (value !== '?0') found.set(key, value === '?1' ? '' : value)
    if (at === trimmed.length) break
    // A comma at the end is an error, too.
    if (take(SEPARATOR) === undefined || at === trimmed.length) return undefined
  }
  return found
}

const EQUALS = /=/y
const PARAMETER = /; */y

function valueAfter(
  take: (pattern: RegExp) => string | undefined,
  next: () => string | undefined,
): string | undefined {
  const value = take(EQUALS) === undefined ? '?1' : take(ITEM)
  if (value === undefined) return undefined
  while (next() === ';') {
    take(PARAMETER)
    if (take(KEY) === undefined) return undefined
    if (take(EQUALS) !== undefined && take(ITEM) === undefined) return undefined
  }
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
}
