/**
 * When a certificate is ordered: with a third of its life left, and later and later after failures. And what an
 * authority asks for (http-01).
 */
import { X509Certificate } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '../../kernel/units.ts'

/** Authorities allow a few failures an hour and name. */
const FIRST_RETRY_MS = 5 * MINUTE_MS
const LAST_RETRY_MS = HOUR_MS

/** RFC 8555: base64url, of at least 128 bits. */
const FOLDER = '/.well-known/acme-challenge/'
const TOKEN = /^[\w-]{16,128}$/

/** PEM. */
export interface Issued {
  readonly chain: string
  readonly key: string
}

/** Of one that was issued now. Never at once, also where the authority's clock or ours is wrong. */
export function renewAt(chain: string, now: Date): Date {
  const { validFromDate, validToDate } = new X509Certificate(chain)
  const from = validFromDate.getTime()
  const third = (validToDate.getTime() - from) / 3
  return new Date(Math.max(from + 2 * third, now.getTime() + Math.min(third, HOUR_MS)))
}

/** `failures` counts the one that has just happened. */
export function retryAt(failures: number, now: Date): Date {
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LAST_RETRY_MS)
  return new Date(now.getTime() + delayMs)
}

/** Undefined when this path is no question of an authority. */
export function challengeToken(path: string): string | undefined {
  if (!path.startsWith(FOLDER)) return undefined
  const token = path.slice(FOLDER.length)
  return TOKEN.test(token) ? token : undefined
}
