/** The messages in the hands of the operator: what was sent, and its fate where the network is embedded. */
import { defineContract } from '../../kernel/contract.ts'
import { Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { REPORT_STATUSES } from './report-rules.ts'
import { LOG_COUNT_DEFAULT, TRANSPORTS } from './rules.ts'

const MessagePath = Type.Object({ message_id: Type.String() })

const OutboxMessage = Type.Object({
  messageId: Type.String(),
  destination: Type.String(),
  text: Secret(),
  segments: Type.Integer(),
  encoding: Type.String(),
  otp: Secret(),
  status: Type.String(),
  sentAt: Type.String(),
  doneAt: Type.Union([Type.String(), Type.Null()]),
  retryCount: Type.Integer(),
  /** What has carried it; the embedded network is `outbox`. */
  transport: Type.Enum([...TRANSPORTS]),
  /** Its name at the network; null until that has answered. */
  reference: Type.Union([Type.String(), Type.Null()]),
  /** The answer to its submit was lost: the network may have it or not, and it is not submitted again. */
  uncertain: Type.Boolean(),
  /** Of a real network, in the order of their coming. */
  reports: Type.Array(
    Type.Object({
      id: Type.String(),
      status: Type.Enum([...REPORT_STATUSES]),
      at: Type.String(),
      receivedAt: Type.String(),
    }),
  ),
})

const end = {
  method: 'POST',
  access: 'operator',
  params: MessagePath,
  reply: Type.Object({ message: OutboxMessage }),
  refuses: {
    not_found: 'there is no such message',
    conflict: 'it is delivered or failed already, or a real network decides that',
  },
} as const

export const smsOutboxContract = defineContract({
  smsOutboxList: {
    method: 'GET',
    path: '/outbox/sms',
    summary: 'List the short messages of all accounts, newest first',
    access: 'operator',
    query: 'search',
    defaultCount: LOG_COUNT_DEFAULT,
    reply: Type.Object({ messages: Type.Array(OutboxMessage) }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  smsTransportCheck: {
    method: 'GET',
    path: '/sms/transport',
    summary: 'Check what carries short messages, without sending one',
    access: 'operator',
    reply: Type.Object({
      transport: Type.Enum([...TRANSPORTS]),
      address: Type.Union([Type.String(), Type.Null()]),
      state: Type.Enum(['ready', 'unreachable', 'unauthorized', 'unexpected']),
      detail: Type.String(),
    }),
    refuses: {},
  },
  accountSmsRead: {
    method: 'GET',
    path: '/accounts/{code}/sms',
    summary: 'Count the short messages of an account in the last 30 days by what became of them',
    access: 'operator',
    params: Type.Object({ code: Type.String() }),
    reply: Type.Object({
      since: Type.String(),
      accepted: Type.Integer(),
      delivered: Type.Integer(),
      failed: Type.Integer(),
      /** False when there are more, of which the newest are counted. */
      complete: Type.Boolean(),
    }),
    refuses: { not_found: 'there is no such account' },
  },
  smsOutboxDeliver: {
    ...end,
    path: '/outbox/sms/{message_id}/deliver',
    summary: 'Report a short message as delivered',
  },
  smsOutboxFail: {
    ...end,
    path: '/outbox/sms/{message_id}/fail',
    summary: 'Report a short message as failed',
  },
})
