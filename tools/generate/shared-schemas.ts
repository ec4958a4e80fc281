/** Objects that several operations share, under a name: for the types of the client and for OpenAPI. */
import { type Json, plain } from './json.ts'
import type { NamedOperation } from './operations.ts'
import { typeText } from './type-text.ts'

/**
 * Objects that occur more than once get a name: their title, or that of the member they stand under. Where
 * two would have the same, the name of the first operation comes before it.
 */
export function sharedNames(
  operations: readonly NamedOperation[],
  reserved: readonly string[],
): ReadonlyMap<string, string> {
  const seen = new Map<string, { key: string; operation: string; count: number }>()
  for (const { name: operation, operation: described } of operations) {
    const { params, query, body, reply } = described
    const count = (schema: Json, key: string) => {
      const text = JSON.stringify(schema)
      const entry = seen.get(text) ?? { key, operation, count: 0 }
      seen.set(text, { ...entry, key: entry.key || key, count: entry.count + 1 })
      return undefined
    }
    for (const schema of [params, query, body, reply]) {
      if (schema !== undefined && schema !== 'search') typeText(plain(schema), '', '', count)
    }
  }
  const names = new Map<string, string>()
  const taken = new Set(reserved)
  for (const [text, { key, operation, count }] of seen) {
    const { properties, title } = JSON.parse(text)
    if (count < 2 || key === '' || Object.keys(Object(properties)).length < 3) continue
    const short = pascal(title ?? key)
    const name = taken.has(short) ? `${pascal(operation)}${short}` : short
    taken.add(name)
    names.set(text, name)
  }
  return names
}

function pascal(key: string): string {
  return key.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The same schema with a reference in place of each object that has a name. */
export function withReferences(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withReferences(one, names))
  if (typeof schema !== 'object' || schema === null) return schema
  const name = names.get(JSON.stringify(schema))
  return name === undefined ? inside(schema, names) : { $ref: `#/components/schemas/${name}` }
}

/** As above, but for the schema that has the name. */
export function inside(schema: object, names: ReadonlyMap<string, string>): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withReferences(value, names)]),
  )
}
