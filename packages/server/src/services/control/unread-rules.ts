/** What a client sent and nothing reads: members of a body that its contract does not know. */

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
}

export function unreadFields(body: unknown, schema: unknown, path = ''): string[] {
  const shapes = shapesOf(schema as Schema)
  if (Array.isArray(body)) {
    const items = shapes.flatMap(({ items }) => (items === undefined ? [] : [items]))
    if (items.length === 0) return []
    return body.flatMap((entry, index) =>
      unreadFields(entry, { anyOf: items }, `${path}[${index}]`),
    )
  }
  if (typeof body !== 'object' || body === null) return []
  const objects = shapes.filter(({ properties }) => properties !== undefined)
  // What is not described member by member may be read as a whole.
  if (objects.length === 0 || shapes.some((shape) => shape.patternProperties !== undefined)) {
    return []
  }
  return Object.entries(body).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`
    const known = objects.flatMap(({ properties = {} }) => properties[name] ?? [])
    return known.length === 0 ? [at] : unreadFields(value, { anyOf: known }, at)
  })
}

/** The alternatives of a union, one by one. */
function shapesOf(schema: Schema): Schema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(shapesOf)
}
