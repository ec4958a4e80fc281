/** What the operator sees of the mail server. */
import { defineContract } from '../../kernel/contract.ts'
import { MailAddress } from '../../kernel/fields.ts'
import { MAIL_LANGUAGES } from '../../kernel/mail-address.ts'
import { Type } from '../../kernel/type.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const none = 'the server was started without --smtp-url'

export const mailContract = defineContract({
  mailRead: {
    method: 'GET',
    path: '/mail',
    summary: 'Read whether notices are sent by mail, and through which server',
    access: 'operator',
    reply: Type.Object({ enabled: Type.Boolean(), server: TextOrNull, from: TextOrNull }),
    refuses: {},
  },
  mailCheck: {
    method: 'POST',
    path: '/mail/check',
    summary: 'Connect to the mail server and log in, without sending anything',
    access: 'operator',
    reply: Type.Object({ ok: Type.Boolean(), server: Type.String(), reason: TextOrNull }),
    refuses: { conflict: none },
  },
  mailProbe: {
    method: 'POST',
    path: '/mail/probe',
    summary: 'Send a test mail',
    access: 'operator',
    body: Type.Object({
      to: MailAddress,
      language: Type.Optional(Type.Enum([...MAIL_LANGUAGES])),
    }),
    reply: Type.Object({
      ok: Type.Boolean(),
      server: Type.String(),
      message_id: Type.String(),
      reason: TextOrNull,
    }),
    refuses: { bad_request: 'the address breaks its rule', conflict: none },
  },
})
