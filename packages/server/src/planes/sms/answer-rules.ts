/** What the answer of a gateway means for a message. */
import type { IncomingHttpHeaders } from 'node:http'
import type { SubmitAnswer } from '../../services/sms/public.ts'
import type { GatewayAnswer } from './gateway-request.ts'

const FIRST_RETRY_SECONDS = 5
const LONGEST_RETRY_SECONDS = 60
/** Far beyond the validity of any message. */
const RETRY_AFTER_MAX_SECONDS = 86_400

/** `undefined`: nobody can know whether the gateway has the message. */
export type Meaning = 'accepted' | 'throttled' | 'refused' | undefined

export function kannelMeaning(status: number): Meaning {
  // 202 is "0: Accepted for delivery", and "3: Queued for later delivery" while no SMSC is connected.
  if (status === 202) return 'accepted'
  if (status === 503) return 'throttled'
  return status >= 400 && status < 500 ? 'refused' : undefined
}

export function httpMeaning(status: number): Meaning {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 429 || status === 503) return 'throttled'
  return status >= 400 && status < 500 ? 'refused' : undefined
}

/** The reference of an accepted message, if the answer has one. */
export function referenceIn({ text }: GatewayAnswer): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { reference } = Object(value)
  const isName = typeof reference === 'string' && /^[^\0]{1,255}$/.test(reference)
  return isName ? reference : undefined
}

/** By Retry-After, else 5 seconds, doubling to a minute. */
export function throttled(retryCount: number, headers: IncomingHttpHeaders = {}): SubmitAnswer {
  const doubled = Math.min(FIRST_RETRY_SECONDS * 2 ** retryCount, LONGEST_RETRY_SECONDS)
  return { answer: 'throttled', retryAfterSeconds: retryAfter(headers) ?? doubled }
}

/** In seconds, or as a date by the gateway's own clock, which its Date header tells. */
function retryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : (Date.parse(text) - Date.parse(headers.date ?? '')) / 1000
  if (Number.isNaN(seconds)) return undefined
  return Math.min(Math.max(Math.ceil(seconds), 1), RETRY_AFTER_MAX_SECONDS)
}
