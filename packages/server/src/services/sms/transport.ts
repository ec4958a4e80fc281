/**
 * The port to whatever carries messages: the embedded network, or a connection to a real one. It is
 * shaped after SMPP: a message is submitted and the answer names it by the network's own reference; the
 * report about it comes later, or even before that answer (docs/adr/0024-outbox.md).
 */
import type { Encoding } from './encoding-rules.ts'
import type { ReportStatus } from './report-rules.ts'
import type { MessageId, TransportName } from './rules.ts'

export interface Submission {
  readonly messageId: MessageId
  readonly destination: string
  /** Part of the text; no address that a network could show. */
  readonly sender: string
  readonly text: string
  readonly encoding: Encoding
  readonly segments: number
  /** How often the network has sent this message back before. */
  readonly retryCount: number
  /** The network must not deliver it after this time. */
  readonly validUntil: Date
}

export type SubmitAnswer =
  | { readonly answer: 'accepted'; readonly reference: string }
  /** Not taken now; tried again then, or later and later when the network does not say. */
  | { readonly answer: 'throttled'; readonly retryAfterSeconds?: number }
  /** Not taken and never will be. */
  | { readonly answer: 'refused' }

/** About a message, by the network's name for it or by ours. */
export type Report = { readonly outcome: ReportStatus; readonly at: Date } & (
  | { readonly reference: string }
  | { readonly messageId: string; readonly reference?: string }
) & {
    /** The network's name for the report itself: the same one again is no second report. */
    readonly reportId?: string
  }

/** Whether messages could be submitted now, found out without sending one. */
export interface TransportCheck {
  readonly state: 'ready' | 'unreachable' | 'unauthorized' | 'unexpected'
  /** For people; no secret is in it. */
  readonly detail: string
}

export interface Transport {
  readonly name: TransportName
  /** Where it submits to; undefined inside the machine. */
  readonly address: string | undefined
  /** Limits apply to what leaves the machine. */
  readonly leavesMachine: boolean
  /**
   * Whether a message that is submitted a second time is known by its messageId and not sent again.
   * Without it, a submit whose answer was lost is not repeated.
   */
  readonly recognisesRepeats: boolean
  /** Answers within CLAIM_SECONDS, or throws when it cannot know what became of the message. */
  submit(message: Submission, now: Date): Promise<SubmitAnswer>
  /** Sends no message and changes nothing. */
  check(): Promise<TransportCheck>
}
