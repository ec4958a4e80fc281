/**
 * The closed family of refusals: one class per code that a client can tell apart. They know no
 * HTTP; `http/failure.ts` maps them once. Each carries its text in both languages, so that a
 * message without its translation does not compile.
 */

/** One sentence or more in each of the two languages that the server speaks. */
export interface Text {
  readonly en: string
  readonly ja: string
}

export type Language = keyof Text

export type RefusalCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'still_creating'
  | 'original_hash_mismatch'
  | 'server_power_must_be_down'
  | 'request_timeout'
  | 'request_too_large'
  | 'expectation_failed'
  | 'too_many_request'
  | 'internal_server_error'
  | 'service_unavailable'

export abstract class Refusal extends Error {
  abstract readonly code: RefusalCode
  readonly text: Text
  /** What was written before it stays, such as the count of wrong tries that led to it. */
  readonly keepsWrites: boolean
  /** The first line of the message, where that of the code would mislead. */
  readonly headline: Text | undefined

  constructor(
    en: string,
    ja: string,
    options?: { readonly cause?: unknown; readonly keepsWrites?: true; readonly headline?: Text },
  ) {
    super(en, options)
    this.name = new.target.name
    this.text = { en, ja }
    this.keepsWrites = options?.keepsWrites ?? false
    this.headline = options?.headline
  }
}

/** Done, whatever failed afterwards. Not a 503, which says that nothing was done. */
export class NotRecorded extends Refusal {
  readonly code = 'internal_server_error'

  constructor(cause: unknown) {
    super(
      'The change was made, but its entry in the audit trail could not be written. Do not repeat it.',
      '変更は行われましたが、監査証跡に記録できませんでした。再実行しないでください。',
      { cause },
    )
  }
}

/** The request cannot be understood, or a value breaks a rule that does not depend on state. */
export class BadRequest extends Refusal {
  readonly code = 'bad_request'
}

/** No credentials, or wrong ones. */
export class Unauthorized extends Refusal {
  readonly code = 'unauthorized'
}

/** Known caller, but its key may not do this. */
export class Forbidden extends Refusal {
  readonly code = 'forbidden'
}

/** The thing does not exist, or not for this caller. */
export class NotFound extends Refusal {
  readonly code = 'not_found'
}

/** The state of the thing forbids it. */
export class Conflict extends Refusal {
  readonly code = 'conflict'
}

/** The gateway is still being made. */
export class StillCreating extends Refusal {
  readonly code = 'still_creating'
}

/** The caller changes settings that have changed since it read them. */
export class HashMismatch extends Refusal {
  readonly code = 'original_hash_mismatch'
}

/** The gateway must be turned off before. */
export class PowerMustBeDown extends Refusal {
  readonly code = 'server_power_must_be_down'
}

/** A limit on the number of calls; tells when the next one may succeed. */
export class TooManyRequests extends Refusal {
  readonly code = 'too_many_request'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number, en: string, ja: string) {
    super(en, ja)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** More than may be sent at once. */
export class TooLarge extends Refusal {
  readonly code = 'request_too_large'
}

/** The server cannot answer now; the same call may succeed later. */
export class Unavailable extends Refusal {
  readonly code = 'service_unavailable'
}

/** The server cannot start: a sentence for the person who starts it. */
export class StartError extends Error {}
