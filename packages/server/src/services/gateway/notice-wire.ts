import { utcMicros } from '../../kernel/datetime.ts'
import { type Notice, noticeText } from './notice-rules.ts'

export function noticeToWire(notice: Notice) {
  return {
    id: notice.id,
    account_id: notice.accountId,
    gateway_id: notice.gatewayId,
    channel: notice.channel,
    target: notice.target ?? null,
    text: noticeText(notice),
    language: notice.language ?? null,
    message_id: notice.messageId ?? null,
    status: notice.status,
    attempts: notice.attempts,
    reason: notice.reason ?? null,
    created_at: utcMicros(notice.createdAt),
    done_at: notice.doneAt === undefined ? null : utcMicros(notice.doneAt),
  }
}
