/** Walks over a schema as data: what it says of a value's members, entry by entry and name by name. */
import { SECRET_FORMAT } from './fields.ts'

export interface Shape {
  readonly type?: unknown
  readonly format?: unknown
  readonly enum?: unknown
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: unknown
  readonly items?: Shape
  readonly prefixItems?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** The alternatives of a union, one by one. */
export function shapesOf(schema: unknown): Shape[] {
  // A schema is plain data; each member is looked at before it is used.
  const shape = Object(schema) as Shape
  const inner = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]
  return inner.length === 0 ? [shape] : inner.flatMap(shapesOf)
}

export function entryShapes(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap(({ items, prefixItems = [] }) =>
    [...prefixItems, ...(items === undefined ? [] : [items])].flatMap(shapesOf),
  )
}

/** Of the member of this name; none when no alternative knows it. */
export function memberShapes(shapes: readonly Shape[], name: string): Shape[] {
  return shapes.flatMap((shape) => {
    const { properties = {}, patternProperties = {}, additionalProperties } = shape
    if (Object.hasOwn(properties, name)) return shapesOf(properties[name])
    const fitting = Object.entries(patternProperties).filter(([key]) => new RegExp(key).test(name))
    if (fitting.length > 0) return fitting.flatMap(([, inner]) => shapesOf(inner))
    return typeof additionalProperties === 'object' ? shapesOf(additionalProperties) : []
  })
}

export function isSecret({ format }: Shape): boolean {
  return format === SECRET_FORMAT
}

export interface Field {
  /** Its own name; an entry of a list has the list's. */
  readonly name: string
  readonly path: string
  readonly shape: Shape
}

/** Every text, number or other leaf that a value of this schema can have. */
export function fieldsOf(schema: unknown, path = '', name = ''): Field[] {
  return shapesOf(schema).flatMap((shape): Field[] => {
    const members = Object.entries({ ...shape.properties, ...shape.patternProperties })
    const within = members.flatMap(([key, inner]) => fieldsOf(inner, `${path}.${key}`, key))
    const entries = entryShapes([shape]).flatMap((inner) => fieldsOf(inner, `${path}[]`, name))
    const isLeaf = shape.type !== 'object' && shape.type !== 'array' && shape.type !== 'null'
    return isLeaf ? [{ name, path: path.slice(1), shape }] : [...within, ...entries]
  })
}
