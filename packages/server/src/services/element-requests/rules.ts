/** Requests to elements of a real network: to end a session, or to change its bandwidth (docs/networks.md). */
import type { ItemId } from '../../kernel/ids.ts'
import { secondsAfter } from '../../kernel/units.ts'

export const KINDS = ['disconnect', 'coa'] as const
/** `replaced`: a later request about the same session has made it needless before it was answered. */
export const STATES = ['waiting', 'ack', 'nak', 'no_answer', 'replaced'] as const
export type State = (typeof STATES)[number]

export interface ElementRequest {
  readonly id: number
  readonly element: string
  readonly kind: (typeof KINDS)[number]
  /** Why the session ended, or `shaping`. */
  readonly cause: string
  readonly simId: ItemId
  readonly sessionId: number
  readonly acctSessionId: string
  readonly imsi: string
  readonly ip: number
  /** Of a CoA; undefined for no limit. */
  readonly bitsPerSecond: number | undefined
  readonly state: State
  /** Of a NAK, by its name in RFC 5176. */
  readonly errorCause: string | undefined
  /** Why there is no answer yet, or none at all. */
  readonly reason: string | undefined
  readonly attempts: number
  readonly createdAt: Date
  readonly answeredAt: Date | undefined
}

/** What became of one attempt. */
export type Outcome = Pick<ElementRequest, 'state' | 'errorCause' | 'reason' | 'answeredAt'>

/** An element that restarts is waited for; one that is silent for two hours has other troubles. */
export const RETRY_SECONDS = [1, 5, 15, 60, 300, 900, 1800, 3600] as const
/** While nothing can be sent at all, it is tried again after half the time that it has waited, within these. */
export const UNAVAILABLE_SECONDS = { least: 30, most: 600 } as const
/** The element does not know the session: it has ended there, which is what was asked. */
const NO_SUCH_SESSION = ['Session-Context-Not-Found', '503']

/** `errorCause` by its name in the dictionary, where the element gives one; the reason is for people. */
export type Answer =
  | { readonly answer: 'ack' }
  | { readonly answer: 'nak'; readonly errorCause: string | undefined }
  | { readonly answer: 'none'; readonly reason: string }

/** When requests are tried again that could not be sent; the newest of them counts. */
export function unavailableUntil(createdAt: readonly Date[], now: Date): Date {
  const { least, most } = UNAVAILABLE_SECONDS
  const waitedMs = Math.min(...createdAt.map((date) => now.getTime() - date.getTime()))
  return secondsAfter(now, Math.min(Math.max(waitedMs / 2000, least), most))
}

/** `attempts` counts this one; a NAK is an answer, and is not asked for again. */
export function outcomeOf(
  { kind, attempts }: Pick<ElementRequest, 'kind' | 'attempts'>,
  answer: Answer,
  now: Date,
): Outcome & { readonly retryAt: Date | undefined } {
  const answered = { reason: undefined, answeredAt: now, retryAt: undefined }
  if (answer.answer === 'ack') return { state: 'ack', errorCause: undefined, ...answered }
  if (answer.answer === 'nak') {
    const { errorCause } = answer
    const isOver = kind === 'disconnect' && NO_SUCH_SESSION.includes(errorCause ?? '')
    return { state: isOver ? 'ack' : 'nak', errorCause, ...answered }
  }
  const { reason } = answer
  const wait = RETRY_SECONDS[attempts - 1]
  const none = { errorCause: undefined, reason, answeredAt: undefined }
  return wait === undefined
    ? { state: 'no_answer', ...none, retryAt: undefined }
    : { state: 'waiting', ...none, retryAt: secondsAfter(now, wait) }
}
