/** What is kept of requests and of the changes of state, and how much of them. */
import type { Changes } from '../../kernel/changes.ts'
import type { Operation } from '../../kernel/contract.ts'

export const BODY_BYTES_KEPT = 8 * 1024 * 1024
/** A larger body is not kept, only its size. */
export const BODY_BYTES_MAX = 64 * 1024

export interface Seen {
  readonly serial: string
  readonly time: Date
  readonly method: string
  /** As it came, with its secrets, as the bodies are; they are hidden when somebody looks. */
  readonly path: string
  readonly operation: string
  /** What was promised of bodies; undefined when no operation was found. */
  readonly contract: Operation | undefined
  readonly account: string | undefined
  /** What the client calls itself. */
  readonly client: string | undefined
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

/** Gives what may be shown of a request, without its secrets. */
export interface Hides {
  path(entry: Kept): string
  sent(entry: Kept): unknown
  answered(entry: Kept): unknown
  bodySchema(entry: Kept): unknown
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
