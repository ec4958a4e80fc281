/**
 * Hides what is secret in what is shown of a request (docs/adr/0004-secret-type.md): by type, where the contract of the
 * operation knows the field; elsewhere by the names that secrets have in any contract.
 */
import type { Operation } from '../../kernel/contract.ts'
import {
  entryShapes,
  fieldsOf,
  isSecret,
  memberShapes,
  type Shape,
  shapesOf,
} from '../../kernel/shapes.ts'

export const HIDDEN = '(hidden)'

/** In lower case. */
export type SecretNames = ReadonlySet<string>

export function secretNamesOf(schemas: readonly unknown[]): SecretNames {
  const secrets = schemas
    .flatMap((schema) => fieldsOf(schema))
    .filter(({ shape }) => isSecret(shape))
  return new Set(secrets.map(({ name }) => name.toLowerCase()))
}

export function schemasOf({ params, query, body, reply }: Operation): unknown[] {
  return [params, query === 'search' ? undefined : query, body, reply].filter(
    (schema) => schema !== undefined,
  )
}

/** A body that is not JSON is not shown at all, since nobody knows what in it is secret. */
export function readableBody(
  body: Buffer | string | undefined,
  schema: unknown,
  names: SecretNames,
): unknown {
  if (body === undefined || body.length === 0) return null
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object') return hide(value, shapesOf(schema), names)
  } catch {
    // Not JSON.
  }
  return `(${body.length} bytes)`
}

/** Without shapes nothing is known of the value but the names in it. */
function hide(value: unknown, shapes: readonly Shape[], names: SecretNames): unknown {
  if (shapes.some(isSecret)) return hideAll(value)
  if (Array.isArray(value)) return value.map((entry) => hide(entry, entryShapes(shapes), names))
  if (typeof value !== 'object' || value === null) {
    return shapes.length === 0 || shapes.some(takesScalar) ? value : hideAll(value)
  }
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const known = memberShapes(shapes, name)
    const isUnsafe = known.length === 0 && names.has(name.toLowerCase())
    return [name, isUnsafe ? hideAll(inner) : hide(inner, known, names)]
  })
  return Object.fromEntries(members)
}

/** Null and an empty text say that there is no secret. */
export function hideAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideAll)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideAll(inner)]))
  }
  return value === null || value === '' || typeof value === 'boolean' ? value : HIDDEN
}

/** A text where an object was wanted may be what belongs inside it. */
function takesScalar({ type }: Shape): boolean {
  return ![type].flat().every((word) => word === 'object' || word === 'array' || word === 'null')
}
