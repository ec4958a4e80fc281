/**
 * Signatures of webhooks, by the Standard Webhooks specification: HMAC-SHA256 over id, time and the raw
 * body, with the bytes of the secret as key. In a profile another header may carry the hex HMAC-SHA1 of
 * the body alone (kernel/words.ts).
 */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kernel/constant-time.ts'

/** How far the time of a signed call may be from ours. */
export const REPLAY_WINDOW_SECONDS = 300

export function signWebhook(secret: string, id: string, seconds: number, body: Uint8Array): string {
  const hmac = createHmac('sha256', Buffer.from(secret))
  return `v1,${hmac.update(`${id}.${seconds}.`).update(body).digest('base64')}`
}

export function signBody(secret: string, body: Uint8Array): string {
  return createHmac('sha1', Buffer.from(secret)).update(body).digest('hex')
}

export interface SignedHeaders {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  /** Several, with spaces between, while a secret is being changed. */
  readonly signature: string | undefined
}

/** What is wrong with it; undefined when nothing is. */
export function signatureProblem(
  secret: string,
  { id, timestamp = '', signature }: SignedHeaders,
  body: Uint8Array,
  now: Date,
): 'missing' | 'stale' | 'wrong' | undefined {
  if (!id || id.length > 255 || !/^\d{1,12}$/.test(timestamp) || !signature) return 'missing'
  const expected = signWebhook(secret, id, Number(timestamp), body)
  if (!signature.split(' ').some((given) => isSameSecret(given, expected))) return 'wrong'
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  return age > REPLAY_WINDOW_SECONDS ? 'stale' : undefined
}
