import type { EdgeProbeAnswer, EdgeStatus } from './edge-types.ts'

/** One that has been silent for longer is not waited for. */
export const LIVE_MS = 10_000

export interface KnownEdge {
  readonly status: EdgeStatus
  /** On a machine of its own, by `kumoi edge`. */
  readonly isRemote: boolean
  readonly seenAt: Date
  /** Everything up to it holds there; -1 when that is nothing yet. */
  readonly appliedVersion: number
}

export interface ProbedEdge {
  readonly edge: EdgeStatus
  /** Undefined when it did not answer in time. */
  readonly answer: EdgeProbeAnswer | undefined
}

export function isLive({ seenAt }: KnownEdge, now: Date): boolean {
  return seenAt >= before(now, LIVE_MS)
}

export function before(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() - milliseconds)
}
