/** An operation and its input as the address and the parts of an HTTP request. */
import { families, operations } from './generated/operations.ts'
import type { AnyInput, OperationName } from './types.ts'

export interface Place {
  /** `{base_url}` of the interface, such as `https://localhost:8443/cloud`. */
  readonly baseUrl: string
  /** Where the operator API is, when it is not at the origin of `baseUrl`. */
  readonly operatorUrl?: string
  readonly zone?: string
}

export function isOperators(name: OperationName): boolean {
  return families[operations[name].family].root
}

export function addressOf(place: Place, name: OperationName, input: AnyInput): string {
  const { path, family } = operations[name]
  const {
    base,
    root,
    zone: only,
  }: { base: string; root: boolean; zone?: string } = families[family]
  const values = { ...input.params, zone: only ?? place.zone ?? 'is1a' }
  return `${startOf(place, base, root)}${fill(path, base, root, name, values)}${queryOf(input)}`
}

/** A given operator address ends in the base of its family, as the server's banner shows it. */
function startOf({ baseUrl, operatorUrl }: Place, base: string, root: boolean): string {
  if (!root) return withoutEndSlashes(baseUrl)
  if (operatorUrl !== undefined) return withoutEndSlashes(operatorUrl)
  return `${new URL(baseUrl).origin}${base}`
}

function withoutEndSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

function fill(
  path: string,
  base: string,
  root: boolean,
  name: string,
  values: Readonly<Record<string, string | undefined>>,
): string {
  return `${root ? '' : base}${path}`.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key]
    // A step of one or two dots would be taken for a way to another path, an empty one for none.
    if (value === undefined || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} needs the path parameter ${key}.`)
    }
    return encodeURIComponent(value)
  })
}

/** Escaped by percent signs only: the server takes a plus for a plus, as in `+09:00`. */
function queryOf({ search, query = {} }: AnyInput): string {
  if (search !== undefined) return jsonQuery(search)
  // A query with an object in it has no other form than that of the search object.
  if (Object.values(query).some((value) => typeof value === 'object' && value !== null)) {
    return jsonQuery(query)
  }
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function jsonQuery(value: object): string {
  return `?${encodeURIComponent(JSON.stringify(value))}`
}

export function bodyOf({ text, body }: AnyInput): { body: string; type: string } | undefined {
  if (text !== undefined) return { body: text, type: 'text/plain; charset=utf-8' }
  if (body === undefined) return undefined
  return { body: JSON.stringify(body), type: 'application/json' }
}

export function basicCredentials(token: string, secret: string): string {
  const bytes = new TextEncoder().encode(`${token}:${secret}`)
  return `Basic ${btoa(String.fromCodePoint(...bytes))}`
}
