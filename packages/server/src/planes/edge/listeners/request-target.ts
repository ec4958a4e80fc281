/** Which host and which path a request is for (RFC 9112, section 3; RFC 9113, section 8.3.1). */

/**
 * CONNECT is for proxies, TRACE would show what an origin is sent, and an origin that has a cache of its own may take
 * PURGE from us: deletion is the server's affair.
 */
const REFUSED = new Set(['CONNECT', 'TRACE', 'PURGE'])

export function isForwarded(method: string): boolean {
  return !REFUSED.has(method)
}

export interface Target {
  /** In lower case, without a port. */
  readonly host: string
  readonly target: string
}

const VISIBLE = /^\/[\x21\x22\x24-\x7e]*$/
/** A name or an IPv4 address, or an IPv6 address in brackets; with a port or without. */
const HOST = /^([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])\.?(?::\d{0,5})?$/i

/** The same few come again and again. */
const KNOWN_MAX = 1000
const known = new Map<string, string>()

/** Undefined when it is malformed: 400. */
export function targetOf(target: string, host: string | undefined): Target | undefined {
  if (!target.startsWith('/')) return absoluteTarget(target)
  const name = hostName(host)
  if (name === undefined || !VISIBLE.test(target)) return undefined
  return { host: name, target }
}

/** `http://host/path` as a proxy is asked: its host counts, whatever the Host field says. */
function absoluteTarget(target: string): Target | undefined {
  const scheme = /^https?:\/\//i.exec(target)?.[0]
  if (scheme === undefined) return undefined
  const after = target.slice(scheme.length)
  const end = after.search(/[/?]/)
  const name = hostName(end < 0 ? after : after.slice(0, end))
  const rest = end < 0 ? '' : after.slice(end)
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return name !== undefined && VISIBLE.test(path) ? { host: name, target: path } : undefined
}

function hostName(host: string | undefined): string | undefined {
  if (host === undefined) return undefined
  const before = known.get(host)
  if (before !== undefined) return before
  const name = HOST.exec(host)?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(host, name)
  return name
}
