/**
 * Makes a function of a schema that finds the first thing wrong with a value: the part of JSON Schema that
 * our contracts use, and a refusal of the rest, so that no rule is ever overlooked. Functions inside
 * functions, not text that is compiled: a server has some hundred schemas, and most are used rarely.
 */
import { type Failure, fail, within } from './failure.ts'

export type Find = (value: unknown) => Failure | undefined

/** A schema from the inside; its keywords are looked at one by one. */
export type Keywords = Readonly<Record<string, unknown>>

/** Those that say nothing about a value. */
const REMARKS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'format',
  'default',
  'writeOnly',
])

export function finderOf(schema: Keywords): Find {
  const finders = Object.keys(schema)
    .filter((keyword) => !REMARKS.has(keyword) && !keyword.startsWith('x-'))
    .map((keyword) => ({ keyword, ...known(keyword) }))
    .toSorted((one, other) => one.rank - other.rank)
    .flatMap(({ keyword, make }) => make(schema[keyword], schema) ?? [])
  const [first, second] = finders
  if (first === undefined) return () => undefined
  if (second === undefined) return first
  return (value) => {
    for (const find of finders) {
      const failure = find(value)
      if (failure !== undefined) return failure
    }
    return undefined
  }
}

type Maker = (wanted: unknown, schema: Keywords) => Find | undefined

/** In the order in which they are looked at: what is wrong at the outside goes first. */
const KEYWORDS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['type', (wanted) => check('type', wanted, typeCheck([wanted].flat()))],
  [
    'minimum',
    (wanted) =>
      check(
        'minimum',
        wanted,
        ifNumber((value) => value >= Number(wanted)),
      ),
  ],
  [
    'maximum',
    (wanted) =>
      check(
        'maximum',
        wanted,
        ifNumber((value) => value <= Number(wanted)),
      ),
  ],
  [
    'exclusiveMinimum',
    (wanted) =>
      check(
        'exclusiveMinimum',
        wanted,
        ifNumber((value) => value > Number(wanted)),
      ),
  ],
  [
    'maxLength',
    (wanted) =>
      check(
        'maxLength',
        wanted,
        ifText((text) => !isLonger(text, wanted)),
      ),
  ],
  [
    'minLength',
    (wanted) =>
      check(
        'minLength',
        wanted,
        ifText((text) => !isShorter(text, wanted)),
      ),
  ],
  ['pattern', patternFinder],
  ['const', (wanted) => check('const', wanted, (value) => value === wanted)],
  ['enum', enumFinder],
  [
    'maxItems',
    (wanted) =>
      check(
        'maxItems',
        wanted,
        ifList((list) => list.length <= Number(wanted)),
      ),
  ],
  [
    'minItems',
    (wanted) =>
      check(
        'minItems',
        wanted,
        ifList((list) => list.length >= Number(wanted)),
      ),
  ],
  ['required', requiredFinder],
  ['not', notFinder],
  ['anyOf', unionFinder],
  ['items', itemsFinder],
  ['additionalProperties', additionalFinder],
  ['properties', propertiesFinder],
  ['patternProperties', patternPropertiesFinder],
])

const RANKED = new Map([...KEYWORDS].map(([keyword, make], rank) => [keyword, { make, rank }]))

function known(keyword: string): { readonly make: Maker; readonly rank: number } {
  const found = RANKED.get(keyword)
  if (found === undefined) throw new Error(`The keyword ${keyword} of a schema is not known here.`)
  return found
}

function check(keyword: string, wanted: unknown, holds: (value: unknown) => boolean): Find {
  return (value) => (holds(value) ? undefined : fail(keyword, wanted))
}

const ifNumber = (holds: (value: number) => boolean) => (value: unknown) =>
  typeof value !== 'number' || holds(value)
const ifText = (holds: (value: string) => boolean) => (value: unknown) =>
  typeof value !== 'string' || holds(value)
const ifList = (holds: (value: readonly unknown[]) => boolean) => (value: unknown) =>
  !Array.isArray(value) || holds(value)

function typeCheck(types: readonly unknown[]): (value: unknown) => boolean {
  const [first, ...others] = types.map((type) => {
    const is = TYPES[String(type)]
    if (is === undefined) throw new Error(`The type ${type} of a schema is not known here.`)
    return is
  })
  if (first === undefined) throw new Error('A schema has an empty list of types.')
  return others.length === 0 ? first : (value) => first(value) || others.some((is) => is(value))
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  // Past 2^53 a number is not the one that was sent, and past 2^63 no engine has it.
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
}

function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lengths are in characters; a text has no more of them than units, and at least half as many. */
function isLonger(text: string, most: unknown): boolean {
  return text.length > Number(most) && [...text].length > Number(most)
}

function isShorter(text: string, least: unknown): boolean {
  return text.length < Number(least) * 2 && [...text].length < Number(least)
}

function patternFinder(wanted: unknown): Find {
  const pattern = new RegExp(String(wanted), 'u')
  return check(
    'pattern',
    wanted,
    ifText((text) => pattern.test(text)),
  )
}

function enumFinder(wanted: unknown): Find {
  const values = new Set([wanted].flat())
  return check('enum', wanted, (value) => values.has(value))
}

function requiredFinder(wanted: unknown): Find {
  const names = [wanted].flat().map(String)
  return (value) => {
    if (!isObject(value)) return undefined
    for (const name of names) {
      if (value[name] === undefined) return fail('required', true, [name])
    }
    return undefined
  }
}

/** Only as nothing at all: that is how the contracts say that a list is empty. */
function notFinder(wanted: unknown): Find {
  if (Object.keys(Object(wanted)).length > 0) throw new Error('`not` is known only as `not: {}`.')
  return () => fail('not', wanted)
}

function unionFinder(wanted: unknown): Find {
  const finders = schemasOf(wanted).map(finderOf)
  return (value) => {
    const alternatives: Failure[] = []
    for (const find of finders) {
      const failure = find(value)
      if (failure === undefined) return undefined
      alternatives.push(failure)
    }
    return { ...fail('anyOf', undefined), alternatives }
  }
}

function itemsFinder(wanted: unknown): Find {
  const find = finderOf(Object(wanted))
  return (value) => {
    if (!Array.isArray(value)) return undefined
    for (let index = 0; index < value.length; index += 1) {
      const failure = find(value[index])
      if (failure !== undefined) return within(index, failure)
    }
    return undefined
  }
}

function additionalFinder(
  wanted: unknown,
  { properties = {}, patternProperties }: Keywords,
): Find | undefined {
  if (wanted === true) return undefined
  if (wanted !== false || patternProperties !== undefined) {
    throw new Error('`additionalProperties` is known only as true or false, beside `properties`.')
  }
  const known = new Set(Object.keys(Object(properties)))
  return (value) => {
    if (!isObject(value)) return undefined
    const other = Object.keys(value).find((name) => !known.has(name))
    return other === undefined ? undefined : fail('additionalProperties', false, [other])
  }
}

function propertiesFinder(wanted: unknown): Find {
  const members = Object.entries(Object(wanted)).map(
    ([name, schema]) => [name, finderOf(Object(schema))] as const,
  )
  return (value) => {
    if (!isObject(value)) return undefined
    for (const [name, find] of members) {
      const member = value[name]
      const failure = member === undefined ? undefined : find(member)
      if (failure !== undefined) return within(name, failure)
    }
    return undefined
  }
}

function patternPropertiesFinder(wanted: unknown): Find {
  const patterns = Object.entries(Object(wanted)).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), finderOf(Object(schema))] as const,
  )
  return (value) => {
    if (!isObject(value)) return undefined
    for (const [name, member] of Object.entries(value)) {
      for (const [pattern, find] of patterns) {
        const failure = pattern.test(name) ? find(member) : undefined
        if (failure !== undefined) return within(name, failure)
      }
    }
    return undefined
  }
}

function schemasOf(list: unknown): Keywords[] {
  return [list].flat().map(Object)
}
