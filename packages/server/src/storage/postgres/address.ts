/** Where a database is and who connects, from `postgres://user:password@host:port,standby/name?sslmode=require`. */
import { userInfo } from 'node:os'

export interface Host {
  readonly host: string
  readonly port: number
}

export interface Address {
  /** The one that takes writes may be any of them. */
  readonly hosts: readonly [Host, ...Host[]]
  /** As libpq means it: `prefer` falls back to plain, `require` does not check the certificate. */
  readonly tls: 'disable' | 'prefer' | 'require' | 'verify'
  readonly user: string
  readonly password: string
  readonly database: string
  readonly applicationName: string
  /** Further settings of the session. */
  readonly parameters: Readonly<Record<string, string>>
}

const DEFAULT_PORT = 5432
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^@/?#]*)([/?].*)?$/

const TLS_MODES: Readonly<Record<string, Address['tls']>> = {
  disable: 'disable',
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  'verify-ca': 'verify',
  'verify-full': 'verify',
}

export function parseAddress(text: string): Address {
  const [, scheme = '', login = '', hostList = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === '') throw new Error('it must be a postgres:// address')
  // The list of hosts is libpq's; a URL has one, so the others are parsed apart.
  const [first = '', ...others] = hostList.split(',')
  const url = new URL(`${scheme}${login}${first}${rest}`)
  const {
    sslmode = 'disable',
    application_name = 'kumoi',
    ...parameters
  } = Object.fromEntries(url.searchParams)
  const tls = TLS_MODES[sslmode]
  if (tls === undefined) throw new Error(`sslmode=${sslmode} is not known`)
  const user = decodeURIComponent(url.username) || userInfo().username
  return {
    hosts: [hostOf(url), ...others.map((other) => hostOf(new URL(`${scheme}${other}`)))],
    tls,
    user,
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    applicationName: application_name,
    parameters,
  }
}

/** An IPv6 address stands in brackets; the folder of a socket is written with %2F. */
function hostOf(url: URL): Host {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  return { host, port: Number(url.port || DEFAULT_PORT) }
}
