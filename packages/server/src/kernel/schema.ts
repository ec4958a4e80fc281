/**
 * Validation of outside data against a schema. Nothing is coerced, filled in or removed: what is
 * checked is what was sent. Problems name the field by its path and say what is wrong in both
 * languages; for a broken pattern they show it, as the interface wants.
 */
import type { Text } from './errors.ts'
import type { Failure, Path } from './failure.ts'
import type { TSchema } from './type.ts'
import { type Find, finderOf } from './validator.ts'

export type { Path } from './failure.ts'

export interface Problem {
  readonly path: Path
  readonly text: Text
}

/** The returned function answers with the first problem, or undefined. It is made when it is first used. */
export function compileSchema(schema: TSchema): (value: unknown) => Problem | undefined {
  let find: Find | undefined
  return (value) => {
    find ??= finderOf({ ...schema })
    const failure = find(value)
    return failure && toProblem(mostTelling(failure))
  }
}

/**
 * A failed union has what each alternative says. Of `string or null`, or of a choice that may be left
 * empty, the real alternative's complaint is the one to show; of several real alternatives only the
 * union's own says what is wrong.
 */
function mostTelling(failure: Failure): Failure {
  const said = complaintsOf(failure).filter(
    ({ keyword, wanted }) => keyword !== 'anyOf' && wanted !== 'null' && wanted !== '',
  )
  const [first] = said
  const agree = said.every((other) => first && describe(other).en === describe(first).en)
  // A list of choices tells more than the type of an alternative beside it.
  const choice = said.find(({ keyword }) => keyword === 'enum')
  return choice ?? (agree ? first : undefined) ?? failure
}

function complaintsOf(failure: Failure): Failure[] {
  return [...failure.alternatives.flatMap(complaintsOf), failure]
}

/** `CommonServiceItem.Tags[3]`, as people write it. */
export function formatPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

function toProblem(failure: Failure): Problem {
  return { path: failure.path, text: describe(failure) }
}

function describe({ keyword, wanted }: Failure): Text {
  const limit = String(wanted)
  switch (keyword) {
    case 'required':
      return { en: 'is missing.', ja: 'がありません。' }
    case 'additionalProperties':
      return { en: 'is not known here.', ja: 'は不明な項目です。' }
    case 'type': {
      const types = [wanted].flat().join(' or ')
      return { en: `must be of type ${types}.`, ja: `の型は ${types} でなければなりません。` }
    }
    case 'pattern':
      return {
        en: `does not match the pattern ${limit}`,
        ja: `がパターンに一致しません: ${limit}`,
      }
    case 'enum': {
      const values = [wanted].flat().map(String).join(', ')
      return { en: `must be one of: ${values}`, ja: `は次のいずれかです: ${values}` }
    }
    case 'const':
      return { en: `must be ${limit}.`, ja: `は ${limit} です。` }
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
