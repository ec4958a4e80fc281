/** What is kept of a request, and how much of them. */

export const REQUESTS_KEPT = 1000
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
  readonly body: Buffer | undefined
  readonly answer: Buffer | undefined
}

export interface Kept extends Seen {
  /** Counts up; what an event stream goes on from. */
  readonly number: number
}
