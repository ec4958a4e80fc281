/** AWS Signature Version 4, which every S3-compatible service checks; tested against AWS's own examples. */
import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKey: string
  readonly secretKey: string
}

export interface Scope {
  readonly region: string
  readonly service: string
  readonly at: Date
}

export interface SignedRequest {
  readonly method: string
  readonly url: URL
  /** All of them are signed. Names in lower case; `host` and `x-amz-date` are among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The hash of the body in hex, or a word that stands for it. */
  readonly payloadHash: string
}

/** The value of the Authorization header. */
export function authorization(
  request: SignedRequest,
  { accessKey, secretKey }: Credentials,
  scope: Scope,
): string {
  const date = amzDate(scope.at)
  const place = `${date.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, place, sha256(canonical(request))].join('\n')
  const key = place.split('/').reduce<Buffer | string>(hmac, `AWS4${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  const names = headerNames(request).join(';')
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${place}, SignedHeaders=${names}, Signature=${signature}`
}

/** `20130524T000000Z` */
export function amzDate(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The request as both sides write it down before they hash it. */
export function canonical(request: SignedRequest): string {
  const { method, url, headers, payloadHash } = request
  const names = headerNames(request)
  return [
    method,
    url.pathname,
    canonicalQuery(url),
    ...names.map((name) => `${name}:${headers[name]?.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n')
}

function headerNames({ headers }: SignedRequest): string[] {
  return Object.keys(headers).sort()
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

/** As RFC 3986 has it, which is stricter than the library's function. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
