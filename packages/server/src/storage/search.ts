/**
 * Compiles the search object to SQL, once for all lists and both engines. Only what SQLite and
 * PostgreSQL understand alike is used; texts are compared by their bytes in both, since our
 * PostgreSQL columns have collation "C".
 */
import { BadRequest } from '../kernel/errors.ts'
import { parseBoolean, parseNumber, parsePeriod } from '../kernel/search-operands.ts'
import {
  type Comparison,
  type Condition,
  fieldAt,
  type Scalar,
  type SearchQuery,
} from '../kernel/search-query.ts'
import { join, raw, type Sql, sql } from './sql.ts'

export interface SearchField {
  /** A column, or an expression in parentheses. */
  readonly column: Sql
  /** Booleans are 0 and 1, datetimes epoch milliseconds, tags "\nred\nblue\n" or an empty text. */
  readonly type: 'text' | 'number' | 'boolean' | 'datetime' | 'tags'
  /** A plain string is compared whole and with its case, instead of matching a part. */
  readonly exact?: true
  /** The column is looked up in another table, row by row, by the id. */
  readonly isLookup?: true
  /** Where the other table has an index of the column: a condition on it, as one on the list's own table. */
  readonly found?: { readonly column: Sql; by(condition: Sql): Sql }
}

/** By the path that the wire shows, such as `Provider.Class`. */
export type SearchFields = Readonly<Record<string, SearchField>>

export interface CompiledSearch {
  /** One boolean expression that may stand beside others. */
  readonly where: Sql
  /** The terms after ORDER BY. */
  readonly orderBy: Sql
}

const EVERYTHING = raw('1 = 1')
const NOTHING = raw('1 = 0')

export function compileSearch(
  query: Pick<SearchQuery, 'filter' | 'sort'>,
  fields: SearchFields,
  idColumn: Sql,
): CompiledSearch {
  const conditions = query.filter.map((condition) => {
    const field = fieldAt('Filter', condition.path, fields)
    const { found } = field
    if (found === undefined) return compileCondition(condition, field)
    return found.by(compileCondition(condition, { ...field, column: found.column }))
  })
  // NULL counts as the largest value. That is PostgreSQL's own order, so its indexes serve it.
  const order = query.sort.map(({ path, descending }) => {
    const { column } = fieldAt('Sort', path, fields)
    return descending ? sql`${column} DESC NULLS FIRST` : sql`${column} ASC NULLS LAST`
  })
  return { where: all(conditions), orderBy: join([...order, sql`${idColumn} ASC`], ', ') }
}

function compileCondition(condition: Condition, field: SearchField): Sql {
  const at = `Filter.${condition.path}`
  switch (condition.operator) {
    case 'match':
      if (field.type === 'tags') return all(condition.words.map((word) => partOfTag(field, word)))
      if (field.type !== 'text' || field.exact) return isOneOf(at, field, [condition.text])
      return all(condition.words.map((word) => partOfText(field, word)))
    case 'equals':
      return isOneOf(at, field, [condition.value])
    case 'in':
      return isAnyOf(at, field, condition.values)
    default:
      return compare(`${at}${condition.operator}`, field, condition.operator, condition.value)
  }
}

function isAnyOf(
  at: string,
  field: SearchField,
  values: readonly (Scalar | readonly Scalar[])[],
): Sql {
  const single: Scalar[] = []
  const groups: Sql[] = []
  for (const value of values) {
    if (typeof value !== 'object') single.push(value)
    else groups.push(all(value.map((inner) => isOneOf(at, field, [inner]))))
  }
  return any(single.length === 0 ? groups : [isOneOf(at, field, single), ...groups])
}

function isOneOf(at: string, field: SearchField, values: readonly Scalar[]): Sql {
  const { column } = field
  if (field.type === 'tags') return any(values.map((value) => wholeTag(field, String(value))))
  if (field.type === 'datetime') {
    return any(
      values.map((value) => {
        const [start, end] = parsePeriod(at, value)
        return sql`(${column} >= ${start} AND ${column} < ${end})`
      }),
    )
  }
  const operands = values.map((value) => {
    if (field.type === 'number') return numberOperand(parseNumber(at, value))
    if (field.type === 'boolean') return sql`${parseBoolean(at, value)}`
    return sql`${String(value)}`
  })
  return operands.length === 0 ? NOTHING : sql`${column} IN (${join(operands, ', ')})`
}

function compare(at: string, field: SearchField, operator: Comparison, value: Scalar): Sql {
  const { column, type } = field
  if (type === 'number') {
    return sql`${column} ${raw(operator)} ${numberOperand(parseNumber(at, value))}`
  }
  if (type === 'datetime') {
    // "After" and "up to" a second have its end as their border, the other two its start.
    const [start, end] = parsePeriod(at, value)
    const border = operator === '>' || operator === '<=' ? end : start
    return sql`${column} ${raw(operator.startsWith('>') ? '>=' : '<')} ${border}`
  }
  if (type === 'text') return sql`${column} ${raw(operator)} ${String(value)}`
  throw new BadRequest(`${at} cannot be compared.`, `${at} は比較できません。`)
}

function partOfText(field: SearchField, word: string): Sql {
  const pattern = `%${asciiLower(word).replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`lower(${field.column}) LIKE ${pattern} ESCAPE '\\'`
}

// Tags are kept apart by a control character, so that a needle with one could span two of them.
function partOfTag(field: SearchField, word: string): Sql {
  return hasControl(word) ? NOTHING : partOfText(field, word)
}

// Not LIKE, which ignores case in SQLite. What loses something by the removal has the tag.
function wholeTag({ column }: SearchField, tag: string): Sql {
  if (hasControl(tag)) return NOTHING
  return sql`replace(${column}, ${`\n${tag}\n`}, '') <> ${column}`
}

// PostgreSQL takes a parameter beside an integer column for one of its 32 or 64 bits and fails on any other.
function numberOperand(value: number): Sql {
  return (value | 0) === value ? sql`${value}` : sql`CAST(${value} AS DOUBLE PRECISION)`
}

// Only ASCII, as lower() does in both engines; toLowerCase would change more than that.
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function all(parts: readonly Sql[]): Sql {
  return balance(parts, ' AND ', EVERYTHING)
}

function any(parts: readonly Sql[]): Sql {
  return balance(parts, ' OR ', NOTHING)
}

// SQLite limits the depth of an expression to 1000, and a chain is as deep as it is long.
function balance(parts: readonly Sql[], operator: string, none: Sql): Sql {
  const [first] = parts
  if (first === undefined) return none
  if (parts.length === 1) return first
  const middle = Math.ceil(parts.length / 2)
  const left = balance(parts.slice(0, middle), operator, none)
  const right = balance(parts.slice(middle), operator, none)
  return sql`(${left}${raw(operator)}${right})`
}
