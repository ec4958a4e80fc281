/**
 * The text of a statement that does for many what a fixed one does for one: beginning and ending a statement
 * costs the server more than the rows (docs/adr/0172). The values come as arrays of texts, one for each place,
 * and each is given the type that the server has said the place has; so the text is the same for any number of rows.
 */
import { Sql } from '../sql.ts'
import { INSERT_ONE } from '../statement-kind.ts'

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

type Made = Map<string, Sql | undefined>

const inserts = new WeakMap<readonly string[], Made>()
const looks = new WeakMap<readonly string[], Made>()

/** Undefined when it cannot be put together. */
export function insertForAll(query: Sql, types: readonly number[]): Sql | undefined {
  return known(inserts, query, types, makeInsert)
}

/** The rows of the first one have the number 1 before them, and so on. */
export function lookForAll(query: Sql, types: readonly number[]): Sql | undefined {
  return known(looks, query, types, makeLook)
}

/** The server does not take what was made of it: what it says of one does not hold for all of them. */
export function giveUp({ chunks }: Sql): void {
  unfit.add(chunks)
}

const unfit = new WeakSet<readonly string[]>()

type Make = (chunks: readonly string[], names: readonly string[]) => string | undefined

function known(
  all: WeakMap<readonly string[], Made>,
  { chunks }: Sql,
  types: readonly number[],
  make: Make,
): Sql | undefined {
  if (unfit.has(chunks)) return undefined
  const made: Made = all.get(chunks) ?? new Map()
  const key = types.join()
  if (made.has(key)) return made.get(key)
  const names = types.map((type) => TYPES.get(type)).filter((name) => name !== undefined)
  const isPossible = names.length > 0 && names.length === types.length
  const text = isPossible ? make(chunks, names) : undefined
  made.set(key, text === undefined ? undefined : new Sql([text], [], true))
  all.set(chunks, made)
  return made.get(key)
}

function makeInsert(chunks: readonly string[], names: readonly string[]): string | undefined {
  const [, head, values, tail = ''] = INSERT_ONE.exec(chunks.join(PLACE)) ?? []
  if (head === undefined || values === undefined) return undefined
  if (head.includes(PLACE) || tail.includes(PLACE)) return undefined
  if (/\bDEFAULT\b/i.test(values) || /\b(SELECT|RETURNING)\b/i.test(tail)) return undefined
  const selected = filled(values.split(PLACE), names)
  return `${head} SELECT ${selected} FROM ${arrays(names)} AS one(${columns(names)}) ${tail}`
}

/** OFFSET 0 makes the server plan the look by itself, as the single one, and carry it out for one after the other. */
function makeLook(chunks: readonly string[], names: readonly string[]): string {
  return `SELECT one.number, look.* FROM ${arrays(names)} WITH ORDINALITY AS one(${columns(names)}, number)
    CROSS JOIN LATERAL (SELECT * FROM (${filled(chunks, names)}) AS own OFFSET 0) AS look`
}

function filled(chunks: readonly string[], names: readonly string[]): string {
  return chunks.reduce((all, chunk, index) => `${all}(one.v${index}::${names[index - 1]})${chunk}`)
}

function arrays(names: readonly string[]): string {
  return `unnest(${names.map((_, index) => `$${index + 1}::text[]`).join(', ')})`
}

function columns(names: readonly string[]): string {
  return names.map((_, index) => `v${index + 1}`).join(', ')
}
