/** What gateways report of messages: signed as webhooks, or by Kannel at an address that is signed itself. */
import { defineContract } from '../../kernel/contract.ts'
import { Secret } from '../../kernel/fields.ts'
import type { RawAnswer } from '../../kernel/raw-answer.ts'
import { Type } from '../../kernel/type.ts'
import {
  KANNEL_REPORT_PATTERN,
  REFERENCE_LENGTH_MAX,
  REPORT_BYTES_MAX,
  REPORT_ID_LENGTH_MAX,
} from './report-rules.ts'
import { STATUSES } from './rules.ts'

const name = Type.Optional(
  Type.String({ minLength: 1, maxLength: REFERENCE_LENGTH_MAX, pattern: '^[^\\u0000]*$' }),
)

export const ReportBody = Type.Object({
  /** One of the two, or both. */
  reference: name,
  messageId: name,
  status: Type.Enum(STATUSES.filter((status) => status !== 'Accepted')),
  at: Type.String({ maxLength: 64 }),
})

export const smsReportContract = defineContract({
  smsReportReceive: {
    method: 'POST',
    path: '/reports',
    summary: 'Report what became of a short message, as the gateway that carries it',
    access: 'token',
    body: ReportBody,
    bytesBody: true,
    status: 204,
    media: 'text/plain',
    reply: Type.Unsafe<RawAnswer>({ type: 'string' }),
    refuses: {
      bad_request: 'the report is broken, or names no message',
      unauthorized: 'the signature is missing, wrong or older than five minutes',
      not_found: 'there is no such message',
      request_too_large: `the report has more than ${REPORT_BYTES_MAX / 1024} KiB`,
    },
  },
})

export const kannelReportContract = defineContract({
  kannelReportReceive: {
    method: 'GET',
    path: '/kannel/{token}',
    summary: 'Take a delivery report of Kannel',
    access: 'token',
    params: Type.Object({ token: Secret({ maxLength: 255 }) }),
    query: Type.Object({
      report: Type.String({ pattern: KANNEL_REPORT_PATTERN, maxLength: REPORT_ID_LENGTH_MAX }),
    }),
    reply: Type.Object({}),
    refuses: {
      bad_request: 'the report is none of Kannel',
      unauthorized: 'the address was not given out here',
      not_found: 'the message is gone',
    },
  },
})
