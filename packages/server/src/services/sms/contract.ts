import { defineContract } from '../../kernel/contract.ts'
import { Secret } from '../../kernel/fields.ts'
import { ID_PATTERN } from '../../kernel/ids.ts'
import { Type } from '../../kernel/type.ts'
import { DESTINATION_PATTERN, LOG_COUNT_DEFAULT, OTP_PATTERN, SENDER_PATTERN } from './rules.ts'
import { HOST_LENGTH_MAX } from './text-rules.ts'

const SmsPath = Type.Object({ sms_id: Type.String({ pattern: ID_PATTERN }) })

const addressed = {
  destination: Type.String({ pattern: DESTINATION_PATTERN }),
  sender: Type.String({ pattern: SENDER_PATTERN }),
  /** Some clients send an empty one for none. */
  domain_name: Type.Optional(
    Type.Union([Type.String({ maxLength: HOST_LENGTH_MAX }), Type.Null()]),
  ),
}

const Sent = Type.Object({
  ESME: Type.Object({ messageId: Type.String(), otp: Secret(), status: Type.String() }),
})

const LogEntry = Type.Object({
  messageId: Type.String(),
  status: Type.String(),
  otp: Secret(),
  destination: Type.String(),
  sentAt: Type.String(),
  doneAt: Type.Union([Type.String(), Type.Null()]),
  retryCount: Type.Integer(),
})

const noItem = 'there is no such short message service'

const send = {
  method: 'PUT',
  access: 'create',
  params: SmsPath,
  reply: Sent,
  refuses: {
    bad_request: 'a field breaks its rule, or the operation does not fit the path',
    not_found: noItem,
    too_many_request:
      'the quota messages_per_day of the account is used up; or messages leave the machine, and a limit on them is reached',
  },
} as const

export const smsContract = defineContract({
  smsSendGenerated: {
    ...send,
    path: '/commonserviceitem/{sms_id}/esme/2fa/otp',
    summary: 'Send a one-time password that the service makes',
    body: Type.Object({
      ESME: Type.Object({ ...addressed, otpOperation: Type.Enum(['generate']) }),
    }),
  },
  smsSendGiven: {
    ...send,
    path: '/commonserviceitem/{sms_id}/esme/2fa',
    summary: 'Send a one-time password that the caller gives',
    body: Type.Object({
      ESME: Type.Object({
        ...addressed,
        otpOperation: Type.Enum(['input']),
        otp: Secret({ pattern: OTP_PATTERN }),
      }),
    }),
  },
  smsLogList: {
    method: 'GET',
    path: '/commonserviceitem/{sms_id}/esme/logs',
    summary: 'List the messages that were sent, newest first',
    access: 'view',
    params: SmsPath,
    query: 'search',
    defaultCount: LOG_COUNT_DEFAULT,
    reply: Type.Object({
      ESME: Type.Object({ logs: Type.Array(Type.Partial(LogEntry)), Count: Type.Integer() }),
    }),
    refuses: {
      bad_request: 'the search object is broken or names an unknown field',
      not_found: noItem,
    },
  },
})
