/**
 * Compares answers with what the contract says about the form of query and body: what fits it must not be refused
 * for its form, and what does not fit must not succeed. ajv decides, which the server does not use.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import { textProblem } from '../../packages/server/src/kernel/text-check.ts'
import type { TSchema } from '../../packages/server/src/kernel/type.ts'
import { type Call, operations } from './call.ts'
import type { Outcome } from './target.ts'

const ajv = new Ajv({ strict: false, validateFormats: false })

const compiled = new Map<TSchema, ValidateFunction>()

export function fits(schema: TSchema, value: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(value)
}

export type Form = 'fits' | 'outside' | 'undecided'

/** What the contract says about the form of a call, whatever else may be wrong with it. */
export function formOf({ name, body, query }: Call): Form {
  const operation = operations.get(name)?.operation
  if (operation === undefined) return 'undecided'
  const { textBody, bytesBody, fileBody, plainQuery, method } = operation
  if (textBody || bytesBody || fileBody !== undefined) return 'undecided'
  const forms: Form[] = []
  if (operation.query !== undefined && query !== '') {
    if (operation.query === 'search' || plainQuery) return 'undecided'
    const text = decode(query)
    // Anything else is read as pairs of names and values.
    if (!text?.startsWith('{')) return 'undecided'
    forms.push(formOfText(operation.query, text))
  }
  if (operation.body !== undefined && method !== 'GET') {
    forms.push(formOfText(operation.body, body))
  } else if (body !== undefined) return 'undecided'
  if (forms.includes('outside')) return 'outside'
  return forms.length > 0 && forms.every((form) => form === 'fits') ? 'fits' : 'undecided'
}

function formOfText(schema: TSchema, text: string | undefined): Form {
  const value = parse(text)
  // What is no JSON, or not in the form of JSON that a query has, has rules of its own.
  if (typeof value !== 'object' || value === null) return 'undecided'
  if (textProblem(value) !== undefined || !isExact(value)) return 'undecided'
  return fits(schema, value) ? 'fits' : 'outside'
}

/** The server takes no integer that a number of JavaScript does not hold exactly; to ajv it is one like any other. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

/** As http/input.ts words what a schema refuses. Rules, too, say what is missing: for one kind of item and no other. */
const REFUSED_FORM = new RegExp(
  ` (${[
    'is not known here\\.',
    'must be of type [a-z ]+\\.',
    'needs at least \\d+ (characters|entries)\\.',
    'may have at most \\d+ (characters|entries)\\.',
    'has none of the allowed forms\\.',
  ].join('|')})$`,
)

export function judgeForm(form: Form, { status, text }: Outcome): string | undefined {
  if (form === 'outside' && status < 300) return 'it takes what its contract excludes'
  if (form !== 'fits' || status !== 400) return undefined
  const message: unknown = Object(parse(text)).error_msg
  const isRefused = typeof message === 'string' && REFUSED_FORM.test(message)
  return isRefused ? `it refuses the form of what fits its contract: ${message}` : undefined
}

function decode(query: string): string | undefined {
  try {
    return decodeURIComponent(query)
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
