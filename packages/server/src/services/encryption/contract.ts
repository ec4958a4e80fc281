/** The key-encryption keys, as the operator sees them: never the keys, only their ids. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

const Time = Type.Union([Type.String(), Type.Null()])

const Status = Type.Object({
  // The newest first; the one without an id is empty.
  ids: Type.Array(Type.String()),
  rotation: Type.Union([
    Type.Object({
      to: Type.String(),
      requested_at: Type.String(),
      finished_at: Time,
      resealed: Type.Integer(),
      failed: Type.Integer(),
    }),
    Type.Null(),
  ]),
  // Those under which no value is sealed any more.
  removable: Type.Array(Type.String()),
})

const Kind = Type.Object({
  kind: Type.String(),
  result: Type.Enum(['opened', 'empty', 'failed']),
  under: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
})

export const encryptionContract = defineContract({
  encryptionRead: {
    method: 'GET',
    path: '/encryption',
    summary: 'Read the ids of the key-encryption keys, and how far a rotation is',
    access: 'operator',
    reply: Status,
    refuses: {},
  },
  encryptionRotate: {
    method: 'POST',
    path: '/encryption/rotate',
    summary: 'Seal every stored secret again under the newest key, in the background',
    access: 'operator',
    reply: Status,
    refuses: {},
  },
  encryptionCheck: {
    method: 'GET',
    path: '/encryption/check',
    summary: 'Open one stored secret of each kind',
    access: 'operator',
    reply: Type.Object({ ok: Type.Boolean(), kinds: Type.Array(Kind) }),
    refuses: {},
  },
})
