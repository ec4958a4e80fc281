/** Tells the owner of a gateway, once a month, that its quota is passed (docs/gateways.md). */
import { japanMonth } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Contact } from '../../kernel/mail-address.ts'
import type { Tx } from '../../storage/database.ts'
import { Outbox } from '../../storage/outbox.ts'
import { AccountStore } from '../account/public.ts'
import { type Notice, type NoticeDraft, noticeText } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { PartsStore } from './parts-store.ts'
import type { Gateway } from './rules.ts'
import { isQuotaPassed, type Traffic, type TrafficControl } from './traffic-rules.ts'

/** The outbox topics of chat messages and mails, and the jobs that send them. */
export const CHAT = 'gateway-chat'
export const MAIL = 'gateway-mail'

export interface ChatMessage {
  readonly noticeId: number
  readonly url: string
  readonly text: string
}

/** All else of a mail is in the notice. */
export interface MailMessage {
  readonly noticeId: number
}

/** How owners are told. */
export interface Notifier {
  readonly wake: Wake
  /** The Message-ID of another mail; undefined where no mail is sent. */
  readonly newMessageId?: (() => string) | undefined
}

/** Writes what is to be told in the transaction that counts the bytes; whoever is first tells it. */
export async function tellIfPassed(
  tx: Tx,
  gateway: Gateway,
  control: TrafficControl,
  traffic: Traffic,
  now: Date,
  notifier: Notifier,
): Promise<void> {
  if (!isQuotaPassed(control, traffic)) return
  const month = japanMonth(now)
  if (!(await new PartsStore(tx, gateway.id).markNoticed(month))) return
  // The quota was raised and is back where it was: that it is passed is no news.
  if (await new NoticeStore(tx).wasSent(gateway.id, month, control.quotaMb)) return
  const draft: NoticeDraft = {
    accountId: gateway.accountId,
    gatewayId: gateway.id,
    gatewayName: gateway.name,
    month,
    quotaMb: control.quotaMb,
    usedBytes: traffic.uplinkBytes + traffic.downlinkBytes,
  }
  if (control.emailEnabled) {
    const notice = await insert(tx, draft, { channel: 'email', target: undefined }, now)
    const account = await new AccountStore(tx).findById(gateway.accountId)
    if (account?.contact !== undefined) await queueMail(tx, notice, account.contact, now, notifier)
  }
  if (!control.chatEnabled) return
  const target = URL.parse(control.chatUrl)?.host
  const { id } = await insert(tx, draft, { channel: 'chat', target }, now)
  const message: ChatMessage = { noticeId: id, url: control.chatUrl, text: noticeText(draft) }
  await new Outbox<ChatMessage>(tx, CHAT).put(message, now)
  tx.afterCommit(() => notifier.wake(CHAT))
}

/** Puts a mail into the outbox; without a mail server the notice stays as it is. */
export async function queueMail(
  tx: Tx,
  notice: Notice,
  contact: Contact,
  now: Date,
  { wake, newMessageId }: Notifier,
): Promise<Notice> {
  if (newMessageId === undefined) return notice
  const waiting: Notice = {
    ...notice,
    target: contact.email,
    language: contact.language,
    messageId: notice.messageId ?? newMessageId(),
    ...{ status: 'waiting', attempts: 0, reason: undefined, doneAt: undefined },
  }
  await new NoticeStore(tx).update(waiting)
  await new Outbox<MailMessage>(tx, MAIL).put({ noticeId: notice.id }, now)
  tx.afterCommit(() => wake(MAIL))
  return waiting
}

async function insert(
  tx: Tx,
  draft: NoticeDraft,
  { channel, target }: Pick<Notice, 'channel' | 'target'>,
  now: Date,
): Promise<Notice> {
  const notice: Notice = {
    ...draft,
    id: await tx.next('outbox'),
    ...{ channel, target, status: channel === 'email' ? 'kept' : 'waiting' },
    ...{ attempts: 0, createdAt: now, doneAt: undefined },
  }
  await new NoticeStore(tx).insert(notice)
  return notice
}
