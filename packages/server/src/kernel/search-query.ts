/**
 * The search object of every list, as data: what to find, in which order, which page of it, and
 * which fields of each item to show. It knows no fields; `storage/search.ts` checks them.
 */
import { BadRequest } from './errors.ts'

export const SEARCH_LIMITS = {
  count: 10_000,
  conditions: 64,
  values: 1_000,
  /** Words and values of all conditions together, for the engines limit a statement's size. */
  terms: 2_000,
  sortFields: 16,
  selectedFields: 200,
  characters: 1_000,
} as const

export type Scalar = string | number | boolean

const COMPARISONS = ['<', '<=', '>', '>='] as const

export type Comparison = (typeof COMPARISONS)[number]

export type Condition =
  | {
      readonly path: string
      readonly operator: 'match'
      readonly text: string
      /** The text split at its spaces; all of them must be found. */
      readonly words: readonly string[]
    }
  | {
      readonly path: string
      readonly operator: 'in'
      /** A list within the list holds when all of its values do: Go clients search tags so. */
      readonly values: readonly (Scalar | readonly Scalar[])[]
    }
  | { readonly path: string; readonly operator: 'equals'; readonly value: number | boolean }
  | { readonly path: string; readonly operator: Comparison; readonly value: string | number }

export interface SortField {
  readonly path: string
  readonly descending: boolean
}

export interface SearchQuery {
  readonly from: number
  readonly count: number
  readonly sort: readonly SortField[]
  /** `undefined` means every field. */
  readonly include: readonly string[] | undefined
  readonly exclude: readonly string[]
  readonly filter: readonly Condition[]
}

/**
 * Takes what `parseQueryString` gives. Go clients send null for an absent member, so it is one. An absent
 * Count is `defaultCount`; a Count of 0 means as many as there may be.
 */
export function parseSearch(
  value: unknown,
  defaultCount: number = SEARCH_LIMITS.count,
): SearchQuery {
  const search = value ?? {}
  if (!isRecord(search)) {
    throw new BadRequest(
      'The search conditions must be a JSON object.',
      '検索条件は JSON オブジェクトでなければなりません。',
    )
  }
  const include = parseNames('Include', search.Include, SEARCH_LIMITS.selectedFields)
  return {
    from: parseWhole('From', search.From),
    count: parseCount(search.Count ?? defaultCount),
    sort: parseNames('Sort', search.Sort, SEARCH_LIMITS.sortFields).map(parseSortField),
    include: include.length === 0 ? undefined : include,
    exclude: parseNames('Exclude', search.Exclude, SEARCH_LIMITS.selectedFields),
    filter: parseFilter(search.Filter ?? {}),
  }
}

/**
 * Keeps the chosen fields of an item, in the item's own order. A field is shown whole or not at all, as its
 * contract describes it: a dotted path in Include chooses the field that it begins with, and one in Exclude takes
 * nothing away. `*` is all; Exclude wins over Include. `Index` always stays.
 */
export function selectFields(
  item: Readonly<Record<string, unknown>>,
  include: readonly string[] | undefined,
  exclude: readonly string[],
): Record<string, unknown> {
  const all = include === undefined || include.includes('*')
  const chosen = new Set(include?.map(fieldOf))
  const dropped = new Set(exclude)
  const entries = Object.entries(item).filter(
    ([name]) =>
      name === 'Index' || ((all || chosen.has(name)) && !dropped.has(name) && !dropped.has('*')),
  )
  return Object.fromEntries(entries)
}

function fieldOf(path: string): string {
  return path.split('.', 1)[0] ?? path
}

/** Refuses a path that the list does not have. */
export function fieldAt<Field>(
  list: 'Filter' | 'Sort',
  path: string,
  fields: Readonly<Record<string, Field>>,
): Field {
  // An own property only: `constructor` is no field.
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (field !== undefined) return field
  const known = Object.keys(fields).join(', ')
  throw new BadRequest(
    `${list}.${path} is not a field of this list. Its fields are: ${known}.`,
    `${list}.${path} はこの一覧のフィールドではありません。使えるフィールド: ${known}`,
  )
}

function parseCount(value: unknown): number {
  const count = parseWhole('Count', value)
  return count === 0 ? SEARCH_LIMITS.count : Math.min(count, SEARCH_LIMITS.count)
}

function parseWhole(path: string, value: unknown): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new BadRequest(
    `${path} must be an integer of 0 or more.`,
    `${path} は 0 以上の整数でなければなりません。`,
  )
}

function parseNames(path: string, value: unknown, limit: number): readonly string[] {
  const names: unknown = value ?? []
  if (!Array.isArray(names)) {
    throw new BadRequest(
      `${path} must be a list of field names.`,
      `${path} はフィールド名の配列でなければなりません。`,
    )
  }
  checkLength(path, names, limit)
  return names.map((name: unknown, index) => {
    if (typeof name === 'string' && name !== '') return checkText(`${path}[${index}]`, name)
    throw new BadRequest(
      `${path}[${index}] must be a field name.`,
      `${path}[${index}] はフィールド名でなければなりません。`,
    )
  })
}

function parseSortField(name: string, index: number): SortField {
  const descending = name.startsWith('-')
  const path = descending ? name.slice(1) : name
  if (path !== '') return { path, descending }
  throw new BadRequest(
    `Sort[${index}] must name a field after "-".`,
    `Sort[${index}] は「-」の後にフィールド名が必要です。`,
  )
}

function parseFilter(filter: unknown): readonly Condition[] {
  if (!isRecord(filter)) {
    throw new BadRequest(
      'Filter must be an object of field names and values.',
      'Filter はフィールド名と値のオブジェクトでなければなりません。',
    )
  }
  const entries = Object.entries(filter)
  checkLength('Filter', entries, SEARCH_LIMITS.conditions)
  const conditions = entries.flatMap(([key, value]) => parseCondition(key, value) ?? [])
  const terms = conditions.reduce((sum, condition) => sum + countTerms(condition), 0)
  if (terms > SEARCH_LIMITS.terms) {
    throw new BadRequest(
      `Filter must not have more than ${SEARCH_LIMITS.terms} words and values in all.`,
      `Filter の語と値は合わせて ${SEARCH_LIMITS.terms} 個以下でなければなりません。`,
    )
  }
  return conditions
}

/** `undefined` for a value that sets no condition: null, or a text without a word in it. */
function parseCondition(key: string, value: unknown): Condition | undefined {
  const path = fieldName(checkText('Filter', key))
  const comparison = parseComparison(key, key.slice(path.length))
  if (path === '') {
    throw new BadRequest(
      `Filter has a condition without a field name: "${key}".`,
      `Filter にフィールド名のない条件があります: 「${key}」`,
    )
  }
  const at = `Filter.${key}`
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? checkText(at, value) : undefined
  const words = text?.split(' ').filter((word) => word !== '')
  if (words?.length === 0) return undefined
  if (comparison !== undefined) {
    if (text !== undefined) return { path, operator: comparison, value: text }
    if (isNumber(value)) return { path, operator: comparison, value }
    throw new BadRequest(
      `${at} must be compared with a string or a number.`,
      `${at} は文字列または数値と比較しなければなりません。`,
    )
  }
  if (text !== undefined && words !== undefined) return { path, operator: 'match', text, words }
  if (isNumber(value) || typeof value === 'boolean') return { path, operator: 'equals', value }
  if (Array.isArray(value)) return { path, operator: 'in', values: parseValues(at, value) }
  throw wrongValue(at)
}

function parseValues(at: string, values: readonly unknown[]): (Scalar | readonly Scalar[])[] {
  checkLength(at, values, SEARCH_LIMITS.values)
  return values.map((value, index) => {
    if (!Array.isArray(value)) return parseScalar(`${at}[${index}]`, value)
    checkLength(`${at}[${index}]`, value, SEARCH_LIMITS.values)
    return value.map((inner: unknown, n) => parseScalar(`${at}[${index}][${n}]`, inner))
  })
}

function parseScalar(at: string, value: unknown): Scalar {
  if (typeof value === 'string') return checkText(at, value)
  if (isNumber(value) || typeof value === 'boolean') return value
  throw wrongValue(at)
}

function wrongValue(at: string): BadRequest {
  return new BadRequest(
    `${at} must be a string, a number, a boolean or a list of these.`,
    `${at} は文字列、数値、真偽値、またはそれらの配列でなければなりません。`,
  )
}

/** The operator is whatever stands after the name out of these characters, known or not. */
export function fieldName(key: string): string {
  let end = key.length
  while (end > 0 && '<>=!~'.includes(key.charAt(end - 1))) end -= 1
  return key.slice(0, end)
}

function parseComparison(key: string, operator: string): Comparison | undefined {
  const comparison = COMPARISONS.find((known) => known === operator)
  if (operator === '' || comparison !== undefined) return comparison
  throw new BadRequest(
    `Filter.${key} has the unknown operator "${operator}"; known are ${COMPARISONS.join(' ')}.`,
    `Filter.${key} の演算子「${operator}」は使えません。使える演算子: ${COMPARISONS.join(' ')}`,
  )
}

function countTerms(condition: Condition): number {
  if (condition.operator === 'match') return condition.words.length
  return condition.operator === 'in' ? condition.values.flat().length : 1
}

function checkLength(path: string, list: readonly unknown[], limit: number): void {
  if (list.length <= limit) return
  throw new BadRequest(
    `${path} must not have more than ${limit} entries.`,
    `${path} の要素は ${limit} 個以下でなければなりません。`,
  )
}

function checkText(path: string, text: string): string {
  const limit = SEARCH_LIMITS.characters
  // Counted by code points, as JSON Schema does; the first comparison spares counting most texts.
  if (text.length <= limit || Array.from(text).length <= limit) return text
  throw new BadRequest(
    `${path} has a text of more than ${limit} characters.`,
    `${path} に ${limit} 文字を超える文字列があります。`,
  )
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
