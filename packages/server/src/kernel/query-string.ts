/**
 * The query of a request as a value. Clients of this interface put one JSON object there, encoded
 * or not; some tools send `key=value` pairs, which are read as members of the same object.
 */
import { BadRequest } from './errors.ts'

/** These may be written as a bare name, `Sort=Name`, and given several times. */
const LIST_KEYS: ReadonlySet<string> = new Set(['Sort', 'Include', 'Exclude'])

/** Takes the whole query without its `?`; `undefined` for an empty one. */
export function parseQueryString(raw: string): unknown {
  if (raw === '') return undefined
  const decoded = decode(raw)
  if (!decoded.startsWith('{')) return parsePairs(raw)
  const value = parseJson(decodeStrings(raw) ?? decoded)
  if (value === undefined) {
    throw new BadRequest(
      'The query is not a valid JSON object.',
      'クエリが正しい JSON オブジェクトではありません。',
    )
  }
  return value
}

/** For operations that take no search object: one that comes all the same is ignored. */
export function parsePlainQuery(raw: string): unknown {
  return decode(raw).startsWith('{') ? undefined : parsePairs(raw)
}

// A plus stays a plus: it stands in `+09:00`, and no client of this interface means a space by it.
function decode(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch (cause) {
    throw new BadRequest(
      'The query has a percent escape that is not valid UTF-8.',
      'クエリに正しくないパーセントエンコーディングがあります。',
      { cause },
    )
  }
}

/**
 * Go clients send JSON as it is and encode only the strings in it. Decoding all of it would let an
 * encoded quote end its string, and a name typed by a user could then add conditions. So where the
 * text is JSON before decoding, every escape stands in a string and what it decodes to stays there.
 */
function decodeStrings(raw: string): string | undefined {
  if (parseJson(raw) === undefined) return undefined
  return raw.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => JSON.stringify(decode(run)).slice(1, -1))
}

function parsePairs(raw: string): Record<string, unknown> {
  const members = new Map<string, unknown>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const split = pair.includes('=') ? pair.indexOf('=') : pair.length
    const key = decode(pair.slice(0, split))
    const rawValue = pair.slice(split + 1)
    const value = parseValue(rawValue)
    members.set(key, LIST_KEYS.has(key) ? extend(members.get(key), value, rawValue) : value)
  }
  return Object.fromEntries(members)
}

function extend(earlier: unknown, value: unknown, rawValue: string): readonly unknown[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [decode(rawValue)]
  return Array.isArray(earlier) ? [...earlier, ...names] : names
}

function parseValue(raw: string): unknown {
  const decoded = decode(raw)
  const value = parseJson(decodeStrings(raw) ?? decoded)
  switch (typeof value) {
    case 'number':
      // Digits that a number cannot hold, such as those of an ICCID, must not be lost.
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : decoded
    case 'object':
      return value ?? decoded
    case 'boolean':
      return value
    default:
      return decoded
  }
}

/** `undefined`, which no JSON text stands for, when the text is broken. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
