/** What the owner of a gateway is told when the month's quota is passed. */
import { Conflict } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { MailLanguage } from '../../kernel/mail-address.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { GatewayId } from './rules.ts'
import { BYTES_PER_MB } from './traffic-rules.ts'

export interface Notice {
  readonly id: number
  readonly accountId: AccountId
  readonly gatewayId: GatewayId
  readonly gatewayName: string
  readonly channel: 'email' | 'chat'
  /** The address that mail goes to; of a chat address the host alone, since the rest is the owner's secret. */
  readonly target: string | undefined
  readonly month: string
  readonly quotaMb: number
  readonly usedBytes: number
  /** The language of a mail that is sent. */
  readonly language?: MailLanguage | undefined
  /** The Message-ID of a mail that is sent, the same for every attempt. */
  readonly messageId?: string | undefined
  /** `kept` is what nothing sends, `failed` a dead letter (docs/gateways.md). */
  readonly status: 'kept' | 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  /** Why the last attempt failed, for people. */
  readonly reason?: string | undefined
  readonly createdAt: Date
  readonly doneAt: Date | undefined
}

export type NoticeDraft = Pick<
  Notice,
  'accountId' | 'gatewayId' | 'gatewayName' | 'month' | 'quotaMb' | 'usedBytes'
>

export const CHAT_ATTEMPTS_MAX = 6
const FIRST_WAIT_SECONDS = 10

/** Twice as long each time; undefined when it has been tried often enough. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  if (attempts >= CHAT_ATTEMPTS_MAX) return undefined
  return secondsAfter(now, FIRST_WAIT_SECONDS * 2 ** (attempts - 1))
}

/** A mail server that is down over a night, or that wants mail again later, is waited for: a day in all. */
export const MAIL_ATTEMPTS_MAX = 30
const FIRST_MAIL_WAIT_SECONDS = 30
const MAIL_WAIT_SECONDS_MAX = 3600

/** The same for mail, which is tried longer and never more than an hour apart. */
export function nextMailAttempt(attempts: number, now: Date): Date | undefined {
  if (attempts >= MAIL_ATTEMPTS_MAX) return undefined
  const wait = FIRST_MAIL_WAIT_SECONDS * 2 ** (attempts - 1)
  return secondsAfter(now, Math.min(wait, MAIL_WAIT_SECONDS_MAX))
}

/** A mail that has failed or was kept can be sent; what was sent is not sent twice. */
export function checkResend({ id, channel, status }: Notice, sendsMail: boolean): void {
  if (channel !== 'email') {
    throw new Conflict(`Notice ${id} is no mail.`, `通知 ${id} はメールではありません。`)
  }
  if (status === 'sent' || status === 'waiting') {
    throw new Conflict(
      `Notice ${id} is ${status} already.`,
      `通知 ${id} は${status === 'sent' ? '送信済み' : '送信待ち'}です。`,
    )
  }
  if (!sendsMail) {
    throw new Conflict(
      'There is no mail server; start with --smtp-url and --mail-from.',
      'メールサーバーが設定されていません（--smtp-url と --mail-from）。',
    )
  }
}

export function noticeText({ gatewayId, gatewayName, month, quotaMb, usedBytes }: NoticeDraft) {
  const used = Math.floor(usedBytes / BYTES_PER_MB)
  const name = gatewayName === '' ? gatewayId : `${gatewayName} (${gatewayId})`
  return `Mobile gateway ${name} has passed its traffic quota of ${quotaMb} MB: ${used} MB in ${month.slice(0, 4)}-${month.slice(4)}.`
}
