/** Values from schemas: those that fit, those at a limit and one past it, and those that fit nothing. */
import { HOSTILE_VALUES } from './hostile.ts'
import type { Choices } from './random.ts'

/** A schema is plain data; only the keywords that our contracts use. */
export interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: unknown
  readonly exclusiveMinimum?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Longer lists would only make requests slow. */
const ITEMS_MAX = 300

export function generate(shape: Shape, choices: Choices): unknown {
  if (choices.oneIn(12)) return choices.pick(HOSTILE_VALUES)
  if (shape.anyOf !== undefined) return generate(choices.pick(shape.anyOf), choices)
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return choices.pick(shape.enum)
  switch (shape.type) {
    case 'string':
      return 'x'.repeat(lengthOf(shape.minLength ?? 0, shape.maxLength ?? 40, choices))
    case 'integer':
    case 'number':
      return limitOf(shape.minimum ?? -1, shape.maximum ?? Number.MAX_SAFE_INTEGER, choices)
    case 'boolean':
      return choices.oneIn(2)
    case 'null':
      return null
    case 'array': {
      const most = Math.min(shape.maxItems ?? 3, ITEMS_MAX)
      const length = lengthOf(shape.minItems ?? 0, most, choices)
      return Array.from({ length }, () => generate(shape.items ?? {}, choices))
    }
    case 'object':
      return objectOf(shape, choices)
    default:
      return choices.pick(HOSTILE_VALUES)
  }
}

function objectOf({ properties = {}, required = [] }: Shape, choices: Choices): object {
  const members = Object.entries(properties).flatMap(([name, shape]) => {
    // A member that is needed is missing now and then, the others half of the time.
    if (choices.oneIn(required.includes(name) ? 15 : 2)) return []
    return [[name, generate(shape, choices)] as const]
  })
  return Object.fromEntries(choices.oneIn(10) ? [...members, ['unknown', 'x']] : members)
}

/** The limits themselves, one past each, and something between. */
function limitOf(least: number, most: number, choices: Choices): number {
  const between = least + choices.below(Math.min(most - least, 1000) + 1)
  return choices.pick([least, most, Math.max(least - 1, -1), most + 1, between, between, between])
}

function lengthOf(least: number, most: number, choices: Choices): number {
  return Math.max(0, limitOf(least, most, choices))
}
