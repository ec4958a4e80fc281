/**
 * One-time URLs: an address that holds until a moment, signed with a secret of the site. The MD5 form is the one that
 * existing programs make. The HMAC is ours: it signs the host too, and MD5 is not what one would choose today.
 */
import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '../../../kernel/constant-time.ts'

const TIME = 'webaccel_secure_time'
const HASH = 'webaccel_secure_hash'
const HMAC = 'webaccel_secure_hmac'

export interface OnetimeRequest {
  /** Any of them may have signed. */
  readonly secrets: readonly string[]
  /** In lower case, without a port. */
  readonly host: string
  /** As it was sent, without the query. */
  readonly path: string
  readonly query: string
  readonly nowSeconds: number
}

/** Gives back why the request is refused. */
export function checkOnetime(request: OnetimeRequest): 'allowed' | string {
  const { secrets, query, nowSeconds } = request
  const parameters = new URLSearchParams(query)
  if ([TIME, HASH, HMAC].some((name) => parameters.getAll(name).length > 1)) {
    return 'A parameter of the one-time URL is there twice.'
  }
  const time = parameters.get(TIME) ?? ''
  // Twelve digits are beyond the year 8,000,000, and exact as a number.
  if (!/^[0-9a-f]{1,12}$/i.test(time)) return `${TIME} is missing or is no hexadecimal time.`
  const hash = parameters.get(HASH)?.toLowerCase()
  const hmac = parameters.get(HMAC)?.toLowerCase()
  if (hash === undefined && hmac === undefined) return `${HASH} is missing.`
  const isSigned = secrets.some((secret) =>
    hmac === undefined
      ? isSameSecret(hash ?? '', md5Of(request.path, secret, time))
      : isSameSecret(hmac, hmacOf(request, secret, time)),
  )
  if (!isSigned) return 'The signature of the one-time URL is wrong.'
  return Number.parseInt(time, 16) < nowSeconds ? 'The one-time URL has expired.' : 'allowed'
}

/** The other parameters stay byte for byte: they are part of the key and of what the origin is sent. */
export function withoutOnetime(query: string): string {
  const isOther = (parameter: string) =>
    ![TIME, HASH, HMAC].includes(new URLSearchParams(parameter).keys().next().value ?? '')
  return query.split('&').filter(isOther).join('&')
}

function md5Of(path: string, secret: string, time: string): string {
  return createHash('md5').update(`${path}/${secret}/${time}/`).digest('hex')
}

function hmacOf({ host, path }: OnetimeRequest, secret: string, time: string): string {
  return createHmac('sha256', secret).update(`${host}\n${path}\n${time}`).digest('hex')
}
