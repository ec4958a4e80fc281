import { NO_NUL, orNull } from '../../kernel/fields.ts'
import { type Static, Type } from '../../kernel/type.ts'

export const ALLOWED_ADDRESSES_MAX = 32
export const NOTE_LENGTH_MAX = 255

/** The longest address, with the longest prefix. */
const ADDRESS_LENGTH_MAX = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128'.length
const DATETIME_LENGTH_MAX = 64

/** What is left out stays: a world that is applied again must not open a key that the operator has limited. */
export const keyLimitFields = {
  expires_at: orNull(Type.String({ maxLength: DATETIME_LENGTH_MAX })),
  allowed_addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: ADDRESS_LENGTH_MAX }), { maxItems: ALLOWED_ADDRESSES_MAX }),
  ),
  note: Type.Optional(Type.String({ maxLength: NOTE_LENGTH_MAX, pattern: NO_NUL })),
}

const Sent = Type.Object(keyLimitFields)
export type SentLimits = Static<typeof Sent>
