/** The audit trail, for the operator and for an account: ours, beyond the interface. */
import type { Readable } from 'node:stream'
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const Target = Type.Record(Type.String(), Type.String())
const broken = 'a time is no datetime, or the place to read on from is not in the trail'

const Word = Type.Optional(Type.String({ maxLength: 64, pattern: '^[\\w.-]+$' }))
const Time = Type.Optional(Type.String({ maxLength: 64 }))
/** Of the last entry of the page before. */
const Before = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

export const auditContract = defineContract({
  auditList: {
    method: 'GET',
    path: '/audit',
    summary: 'List who changed what, newest first',
    access: 'operator',
    query: Type.Object({
      ...{ account: Word, operation: Word, serial: Word },
      ...{ since: Time, until: Time, before: Before },
    }),
    reply: Type.Object({
      entries: Type.Array(
        Type.Object({
          id: Type.Integer(),
          /** Null until it is chained. */
          number: orNull(Type.Integer()),
          time: Type.String(),
          caller: Type.String(),
          account: orNull(Type.String()),
          address: Type.String(),
          client: orNull(Type.String()),
          operation: Type.String(),
          target: Target,
          status: Type.Integer(),
          code: orNull(Type.String()),
          serial: Type.String(),
        }),
      ),
      /** Give it as `before` to read on; null at the end. */
      next: orNull(Type.Integer()),
    }),
    refuses: { bad_request: broken },
  },
  auditExport: {
    method: 'GET',
    path: '/audit.jsonl',
    summary:
      'Export the chained entries as JSON lines, oldest first; `after` goes on after a number',
    access: 'operator',
    query: Type.Object({
      account: Word,
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    media: 'application/x-ndjson',
    reply: Type.Unsafe<Readable>({ type: 'string' }),
    refuses: { bad_request: '`after` is not the number of an entry' },
  },
  auditVerify: {
    method: 'GET',
    path: '/audit/verify',
    summary: 'Check that no entry of the audit trail is missing or was changed',
    access: 'operator',
    reply: Type.Object({
      ok: Type.Boolean(),
      /** The first that is missing or was changed; what follows it was not checked. */
      problem: orNull(
        Type.Object({ number: Type.Integer(), kind: Type.Enum(['missing', 'changed']) }),
      ),
      checked: Type.Integer(),
      /** The numbers up to this one were deleted when they were old enough. */
      deleted: Type.Integer(),
      last: Type.Object({ number: Type.Integer(), hash: Type.String() }),
      /** Entries that are not chained yet. */
      waiting: Type.Integer(),
    }),
    refuses: {},
  },
})

export const ownAuditContract = defineContract({
  ownAuditList: {
    method: 'GET',
    path: '/audit',
    summary: 'List who changed what in your account, newest first',
    access: 'view',
    plainQuery: true,
    query: Type.Object({
      ...{ Operation: Word, Serial: Word, Since: Time, Until: Time, Before },
    }),
    reply: Type.Object({
      AuditEntries: Type.Array(
        Type.Object({
          ID: Type.Integer(),
          Time: Type.String(),
          Caller: Type.String(),
          /** Null for what the operator did. */
          Address: orNull(Type.String()),
          Client: orNull(Type.String()),
          Operation: Type.String(),
          Target,
          Status: Type.Integer(),
          Code: orNull(Type.String()),
          Serial: Type.String(),
        }),
      ),
      Next: orNull(Type.Integer()),
    }),
    refuses: { bad_request: broken },
  },
})
