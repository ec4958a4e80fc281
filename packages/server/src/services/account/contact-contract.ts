/** The contact of an account, as world files and the operator API have it. */
import {
  MAIL_ADDRESS_LENGTH_MAX,
  MAIL_ADDRESS_PATTERN,
  MAIL_LANGUAGES,
} from '../../kernel/mail-address.ts'
import { Type } from '../../kernel/type.ts'

export const ContactInput = Type.Object(
  {
    email: Type.String({ maxLength: MAIL_ADDRESS_LENGTH_MAX, pattern: MAIL_ADDRESS_PATTERN }),
    language: Type.Optional(Type.Enum([...MAIL_LANGUAGES])),
  },
  { additionalProperties: false },
)
