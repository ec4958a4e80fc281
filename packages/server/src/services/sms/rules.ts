/** What a message is, how its status moves, and who may be written to. */
import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, Id, ItemId } from '../../kernel/ids.ts'
import type { Encoding } from './encoding-rules.ts'

export type MessageId = Id<'message'>

export const STATUSES = ['Accepted', 'Delivered', 'Failed'] as const
export type Status = (typeof STATUSES)[number]
/** What a network can report; there is no way back from either. */
export type Outcome = Exclude<Status, 'Accepted'>

export const TRANSPORTS = ['outbox', 'kannel', 'http'] as const
export type TransportName = (typeof TRANSPORTS)[number]

export interface Message {
  readonly id: MessageId
  /** Counts up with time, for the order of messages of one instant. */
  readonly serial: number
  readonly accountId: AccountId
  readonly itemId: ItemId
  readonly destination: string
  readonly encoding: Encoding
  readonly segments: number
  /** One-time password and text, sealed; undefined once the retention time is over. */
  readonly sealed: string | undefined
  readonly status: Status
  readonly transport: TransportName
  /** The network's name for it, once it has answered. */
  readonly reference: string | undefined
  /** It was submitted and the answer was lost: nobody knows whether the network has it. */
  readonly isUncertain: boolean
  readonly retryCount: number
  readonly sentAt: Date
  readonly doneAt: Date | undefined
  /** Without a report by then it has failed. */
  readonly expiresAt: Date
}

/** What a caller asks to be sent. */
export interface Draft {
  readonly destination: string
  readonly sender: string
  readonly otp: string
  /** The host of a Web OTP message, as it was given. */
  readonly domain: string | undefined
}

/** What is secret in a message: its text has the password in it. */
export interface Content {
  readonly otp: string
  readonly text: string
  readonly sender: string
}

export const MESSAGE_ID_DIGITS = 32
export const OTP_DIGITS = 6
export const OTP_LENGTH_MAX = 16
export const OTP_PATTERN = `^[0-9A-Za-z]{1,${OTP_LENGTH_MAX}}$`
export const SENDER_LENGTH_MAX = 64
/**
 * Without what could begin another line of a Web OTP message (docs/sms.md): `@`, `#`, control
 * characters, line and paragraph separators, marks that reorder the text, halves of a pair.
 */
export const SENDER_PATTERN = `^[^@#\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]{1,${SENDER_LENGTH_MAX}}$`
/** A country code never begins with 0 (E.164). */
export const DESTINATION_PATTERN = '^[1-9][0-9]{6,14}$'

/** No report within this time: Failed (docs/sms.md). */
export const VALIDITY_SECONDS = 600
export const LOG_COUNT_DEFAULT = 100

const LONGEST_RETRY_SECONDS = 60

/** How long to wait before a try is renewed, when the network does not say. */
export function retryDelaySeconds(retryCount: number): number {
  return Math.min(2 ** retryCount, LONGEST_RETRY_SECONDS)
}

/** Whether the network should still be handed this message. */
export function isWaiting(message: Message, now: Date): boolean {
  return message.status === 'Accepted' && now < message.expiresAt
}

/** Where the plan of a country is known, only its mobile numbers; else what E.164 allows. */
const MOBILE: Readonly<Record<string, RegExp>> = { 81: /^81[6-9]0[0-9]{8}$/ }
const SUBSCRIBER_DIGITS_MIN = 6

/** The strict policy (docs/sms.md): a possible mobile number of an allowed country. */
export function checkReachable(destination: string, countries: readonly string[]): void {
  const reachable = countries.some((country) => isMobile(destination, country))
  if (reachable) return
  const allowed = countries.join(', ')
  throw new BadRequest(
    `ESME.destination is no mobile number of an allowed country; allowed country codes: ${allowed}`,
    `ESME.destination は許可された国の携帯電話番号ではありません。許可された国番号: ${allowed}`,
  )
}

function isMobile(destination: string, country: string): boolean {
  if (!destination.startsWith(country)) return false
  const plan = MOBILE[country]
  return plan?.test(destination) ?? destination.length - country.length >= SUBSCRIBER_DIGITS_MIN
}
