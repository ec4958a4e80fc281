/** What the operator sees of requests to network elements. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { KINDS, STATES } from './rules.ts'

const orNothing = (schema: Parameters<typeof Type.Optional>[0]) => Type.Union([schema, Type.Null()])

const Request = Type.Object({
  id: Type.Integer(),
  element: Type.String(),
  kind: Type.Enum([...KINDS]),
  cause: Type.String(),
  resource_id: Type.String(),
  session_id: Type.Integer(),
  acct_session_id: Type.String(),
  imsi: Type.String(),
  ip: Type.String(),
  bits_per_second: orNothing(Type.Integer()),
  state: Type.Enum([...STATES]),
  error_cause: orNothing(Type.String()),
  reason: orNothing(Type.String()),
  attempts: Type.Integer(),
  created_at: Type.String(),
  answered_at: orNothing(Type.String()),
})

const found = Type.Object({
  From: Type.Integer(),
  Count: Type.Integer(),
  Total: Type.Integer(),
  requests: Type.Array(Request),
})

export const elementRequestContract = defineContract({
  elementRequestList: {
    method: 'GET',
    path: '/element-requests',
    summary:
      'List Disconnect and CoA requests to network elements with what these answered, newest first',
    access: 'operator',
    query: 'search',
    reply: found,
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  elementRequestCheck: {
    method: 'POST',
    path: '/element-requests/check',
    summary: 'See whether requests can be sent to network elements, and how many wait',
    access: 'operator',
    reply: Type.Object({ ok: Type.Boolean(), detail: Type.String(), waiting: Type.Integer() }),
    refuses: {},
  },
})
