/** The address of a mail server: `smtp://user:password@host:587` or `smtps://…`. */
import { isIP } from 'node:net'

export interface SmtpAddress {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise by STARTTLS, if at all. */
  readonly isSmtps: boolean
  readonly login: { readonly user: string; readonly password: string } | undefined
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 }

/** Undefined when it is no such address. Path, query and fragment mean nothing here and are refused. */
export function parseSmtpAddress(text: string): SmtpAddress | undefined {
  const url = text.length <= 2048 ? URL.parse(text) : null
  const protocol = url?.protocol
  if (url === null || (protocol !== 'smtp:' && protocol !== 'smtps:')) return undefined
  if (!/^\/?$/.test(url.pathname + url.search + url.hash)) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const user = decode(url.username)
  const password = decode(url.password)
  if (host === '' || user === undefined || password === undefined) return undefined
  // A user without a password, or the other way round, is a slip of whoever wrote the address.
  if ((user === '') !== (password === '')) return undefined
  const login = user === '' ? undefined : { user, password }
  const port = url.port === '' ? PORTS[protocol] : Number(url.port)
  return { host, port, isSmtps: protocol === 'smtps:', login }
}

/** Without the secret: for people. */
export function smtpText({ host, port, isSmtps }: SmtpAddress): string {
  return `smtp${isSmtps ? 's' : ''}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}
