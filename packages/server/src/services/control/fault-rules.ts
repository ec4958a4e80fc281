/** What can go wrong on purpose, and when. Pure: calls are counted by whoever keeps the faults. */
import type { RefusalCode } from '../../kernel/errors.ts'

/** Statuses that the interface has a failure body for. */
export const FAULT_CODES: ReadonlyMap<number, RefusalCode> = new Map([
  [400, 'bad_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [408, 'request_timeout'],
  [409, 'conflict'],
  [413, 'request_too_large'],
  [429, 'too_many_request'],
  [500, 'internal_server_error'],
  [503, 'service_unavailable'],
])

export const LATENCY_MAX_MS = 600_000

export type FaultPhase = 'before' | 'after'

export type FaultEffect =
  | { readonly status: number; readonly retryAfterSeconds: number }
  | { readonly latencyMs: number }
  | { readonly reset: true }
  | { readonly truncateBytes: number }

export interface FaultPlan {
  readonly operation: string
  /** The code of the account; every account when left out. */
  readonly account: string | undefined
  /** From this matching call on, counted from 1. */
  readonly nth: number | undefined
  readonly times: number | undefined
  readonly probability: number | undefined
  readonly from: Date | undefined
  readonly until: Date | undefined
  readonly phase: FaultPhase
  readonly effect: FaultEffect
}

export interface Call {
  readonly operation: string
  readonly account: string | undefined
  readonly phase: FaultPhase
  readonly at: Date
}

export function isMeant(plan: FaultPlan, call: Call): boolean {
  return (
    plan.operation === call.operation &&
    plan.phase === call.phase &&
    (plan.account === undefined || plan.account === call.account) &&
    (plan.from === undefined || plan.from <= call.at) &&
    (plan.until === undefined || call.at < plan.until)
  )
}

/** `calls` includes this one; `draw` is from 0 up to and without 1. */
export function strikes(plan: FaultPlan, calls: number, hits: number, draw: () => number): boolean {
  const times = plan.times ?? (plan.nth === undefined ? Number.POSITIVE_INFINITY : 1)
  if (calls < (plan.nth ?? 1) || hits >= times) return false
  return plan.probability === undefined || draw() < plan.probability
}
