/**
 * How the embedded network behaves: by the settings of the world, and in dev mode by magic destinations
 * (docs/sms.md). They are mobile numbers by form, so that the strict policy lets them in.
 */
import { secondsAfter } from '../../kernel/units.ts'
import type { Outcome } from './rules.ts'

export const MAGIC = {
  refused: '819000000001',
  failed: '819000000002',
  expired: '819000000003',
  neverReported: '819000000004',
  throttled: '819000000005',
  alwaysThrottled: '819000000006',
  early: '819000000007',
} as const

export const NETWORK_HABITS = ['deliver', 'fail', 'hold'] as const
export type NetworkHabit = (typeof NETWORK_HABITS)[number]

/** Tries that the throttled destination sends back before it takes the message. */
export const THROTTLED_TRIES = 2
const THROTTLED_SECONDS = 5

export type Plan =
  | { readonly answer: 'refused' }
  | { readonly answer: 'throttled'; readonly retryAfterSeconds?: number }
  | { readonly answer: 'accepted'; readonly report: PlannedReport | undefined }

export interface PlannedReport {
  readonly outcome: Outcome
  readonly at: Date
}

export interface Handed {
  readonly destination: string
  readonly retryCount: number
  readonly validUntil: Date
}

export function planFor(
  { destination, retryCount, validUntil }: Handed,
  habit: NetworkHabit,
  delaySeconds: number,
  magic: boolean,
  now: Date,
): Plan {
  const accepted = (outcome: Outcome, at = secondsAfter(now, delaySeconds)): Plan => ({
    answer: 'accepted',
    report: { outcome, at },
  })
  switch (magic ? destination : undefined) {
    case MAGIC.refused:
      return { answer: 'refused' }
    case MAGIC.failed:
      return accepted('Failed')
    case MAGIC.expired:
      return accepted('Failed', validUntil)
    case MAGIC.neverReported:
      return { answer: 'accepted', report: undefined }
    case MAGIC.throttled:
      if (retryCount >= THROTTLED_TRIES) return accepted('Delivered')
      return { answer: 'throttled', retryAfterSeconds: THROTTLED_SECONDS }
    case MAGIC.alwaysThrottled:
      return { answer: 'throttled' }
    case MAGIC.early:
      return accepted('Delivered', now)
    default:
      if (habit === 'hold') return { answer: 'accepted', report: undefined }
      return accepted(habit === 'fail' ? 'Failed' : 'Delivered')
  }
}
