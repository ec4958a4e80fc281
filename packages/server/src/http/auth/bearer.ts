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

/**
 * A page of another site can make a browser send requests here, and a name that it controls can be
 * made to point here. So a foreign Origin is refused, and so is a Host that is neither an address, nor
 * localhost, nor a name that the server was given.
 */
export function checkSite(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  ownNames: ReadonlySet<string>,
): void {
  const host = hostnameOf(`https://${headers.host ?? ''}`)
  if (host === undefined || !(isIP(host) || host === 'localhost' || ownNames.has(host))) {
    throw new Forbidden(
      'The Host header names no address of this server.',
      'Host ヘッダーが不正です。',
    )
  }
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

function hostnameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')
}
