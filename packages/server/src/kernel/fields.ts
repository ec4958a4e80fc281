/** The members that a caller may set on every kind of resource, with their limits. */
import { ID_PATTERN } from './ids.ts'
import { MAIL_ADDRESS_LENGTH_MAX, MAIL_ADDRESS_PATTERN } from './mail-address.ts'
import { type TObject, type TSchema, type TStringOptions, Type } from './type.ts'

export const NAME_LENGTH_MAX = 255
export const DESCRIPTION_LENGTH_MAX = 1000
export const TAGS_MAX = 64
export const TAG_LENGTH_MAX = 255

/** PostgreSQL cannot hold it, and no name needs it. */
export const NO_NUL = '^[^\\u0000]*$'

/** May be missing, and null is as good as missing or empties: clients send it for both. */
export const orNull = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/**
 * A text that whoever reads it could misuse: passwords, tokens, addresses that carry one. Forms obscure
 * fields of this type, and the view of requests hides them (docs/adr/0004-secret-type.md).
 */
export const Secret = (options: TStringOptions = {}) =>
  Type.String({ ...options, format: SECRET_FORMAT })

/** The name that OpenAPI has for it. */
export const SECRET_FORMAT = 'password'

export const MailAddress = Type.String({
  maxLength: MAIL_ADDRESS_LENGTH_MAX,
  pattern: MAIL_ADDRESS_PATTERN,
})

export const ResourceId = Type.String({ pattern: ID_PATTERN })

export const labelFields = {
  Name: orNull(Type.String({ maxLength: NAME_LENGTH_MAX, pattern: NO_NUL })),
  Description: orNull(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX, pattern: NO_NUL })),
  Tags: orNull(
    Type.Array(
      Type.String({
        minLength: 1,
        maxLength: TAG_LENGTH_MAX,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      }),
      { maxItems: TAGS_MAX },
    ),
  ),
}

/**
 * A thing as lists show it: any of its members, as Include and Exclude say. Readers of the contract see
 * them; a handler has to give none of them but its place.
 */
export const listed = (thing: TObject) =>
  Type.Unsafe<{ Index: number }>(
    Type.Object({ Index: Type.Integer(), ...Type.Partial(thing).properties }),
  )
