/** Flags for the members of a body or a query; what has no simple form is given as JSON. */
import type { Operation } from '../../packages/server/src/kernel/contract.ts'
import { type Json, plain } from './json.ts'

export interface Flags {
  /** The text of each, as a literal. */
  readonly flags: readonly string[]
  /** What can have one value only, by its path; nobody has to give it. */
  readonly fixed: Readonly<Record<string, unknown>>
}

interface Leaf {
  readonly path: readonly string[]
  readonly schema: Json
  readonly required: boolean
}

export function flagsOf({ body, query }: Operation): Flags {
  const inBody = body === undefined ? [] : leavesOf(plain(body), [], true)
  const inQuery = query === undefined || query === 'search' ? [] : leavesOf(plain(query), [], true)
  const isFixed = ({ schema }: Leaf) => onlyValue(schema) !== undefined
  const fixed = inBody
    .filter((leaf) => isFixed(leaf) && leaf.required)
    .map(({ path, schema }) => [path.join('.'), onlyValue(schema)] as const)
  const free = inBody.filter((leaf) => !isFixed(leaf))
  const wrapper = commonWrapper([...free, ...inBody.filter(isFixed)])
  const taken = new Set<string>()
  return {
    flags: [
      ...free.map((leaf) => flagText(leaf, shortName(leaf.path.slice(wrapper), taken), 'body')),
      ...inQuery.map((leaf) => flagText(leaf, shortName(leaf.path, taken), 'query')),
    ],
    fixed: Object.fromEntries(fixed),
  }
}

/** An object is its members; a union is what it is when it is given. */
function leavesOf(schema: Json, path: readonly string[], required: boolean): Leaf[] {
  const real = realOf(schema)
  const members = Object.entries<Json>(Object(real.properties))
  if (members.length === 0) return [{ path, schema: real, required }]
  const needed: readonly unknown[] = Array.isArray(real.required) ? real.required : []
  return members.flatMap(([name, member]) =>
    leavesOf(member, [...path, name], required && needed.includes(name)),
  )
}

/** `string or null` is a string; several real alternatives stay what they are. */
function realOf(schema: Json): Json {
  if (!Array.isArray(schema.anyOf)) return schema
  const real = schema.anyOf.filter(
    ({ type, const: value }: Json) => type !== 'null' && value !== '',
  )
  return real.length === 1 ? real[0] : schema
}

/** How many first steps all have in common: the one object that the body consists of. */
function commonWrapper(leaves: readonly Leaf[]): number {
  const [first] = leaves
  const same = first !== undefined && leaves.every(({ path }) => path[0] === first.path[0])
  return same && leaves.every(({ path }) => path.length > 1) ? 1 : 0
}

function onlyValue({ const: value, enum: values }: Json): unknown {
  return value ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined)
}

/** Words that say nothing without what they belong to. */
const VAGUE = ['id', 'enabled', 'class', 'code', 'name', 'type']

/** The last step of the path, and as many before it as it takes to say what it is. */
function shortName(path: readonly string[], taken: Set<string>): string {
  const ends = path.map((_, index) => kebab(path.slice(path.length - 1 - index)))
  const name = ends.find((end) => !VAGUE.includes(end) && !taken.has(end)) ?? ends.at(-1) ?? ''
  const own = path.length === 1 ? (ends[0] ?? '') : name
  taken.add(own)
  return own
}

function flagText({ path, schema, required }: Leaf, flag: string, where: string): string {
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => one !== '') : undefined
  const members = [
    `flag: '${flag}'`,
    `in: '${where}'`,
    `path: '${path.join('.')}'`,
    `kind: '${kindOf(schema)}'`,
    ...(choices === undefined ? [] : [`choices: [${choices.map((one) => `'${one}'`).join(', ')}]`]),
    ...(required ? ['required: true'] : []),
  ]
  return `{ ${members.join(', ')} }`
}

function kindOf(schema: Json): string {
  const { type, items, enum: values } = schema
  if (Array.isArray(values)) return typeof values[0] === 'number' ? 'integer' : 'string'
  if (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean')
    return type
  const element = Object(items)
  return type === 'array' && (element.type === 'string' || Array.isArray(element.enum))
    ? 'strings'
    : 'json'
}

/** `DefaultCacheTTL` is `default-cache-ttl`, `AccessKeyID` is `access-key-id`. */
function kebab(path: readonly string[]): string {
  return path
    .join('-')
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()
}
