/** What the operator sees of the notices to owners of gateways. */
import { defineContract } from '../../kernel/contract.ts'
import { MAIL_LANGUAGES } from '../../kernel/mail-address.ts'
import { Type } from '../../kernel/type.ts'

const orNothing = (schema: Parameters<typeof Type.Optional>[0]) => Type.Union([schema, Type.Null()])

const Notice = Type.Object({
  id: Type.Integer(),
  account_id: Type.String(),
  gateway_id: Type.String(),
  channel: Type.Enum(['email', 'chat']),
  target: orNothing(Type.String()),
  text: Type.String(),
  language: orNothing(Type.Enum([...MAIL_LANGUAGES])),
  message_id: orNothing(Type.String()),
  status: Type.Enum(['kept', 'waiting', 'sent', 'failed']),
  attempts: Type.Integer(),
  reason: orNothing(Type.String()),
  created_at: Type.String(),
  done_at: orNothing(Type.String()),
})

export const noticeContract = defineContract({
  noticeList: {
    method: 'GET',
    path: '/outbox/notices',
    summary:
      'List what owners of gateways were told, or are to be told, newest first; dead letters by status failed',
    access: 'operator',
    query: 'search',
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      notices: Type.Array(Notice),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  noticeResend: {
    method: 'POST',
    path: '/outbox/notices/{notice_id}/resend',
    summary:
      'Send a notice by mail that has failed or was kept, to the present contact of the account',
    access: 'operator',
    params: Type.Object({ notice_id: Type.String({ pattern: '^[0-9]{1,15}$' }) }),
    reply: Type.Object({ notice: Notice }),
    refuses: {
      not_found: 'there is no such notice',
      conflict:
        'it is no mail, it is sent or waiting already, no mail is sent, or the account has no contact',
    },
  },
})
