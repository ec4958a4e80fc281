/** Figures of all SIMs of an account, for the operator: ours, not the interface's. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { DEVICE_EVENTS } from './log-rules.ts'

const AccountPath = Type.Object({ code: Type.String() })
const noAccount = 'there is no such account'
const Time = Type.String()

export const accountFiguresContract = defineContract({
  accountTrafficRead: {
    method: 'GET',
    path: '/accounts/{code}/traffic',
    summary: 'Read the traffic of all SIMs of an account: a day by five minutes, or 30 days by day',
    access: 'operator',
    params: AccountPath,
    query: Type.Object({ span: Type.Optional(Type.Enum(['day', 'month'])) }),
    reply: Type.Object({
      from: Time,
      to: Time,
      /** When the step began that is not over; the traffic in it is what was counted so far. */
      running_since: Time,
      step_seconds: Type.Integer(),
      steps: Type.Array(
        Type.Object({
          time: Time,
          uplink_bytes: Type.Integer(),
          downlink_bytes: Type.Integer(),
        }),
      ),
    }),
    refuses: { bad_request: 'the span is neither day nor month', not_found: noAccount },
  },
  accountEventList: {
    method: 'GET',
    path: '/accounts/{code}/events',
    summary: 'List what the devices of an account did lately, newest first',
    access: 'operator',
    params: AccountPath,
    reply: Type.Object({
      events: Type.Array(
        Type.Object({
          time: Time,
          event: Type.Enum([...DEVICE_EVENTS]),
          resource_id: Type.String(),
          name: Type.String(),
          iccid: Type.String(),
          reason: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    }),
    refuses: { not_found: noAccount },
  },
})
