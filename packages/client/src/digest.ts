/**
 * Digest credentials (RFC 7616) with SHA-256 and qop=auth: the secret itself is never sent. A nonce is used
 * for as many requests as the server lets it live; MD5 is not there, for browsers have none and the server
 * offers both (docs/client.md).
 */
interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
}

export class DigestSession {
  readonly #token: string
  readonly #secret: string
  #challenge: Challenge | undefined
  #count = 0

  constructor(token: string, secret: string) {
    this.#token = token
    this.#secret = secret
  }

  /** The header for a request; undefined before the first challenge. */
  async header(method: string, url: string): Promise<string | undefined> {
    if (this.#challenge === undefined) return undefined
    const { realm, nonce, opaque } = this.#challenge
    this.#count += 1
    const { pathname, search } = new URL(url)
    const uri = `${pathname}${search}`
    const nc = this.#count.toString(16).padStart(8, '0')
    const cnonce = hex(crypto.getRandomValues(new Uint8Array(16)))
    const secret = await sha256(`${this.#token}:${realm}:${this.#secret}`)
    const request = await sha256(`${method}:${uri}`)
    const response = await sha256([secret, nonce, nc, cnonce, 'auth', request].join(':'))
    const fields = [
      `username="${escaped(this.#token)}"`,
      `realm="${escaped(realm)}"`,
      `nonce="${escaped(nonce)}"`,
      `uri="${uri}"`,
      'algorithm=SHA-256',
      'qop=auth',
      `nc=${nc}`,
      `cnonce="${cnonce}"`,
      `response="${response}"`,
      ...(opaque === undefined ? [] : [`opaque="${escaped(opaque)}"`]),
    ]
    return `Digest ${fields.join(', ')}`
  }

  /**
   * Takes the challenge of a 401; false when there is none to be answered, or when it answers credentials
   * that were wrong rather than too old.
   */
  accept(header: string | null, hadCredentials: boolean): boolean {
    const challenge = (header ?? '')
      .split(/,(?=\s?(?:Basic|Digest|Bearer) )/i)
      .map((text) => text.trim())
      .filter((text) => /^digest /i.test(text))
      .map(fieldsOf)
      .find((fields) => /^SHA-256$/i.test(fields.algorithm ?? ''))
    const { realm, nonce, opaque, stale } = challenge ?? {}
    if (realm === undefined || nonce === undefined) return false
    this.#challenge = { realm, nonce, opaque }
    this.#count = 0
    return !hadCredentials || /^true$/i.test(stale ?? '')
  }
}

function fieldsOf(challenge: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  // After the scheme. Sticky: each pair begins where the one before it ended, so that the time is linear.
  const pair = /[\s,]*(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y
  pair.lastIndex = challenge.indexOf(' ') + 1
  for (let found = pair.exec(challenge); found !== null; found = pair.exec(challenge)) {
    const [, key = '', quoted, bare = ''] = found
    fields[key.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  }
  return fields
}

const escaped = (text: string) => text.replaceAll(/["\\]/g, '\\$&')

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
