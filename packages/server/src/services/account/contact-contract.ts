/** The contact of an account, as world files and the operator API have it. */
import { MailAddress } from '../../kernel/fields.ts'
import { MAIL_LANGUAGES } from '../../kernel/mail-address.ts'
import { Type } from '../../kernel/type.ts'

export const ContactInput = Type.Object(
  { email: MailAddress, language: Type.Optional(Type.Enum([...MAIL_LANGUAGES])) },
  { additionalProperties: false },
)
