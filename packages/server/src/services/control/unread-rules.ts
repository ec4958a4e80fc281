/** What a client sent and nothing reads: members of a body that its contract does not know. */
import { entryShapes, memberShapes, type Shape, shapesOf } from '../../kernel/shapes.ts'

export function unreadFields(body: unknown, schema: unknown): string[] {
  return unreadIn(body, shapesOf(schema), '')
}

function unreadIn(value: unknown, shapes: readonly Shape[], path: string): string[] {
  if (Array.isArray(value)) {
    const entries = entryShapes(shapes)
    if (entries.length === 0) return []
    return value.flatMap((entry, index) => unreadIn(entry, entries, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  // What is not described member by member may be read as a whole.
  if (!shapes.some(({ properties }) => properties !== undefined)) return []
  if (shapes.some((shape) => shape.patternProperties !== undefined)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    const known = memberShapes(shapes, name)
    return known.length === 0 ? [at] : unreadIn(inner, known, at)
  })
}
