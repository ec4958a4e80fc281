/** The types that a strict decoder insists on, written next to the call they belong to. */
import assert from 'node:assert/strict'

export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'null'
  | 'time'
  | 'any'
  | readonly Shape[]
  | { readonly [member: string]: Shape }
  | { readonly either: readonly Shape[] }

/** RFC 3339, or null where a decoder takes that for the absence of a time. */
export const TIME_OR_NULL: Shape = { either: ['time', 'null'] }

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  time: (value) => typeof value === 'string' && RFC3339.test(value),
  any: (value) => value !== undefined,
}

/** A list of one shape means any number of it; a member that ends in `?` may be missing. */
export function assertShape(value: unknown, shape: Shape, path = '$'): void {
  const problem = problemOf(value, shape, path)
  assert.equal(problem, undefined, problem)
}

function problemOf(value: unknown, shape: Shape, path: string): string | undefined {
  if (typeof shape === 'string') {
    return SIMPLE[shape]?.(value) ? undefined : `${path} is no ${shape}: ${JSON.stringify(value)}`
  }
  if (Array.isArray(shape)) return listProblem(value, shape[0] as Shape | undefined, path)
  if ('either' in shape) {
    const problems = (shape.either as readonly Shape[]).map((one) => problemOf(value, one, path))
    return problems.includes(undefined) ? undefined : problems.join('; ')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${path} is no object: ${JSON.stringify(value)}`
  }
  return first(Object.entries(shape), ([name, wanted]) => {
    const member = name.replace(/\?$/, '')
    const found = (value as Record<string, unknown>)[member]
    if (found === undefined && name.endsWith('?')) return undefined
    return problemOf(found, wanted as Shape, `${path}.${member}`)
  })
}

function listProblem(value: unknown, shape: Shape | undefined, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is no list: ${JSON.stringify(value)}`
  if (shape === undefined) {
    return value.length === 0 ? undefined : `${path} is not empty: ${JSON.stringify(value)}`
  }
  return first([...value.entries()], ([index, item]) => problemOf(item, shape, `${path}[${index}]`))
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = look(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
