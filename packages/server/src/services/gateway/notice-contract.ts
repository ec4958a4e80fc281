/** What the operator sees of the notices to owners of gateways. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

const orNothing = (schema: Parameters<typeof Type.Optional>[0]) => Type.Union([schema, Type.Null()])

export const noticeContract = defineContract({
  noticeList: {
    method: 'GET',
    path: '/outbox/notices',
    summary: 'List what owners of gateways were told, or are to be told, newest first',
    access: 'operator',
    query: 'search',
    reply: Type.Object({
      notices: Type.Array(
        Type.Object({
          id: Type.Integer(),
          account_id: Type.String(),
          gateway_id: Type.String(),
          channel: Type.Enum(['email', 'chat']),
          target: orNothing(Type.String()),
          text: Type.String(),
          status: Type.Enum(['kept', 'waiting', 'sent', 'failed']),
          attempts: Type.Integer(),
          created_at: Type.String(),
          done_at: orNothing(Type.String()),
        }),
      ),
    }),
    refuses: { bad_request: 'the search object is broken' },
  },
})
