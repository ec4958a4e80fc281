/** What has come of a request to an origin, for each client that waits for it. */
import type { StoredObject } from '../cache/object.ts'
import type { OriginFailure } from '../origin/failure.ts'
import type { Fields } from '../policy/fields.ts'
import type { Freshness } from '../policy/freshness.ts'
import type { FileBody } from './file-body.ts'
import type { StreamBody } from './stream-body.ts'

/** Why a response that came too late is not stored. */
export const PURGED = 'purged'

export type Outcome =
  /** The stored object holds: it was validated, or may be used in the place of an error. */
  | { readonly type: 'object'; readonly object: StoredObject; readonly originStatus: number }
  | { readonly type: 'stream'; readonly stream: FillStream }
  | { readonly type: 'failed'; readonly failure: OriginFailure }

export interface FillStream {
  readonly status: number
  /** With the origin's Age. */
  readonly fields: Fields
  readonly body: StreamBody | FileBody
  /** Undefined when it is not stored. */
  readonly selection: { readonly vary: readonly string[]; readonly variant: string } | undefined
  /** Why it is not stored. */
  readonly reason: string | undefined
  readonly freshness: Freshness
}

export interface Waiter {
  outcome(outcome: Outcome): void
}
