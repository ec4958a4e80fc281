/**
 * JSON Schema and static type in one declaration. The types are those of TypeBox; what makes the schemas
 * is the few lines here, since loading all of TypeBox took a fifth of the server's start (docs/adr/0013-validator.md).
 */
import type { TSchema, Type as TypeBox } from 'typebox'

export type { Static, TObject, TSchema, TStringOptions } from 'typebox'

type Options = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, TSchema>>
/** As `Type.Object` makes it. */
interface ObjectSchema extends Options {
  readonly properties: Properties
}

/** Not a member that is written out: nobody but `Type.Object` has to see it. */
const OPTIONAL = Symbol('optional')

const typed = (type: string) => (options?: Options) => ({ type, ...options })

const optional = (schema: Options) =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true, enumerable: false })

function object(properties: Properties, options?: Options) {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(marked(properties[name]), OPTIONAL),
  )
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function partial({ properties }: ObjectSchema, options?: Options) {
  const all = Object.entries(properties).map(([name, schema]) => [name, optional(marked(schema))])
  return object(Object.fromEntries(all), options)
}

/** The cast: TypeBox gives its schemas no members that could be looked up. */
function marked(schema: TSchema | undefined): Options {
  return schema as Options
}

const makers = {
  String: typed('string'),
  Integer: typed('integer'),
  Number: typed('number'),
  Boolean: typed('boolean'),
  Null: typed('null'),
  Unknown: (options?: Options) => ({ ...options }),
  Never: (options?: Options) => ({ not: {}, ...options }),
  Literal: (value: string | number | boolean, options?: Options) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: [...values], ...options }),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Record: (key: { readonly pattern?: string }, value: TSchema, options?: Options) => ({
    type: 'object',
    patternProperties: { [key.pattern ?? '^.*$']: value },
    ...options,
  }),
  Object: object,
  Optional: optional,
  Partial: partial,
  Unsafe: (schema: TSchema) => schema,
}

/** The cast gives each maker the type that TypeBox has for it. */
export const Type = makers as unknown as Pick<typeof TypeBox, keyof typeof makers>
