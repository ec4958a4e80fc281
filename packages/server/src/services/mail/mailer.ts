/** The port to whatever sends mail. Without it no mail is sent, and notices are kept (docs/gateways.md). */
import type { Mailbox, MailLanguage } from '../../kernel/mail-address.ts'
import { type Random, randomHex } from '../../kernel/random.ts'

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mail extends MailContent {
  readonly to: string
  readonly language: MailLanguage
  /** The same for every attempt, so that whoever gets two copies knows them as one. */
  readonly messageId: string
}

/** `refused` when another attempt would change nothing; the reason is for people and holds no secret. */
export type SendResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'failed' | 'refused'; readonly reason: string }

export interface Mailer {
  /** The address of the server, without its secret. */
  readonly server: string
  readonly from: Mailbox
  /** Answers within `SEND_SECONDS_MAX`. */
  send(mail: Mail): Promise<SendResult>
  /** Connects and logs in, and sends nothing. */
  check(): Promise<SendResult>
}

export const SEND_SECONDS_MAX = 60

/** In the domain of the sender, as RFC 5322 advises. */
export function newMessageId(random: Random, { address }: Mailbox): string {
  return `<${randomHex(random, 32)}@${address.slice(address.lastIndexOf('@') + 1)}>`
}
