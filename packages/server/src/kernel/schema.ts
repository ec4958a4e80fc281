/**
 * Validation of outside data against a schema. Nothing is coerced, filled in or removed: what is
 * checked is what was sent. Problems name the field by its path and say what is wrong in both
 * languages; for a broken pattern they show it, as the interface wants.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import type { Text } from './errors.ts'

export type Path = readonly (string | number)[]

export interface Problem {
  readonly path: Path
  readonly text: Text
}

const ajv = new Ajv2020({
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  allErrors: false,
  strict: true,
  // A union of types is how the interface itself describes `string or null`.
  allowUnionTypes: true,
  validateFormats: false,
  // Our schemas are judged by a test (contracts.test.ts); a start has no time for it.
  meta: false,
  validateSchema: false,
})

/**
 * The returned function answers with the first problem, or undefined. It compiles when it is first used:
 * a server has some hundred schemas, and a start that compiled them all would take twice as long.
 */
export function compileSchema(schema: TSchema): (value: unknown) => Problem | undefined {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    if (validate(value)) return undefined
    return toProblem(mostTelling(validate.errors ?? []))
  }
}

/**
 * A failed union reports each alternative and then itself. Of `string or null`, or of a
 * choice that may be left empty, the real alternative's complaint is the one to show; of several real alternatives only the union's own says what is wrong.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject {
  const ofAlternatives = errors.filter(
    ({ keyword, params }) =>
      keyword !== 'anyOf' && params.type !== 'null' && params.allowedValue !== '',
  )
  const union = errors[errors.length - 1]
  const [first] = ofAlternatives
  const agree = ofAlternatives.every((error) => error.message === first?.message)
  // A list of choices tells more than the type of an alternative beside it.
  const choice = ofAlternatives.find(({ keyword }) => keyword === 'enum')
  const told = choice ?? (agree ? first : undefined) ?? union
  if (told === undefined) throw new Error('A failed validation has no error.')
  return told
}

/** `CommonServiceItem.Tags[3]`, as people write it. */
export function formatPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

function toProblem(error: ErrorObject): Problem {
  const path = parsePointer(error.instancePath)
  const params: Record<string, unknown> = error.params
  switch (error.keyword) {
    case 'required':
      return {
        path: [...path, String(params.missingProperty)],
        text: { en: 'is missing.', ja: 'がありません。' },
      }
    case 'additionalProperties':
      return {
        path: [...path, String(params.additionalProperty)],
        text: { en: 'is not known here.', ja: 'は不明な項目です。' },
      }
    default:
      return { path, text: describe(error.keyword, params) }
  }
}

function describe(keyword: string, params: Record<string, unknown>): Text {
  const limit = String(params.limit)
  switch (keyword) {
    case 'type': {
      const wanted = [params.type].flat().join(' or ')
      return { en: `must be of type ${wanted}.`, ja: `の型は ${wanted} でなければなりません。` }
    }
    case 'pattern':
      return {
        en: `does not match the pattern ${params.pattern}`,
        ja: `がパターンに一致しません: ${params.pattern}`,
      }
    case 'enum': {
      const values = [params.allowedValues].flat().map(String).join(', ')
      return { en: `must be one of: ${values}`, ja: `は次のいずれかです: ${values}` }
    }
    case 'const':
      return { en: `must be ${params.allowedValue}.`, ja: `は ${params.allowedValue} です。` }
    case 'minLength':
      return { en: `needs at least ${limit} characters.`, ja: `は ${limit} 文字以上です。` }
    case 'maxLength':
      return { en: `may have at most ${limit} characters.`, ja: `は ${limit} 文字以下です。` }
    case 'minItems':
      return { en: `needs at least ${limit} entries.`, ja: `は ${limit} 件以上です。` }
    case 'maxItems':
      return { en: `may have at most ${limit} entries.`, ja: `は ${limit} 件以下です。` }
    case 'minimum':
      return { en: `must be ${limit} or more.`, ja: `は ${limit} 以上です。` }
    case 'maximum':
      return { en: `must be ${limit} or less.`, ja: `は ${limit} 以下です。` }
    case 'anyOf':
      return { en: 'has none of the allowed forms.', ja: 'の形式が正しくありません。' }
    default:
      return { en: `breaks the rule ${keyword}.`, ja: `が規則 ${keyword} に反しています。` }
  }
}

function parsePointer(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}
