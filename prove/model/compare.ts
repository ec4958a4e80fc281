/** Whether an answer is what the model expects. */
import type { Body, Expected } from './command.ts'

export interface Answer {
  readonly status: number
  readonly body: Body
}

/** Where they differ first; undefined when they agree. */
export function difference({ status, shows }: Expected, answer: Answer): string | undefined {
  if (answer.status !== status) {
    const cause = answer.body?.error_msg
    const why = cause === undefined ? '' : ` (${cause.replaceAll('\n', ' ')})`
    return `the status is ${answer.status}${why} instead of ${status}`
  }
  return shows === undefined ? undefined : differs(shows, answer.body, '')
}

/** Objects may show more than the model knows; lists may not. */
function differs(expected: unknown, shown: unknown, path: string): string | undefined {
  if (typeof expected === 'function') {
    return expected(shown) ? undefined : `${path} is ${text(shown)}`
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(shown) || shown.length !== expected.length) {
      return `${path} is ${text(shown)} instead of ${text(expected)}`
    }
    return first(expected.map((one, index) => differs(one, shown[index], `${path}[${index}]`)))
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof shown !== 'object' || shown === null) {
      return `${path} is ${text(shown)} instead of ${text(expected)}`
    }
    const members = new Map(Object.entries(shown))
    return first(
      Object.entries(expected).map(([name, one]) =>
        differs(one, members.get(name), `${path}.${name}`),
      ),
    )
  }
  return expected === shown ? undefined : `${path} is ${text(shown)} instead of ${text(expected)}`
}

const first = (found: readonly (string | undefined)[]) => found.find((one) => one !== undefined)
const text = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))
