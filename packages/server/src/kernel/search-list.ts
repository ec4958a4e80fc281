/**
 * The search object on a list that no table holds, such as the zones: the same rules as storage/search.ts
 * has for rows. Where nothing is sorted, the list's own order stays, and it settles ties.
 */
import { BadRequest } from './errors.ts'
import {
  type Comparison,
  type Condition,
  fieldAt,
  type Scalar,
  type SearchQuery,
  selectFields,
} from './search-query.ts'

/** What an entry has at a path. Of several values one has to fit; the first is sorted by. */
export type ListFields<Entry> = Readonly<Record<string, (entry: Entry) => Scalar | Scalar[]>>

export function searchList<Entry extends Readonly<Record<string, unknown>>>(
  entries: readonly Entry[],
  query: SearchQuery,
  fields: ListFields<Entry>,
) {
  const conditions = query.filter.map((condition) => ({
    condition,
    read: fieldAt('Filter', condition.path, fields),
  }))
  const order = query.sort.map(({ path, descending }) => ({
    read: fieldAt('Sort', path, fields),
    sign: descending ? -1 : 1,
  }))
  const found = entries
    .filter((entry) =>
      conditions.every(({ condition, read }) =>
        [read(entry)].flat().some((value) => fits(value, condition)),
      ),
    )
    .toSorted((one, other) => {
      for (const { read, sign } of order) {
        const difference = compare([read(one)].flat()[0], [read(other)].flat()[0])
        if (difference !== 0) return difference * sign
      }
      return 0
    })
  const page = found.slice(query.from, query.from + query.count).map((entry, position) => ({
    ...selectFields(entry, query.include, query.exclude),
    Index: query.from + position,
  }))
  return { From: query.from, Count: page.length, Total: found.length, page }
}

function fits(value: Scalar, condition: Condition): boolean {
  const at = `Filter.${condition.path}`
  switch (condition.operator) {
    case 'match':
      if (typeof value !== 'string') return isEqual(at, value, condition.text)
      return condition.words.every((word) => asciiLower(value).includes(asciiLower(word)))
    case 'equals':
      return isEqual(at, value, condition.value)
    case 'in':
      return condition.values.some((wanted) =>
        [wanted].flat().every((one) => isEqual(at, value, one)),
      )
    default:
      return isOrdered(
        compare(value, convert(`${at}${condition.operator}`, value, condition.value)),
        condition.operator,
      )
  }
}

function isEqual(at: string, value: Scalar, wanted: Scalar): boolean {
  return value === convert(at, value, wanted)
}

/** What a caller sent, as the type of what it is compared with. */
function convert(at: string, value: Scalar, wanted: Scalar): Scalar {
  if (typeof value === typeof wanted) return wanted
  if (typeof value === 'string') return String(wanted)
  if (typeof value === 'boolean' && (wanted === 'true' || wanted === 'false')) {
    return wanted === 'true'
  }
  const number = typeof wanted === 'string' && wanted.trim() !== '' ? Number(wanted) : Number.NaN
  if (typeof value === 'number' && Number.isFinite(number)) return number
  throw new BadRequest(
    `${at} must be of type ${typeof value}.`,
    `${at} の型は ${typeof value} でなければなりません。`,
  )
}

function compare(one: Scalar | undefined, other: Scalar | undefined): number {
  if (one === other || one === undefined || other === undefined) return 0
  return one < other ? -1 : 1
}

function isOrdered(difference: number, operator: Comparison): boolean {
  if (difference === 0) return operator === '<=' || operator === '>='
  return operator.startsWith(difference < 0 ? '<' : '>')
}

/** Only ASCII, as the engines do it. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
