/** Tells the owner of a gateway, once a month, that its quota is passed (docs/gateways.md). */
import { japanMonth } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { Outbox } from '../../storage/outbox.ts'
import { type Notice, type NoticeDraft, noticeText } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { PartsStore } from './parts-store.ts'
import type { Gateway } from './rules.ts'
import { isQuotaPassed, type Traffic, type TrafficControl } from './traffic-rules.ts'

/** The outbox topic of chat messages, and the job that sends them. */
export const CHAT = 'gateway-chat'

export interface ChatMessage {
  readonly noticeId: number
  readonly url: string
  readonly text: string
}

/** Writes what is to be told in the transaction that counts the bytes; whoever is first tells it. */
export async function tellIfPassed(
  tx: Tx,
  gateway: Gateway,
  control: TrafficControl,
  traffic: Traffic,
  now: Date,
  wake: Wake,
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
  if (control.emailEnabled) await insert(tx, draft, 'email', undefined, now)
  if (!control.chatEnabled) return
  const noticeId = await insert(tx, draft, 'chat', URL.parse(control.chatUrl)?.host, now)
  const message: ChatMessage = { noticeId, url: control.chatUrl, text: noticeText(draft) }
  await new Outbox<ChatMessage>(tx, CHAT).put(message, now)
  tx.afterCommit(() => wake(CHAT))
}

async function insert(
  tx: Tx,
  draft: NoticeDraft,
  channel: Notice['channel'],
  target: string | undefined,
  now: Date,
): Promise<number> {
  const id = await tx.next('outbox')
  await new NoticeStore(tx).insert({
    ...draft,
    id,
    channel,
    target,
    status: channel === 'email' ? 'kept' : 'waiting',
    attempts: 0,
    createdAt: now,
    doneAt: undefined,
  })
  return id
}
