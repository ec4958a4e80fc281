/** Hides what is secret in the address of a request: tokens in the path, and what a search asks for. */
import type { Operation } from '../../kernel/contract.ts'
import { fieldName } from '../../kernel/search-query.ts'
import { fieldsOf, isSecret } from '../../kernel/shapes.ts'
import { HIDDEN, hideAll, type SecretNames } from './secret-rules.ts'

/** Matches a path up to a secret in it, whoever asks for it by whatever method. */
export function secretPathOf(base: string, { path, params }: Operation): RegExp[] {
  const secrets = fieldsOf(params ?? {}).filter(({ shape }) => isSecret(shape))
  return secrets.map(({ name }) => secretPath(`${base}${path}`, name))
}

/** `{name}` in the path stands for the secret. */
export function secretPath(path: string, name: string): RegExp {
  const [before = ''] = path.split(`{${name}}`)
  const pattern = before
    .replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`)
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`(${pattern})[^/]+`)
}

export function readablePath(
  address: string,
  patterns: readonly RegExp[],
  names: SecretNames,
): string {
  const end = address.indexOf('?')
  const path = end < 0 ? address : address.slice(0, end)
  // The router takes an escaped letter for the letter.
  const plain = decode(path) ?? path
  const shown = patterns.reduce((text, pattern) => text.replace(pattern, `$1${HIDDEN}`), plain)
  const query = end < 0 ? '' : `?${readableQuery(address.slice(end + 1), names)}`
  return `${shown === plain ? path : shown}${query}`
}

/** Searches filter by fields, some of which are secrets: then the value is not shown. */
function readableQuery(query: string, names: SecretNames): string {
  const text = decode(query)
  if (text === undefined) return HIDDEN
  if (isObject(text)) return readableJson(query, text, names) ?? HIDDEN
  const pairs = query.split('&').map((pair) => readablePair(pair, names))
  // An `&` inside of a value cuts it, and what follows cannot be judged.
  return pairs.includes(undefined) ? HIDDEN : pairs.join('&')
}

/** Undefined when nobody can say what is in it. */
function readablePair(pair: string, names: SecretNames): string | undefined {
  const end = pair.indexOf('=')
  if (end < 0) return pair
  const name = decode(pair.slice(0, end)) ?? ''
  if (isSecretName(name, names)) return `${name}=${HIDDEN}`
  const value = pair.slice(end + 1)
  // In a pair a plus sign is a space.
  const text = decode(value.replaceAll('+', ' ')) ?? ''
  if (!isObject(text)) return pair
  const shown = readableJson(value, text, names)
  return shown === undefined ? undefined : `${pair.slice(0, end)}=${shown}`
}

/** As it was sent, unless something in it is hidden; undefined when it is not JSON. */
function readableJson(sent: string, text: string, names: SecretNames): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const shown = JSON.stringify(hideMembers(value, names))
    return shown === JSON.stringify(value) ? sent : encodeURIComponent(shown)
  } catch {
    return undefined
  }
}

function isObject(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

function hideMembers(value: unknown, names: SecretNames): unknown {
  if (Array.isArray(value)) return value.map((entry) => hideMembers(entry, names))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    isSecretName(name, names) ? hideAll(inner) : hideMembers(inner, names),
  ])
  return Object.fromEntries(members)
}

/** `ESME.otp>=` is about `otp`. */
function isSecretName(name: string, names: SecretNames): boolean {
  const own = fieldName(name).split('.').at(-1) ?? ''
  return names.has(own.toLowerCase())
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
