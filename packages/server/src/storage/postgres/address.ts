/** Where a database is and who asks, out of `postgres://user:password@host:port/name?sslmode=require`. */
import { userInfo } from 'node:os'

export interface Address {
  readonly target: { readonly host: string; readonly port: number } | { readonly path: string }
  /** As the address says it: whether the connection is encrypted, and whether the peer is checked. */
  readonly tls: 'off' | 'if-offered' | 'unchecked' | 'checked'
  readonly user: string
  readonly password: string
  readonly database: string
  /** Settings for the session. */
  readonly parameters: Readonly<Record<string, string>>
}

const DEFAULT_PORT = 5432

const TLS_MODES: Readonly<Record<string, Address['tls']>> = {
  disable: 'off',
  allow: 'if-offered',
  prefer: 'if-offered',
  require: 'unchecked',
  'verify-ca': 'checked',
  'verify-full': 'checked',
}

export function parseAddress(text: string): Address {
  const url = new URL(text)
  const { sslmode, ...parameters } = Object.fromEntries(url.searchParams)
  const tls = TLS_MODES[sslmode ?? 'disable']
  if (tls === undefined) throw new Error(`sslmode=${sslmode} is not known`)
  // An IPv6 address stands in brackets; the folder of a socket is written with %2F.
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  const port = Number(url.port || DEFAULT_PORT)
  const user = decodeURIComponent(url.username) || userInfo().username
  return {
    target: host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    tls,
    user,
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    parameters,
  }
}
