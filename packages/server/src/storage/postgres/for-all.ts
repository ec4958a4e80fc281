/**
 * The text of a statement that does for many what a fixed one does for one: beginning and ending a statement
 * costs the server more than the rows (docs/adr/0172). The values come as arrays of texts, one for each place,
 * and each is given the type that the server has said the place has; so the text is the same for any number of rows.
 */
import { Sql } from '../sql.ts'

/** By the server's numbers. A statement with a value of another type is not put together. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [16, 'boolean'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [701, 'double precision'],
  [1700, 'numeric'],
])
/** Stands for a value; it is in no text of ours. */
const PLACE = '\0'
const INSERT_ONE =
  /^(\s*INSERT\s+INTO\s+"?\w+"?\s*\([^()]*\))\s*VALUES\s*\(([^()]*)\)(?:\s*(ON\s+CONFLICT\s+(?:\([^()]*\)\s+)?DO\s+NOTHING))?\s*$/i

const inserts = new WeakMap<readonly string[], Map<string, Sql | undefined>>()

/** Undefined when it cannot be put together: for one that changes what is there, the order matters. */
export function insertForAll(query: Sql, types: readonly number[]): Sql | undefined {
  const key = types.join()
  const byTypes = inserts.get(query.chunks) ?? new Map<string, Sql | undefined>()
  if (byTypes.has(key)) return byTypes.get(key)
  const made = makeInsert(query.chunks, types)
  byTypes.set(key, made)
  inserts.set(query.chunks, byTypes)
  return made
}

function makeInsert(chunks: readonly string[], types: readonly number[]): Sql | undefined {
  const [, head, values, tail = ''] = INSERT_ONE.exec(chunks.join(PLACE)) ?? []
  const names = types.map((type) => TYPES.get(type))
  if (head === undefined || values === undefined || head.includes(PLACE)) return undefined
  if (names.length === 0 || names.includes(undefined) || /\bDEFAULT\b/i.test(values))
    return undefined
  const text = `${head} SELECT ${filled(values, names)} FROM ${arrays(names.length)} ${tail}`
  return new Sql([text], [], true)
}

function filled(text: string, names: readonly (string | undefined)[]): string {
  return text
    .split(PLACE)
    .reduce((all, piece, index) => `${all}(p.c${index}::${names[index - 1]})${piece}`)
}

function arrays(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const places = numbers.map((number) => `$${number}::text[]`).join(', ')
  return `unnest(${places}) AS p(${numbers.map((number) => `c${number}`).join(', ')})`
}
