/** Things that go wrong on purpose, by the name of the operation that they happen to. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { FAULT_CODES, LATENCY_MAX_MS } from './fault-rules.ts'

const closed = { additionalProperties: false }

export const Effect = Type.Union([
  Type.Object(
    {
      status: Type.Enum([...FAULT_CODES.keys()]),
      retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    },
    closed,
  ),
  Type.Object({ latency_ms: Type.Integer({ minimum: 1, maximum: LATENCY_MAX_MS }) }, closed),
  Type.Object({ reset: Type.Literal(true) }, closed),
  Type.Object({ truncate_bytes: Type.Integer({ minimum: 0 }) }, closed),
])

export const Phase = Type.Enum(['before', 'after'])

const plan = {
  operation: Type.String(),
  account: Type.Optional(Type.String()),
  nth: Type.Optional(Type.Integer({ minimum: 1 })),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  from: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  phase: Type.Optional(Phase),
  effect: Effect,
}

const Fault = Type.Object({ id: Type.String(), ...plan, hits: Type.Integer() })
const FaultPath = Type.Object({ id: Type.String() })

const missing = { not_found: 'there is no such fault' }
const operating = 'the server is in operate mode, where answers are real'

export const faultContract = defineContract({
  faultList: {
    method: 'GET',
    path: '/faults',
    summary: 'List the faults that are armed, and how often each has struck',
    access: 'operator',
    reply: Type.Object({ faults: Type.Array(Fault) }),
    refuses: {},
  },
  faultAdd: {
    method: 'POST',
    path: '/faults',
    summary: 'Arm a fault',
    access: 'operator',
    body: Type.Object(plan, closed),
    status: 201,
    reply: Type.Object({ fault: Fault }),
    refuses: {
      bad_request:
        'the operation is not known or the operator’s, there is no such account, or a field breaks its rule',
      forbidden: operating,
    },
  },
  faultRead: {
    method: 'GET',
    path: '/faults/{id}',
    summary: 'Read a fault',
    access: 'operator',
    params: FaultPath,
    reply: Type.Object({ fault: Fault }),
    refuses: missing,
  },
  faultDelete: {
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Disarm a fault',
    access: 'operator',
    params: FaultPath,
    reply: Type.Object({}),
    refuses: missing,
  },
  faultClear: {
    method: 'DELETE',
    path: '/faults',
    summary: 'Disarm all faults',
    access: 'operator',
    reply: Type.Object({}),
    refuses: {},
  },
})
