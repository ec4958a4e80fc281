/** The operator's token, and the checks that keep other web pages away from the operator API. */
import { isIP } from 'node:net'
import { isSameSecret } from '../../kernel/constant-time.ts'
import { Forbidden, Unauthorized } from '../../kernel/errors.ts'

export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

export function checkBearer(header: string | undefined, token: string): void {
  const given = bearerOf(header)
  if (given === undefined) {
    throw new Unauthorized('The operator token is needed.', 'オペレータートークンが必要です。')
  }
  if (!isSameSecret(given, token)) {
    throw new Unauthorized(
      'The operator token is wrong.',
      'オペレータートークンが正しくありません。',
    )
  }
}

/** Whether the server was given this name. */
export type IsOwnName = (name: string) => boolean

/**
 * A name that the page of another site controls can be made to point here (DNS rebinding). So a Host is refused
 * that is neither an address, nor localhost, nor a name that the server was given.
 */
export function checkHostName(host: string | undefined, isOwnName: IsOwnName): void {
  const name = (host ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  if (!(isIP(name) || /^(.+\.)?localhost$/.test(name) || isOwnName(name))) {
    throw new Forbidden(
      'The Host header names no address of this server.',
      'Host ヘッダーが不正です。',
    )
  }
}

/** The page of another site can make a browser send requests here, so a foreign Origin is refused, too. */
export function checkSite(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  isOwnName: IsOwnName,
): void {
  checkHostName(headers.host, isOwnName)
  if (headers.origin === undefined) return
  const origin = URL.parse(headers.origin)
  // Both are parsed, so that a default port makes no difference.
  if (origin === null || origin.host !== URL.parse(`${origin.protocol}//${headers.host}`)?.host) {
    throw new Forbidden(
      'Calls from other sites are refused.',
      '他サイトからの呼び出しは拒否されます。',
    )
  }
}
