/** What is kept of requests and of the changes of state, and how much of them. */
import type { Changes } from '../../kernel/changes.ts'

export const EVENTS_KEPT = 2000
export const BODY_BYTES_KEPT = 8 * 1024 * 1024
/** A larger body is not kept, only its size. */
export const BODY_BYTES_MAX = 64 * 1024

export interface Seen {
  readonly serial: string
  readonly time: Date
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly account: string | undefined
  readonly status: number
  readonly durationMs: number
  /** Rows changed, by table. */
  readonly changes: Changes
  readonly body: Buffer | string | undefined
  readonly answer: Buffer | string | undefined
}

export interface Kept extends Seen {
  /** Counts up; what an event stream goes on from. */
  readonly number: number
}

/** Rows were changed, by a request or by a job. */
export interface Change {
  readonly time: Date
  readonly source: { readonly serial: string } | { readonly job: string; readonly summary: string }
  readonly changes: Changes
}

export type Event =
  | { readonly kind: 'request'; readonly number: number; readonly request: Kept }
  | { readonly kind: 'change'; readonly number: number; readonly change: Change }
