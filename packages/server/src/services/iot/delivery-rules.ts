/** What an outgoing webhook is to receive, and how often that is tried. */
import type { ItemId } from '../../kernel/ids.ts'

export interface Delivery {
  readonly id: number
  readonly projectId: ItemId
  /** Of the message. */
  readonly number: number
  readonly adapterId: string
  readonly status: 'waiting' | 'delivered' | 'dead'
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly reason: string | undefined
  readonly responseCode: number | undefined
  readonly createdAt: Date
  readonly doneAt: Date | undefined
}

export interface Attempt {
  readonly place: number
  readonly outcome: 'sent' | 'failed' | 'refused'
  readonly responseCode: number | undefined
  readonly at: Date
}

export const ATTEMPTS_MAX = 12
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3600
/** How far a wait may be from its mean, so that those who failed together do not come back together. */
const JITTER = 0.2

/**
 * Twice as long each time, up to an hour, and a little more or less: `chance` is from 0 to 1. Undefined
 * when it has been tried often enough, which takes about three hours.
 */
export function nextAttempt(attempts: number, now: Date, chance: number): Date | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined
  const mean = Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS)
  const wait = mean * (1 - JITTER + 2 * JITTER * chance)
  // On whole seconds, so that those of one second go together.
  const at = now.getTime() + Math.round(wait * 1000)
  return new Date(Math.ceil(at / 1000) * 1000)
}

/** The receiver says that it is gone for good. */
export const GONE = 410
/** Why nothing is sent to it until a redelivery succeeds. */
export const DISABLED = `the adapter is disabled, since its receiver has answered ${GONE}`
