/**
 * Header fields. Those of a response are a flat list of names in lower case and values, in the order in which they came,
 * since that is what `writeHead` takes without another copy; those of a request are an object by name, as Node gives them.
 */
export type Fields = readonly string[]
export type RequestFields = Readonly<Record<string, string | undefined>>

/** All values of a name, joined as a list (RFC 9110, section 5.2). */
export function fieldValue(fields: Fields, name: string): string | undefined {
  let value: string | undefined
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] !== name) continue
    value = value === undefined ? fields[at + 1] : `${value}, ${fields[at + 1]}`
  }
  return value
}

export function hasField(fields: Fields, name: string): boolean {
  for (let at = 0; at < fields.length; at += 2) if (fields[at] === name) return true
  return false
}

export function without(fields: Fields, isDropped: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? ''
    if (!isDropped(name)) kept.push(name, fields[at + 1] ?? '')
  }
  return kept
}

/** As Node gives them: names as they were sent. */
export function fromRaw(raw: readonly string[]): string[] {
  return raw.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text))
}

/** RFC 9110, section 7.6.1: they are of one connection. */
const HOP_BY_HOP = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Which names are of the connection alone, with those that the Connection field names. */
export function hopByHop(connection: string | undefined): (name: string) => boolean {
  if (connection === undefined) return (name) => HOP_BY_HOP.has(name)
  const named = new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
  return (name) => HOP_BY_HOP.has(name) || named.has(name)
}
