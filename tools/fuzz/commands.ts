/** A sequence of calls as commands of a shell: what an answer gives to a later call goes there by a variable. */
import { type Call, toCurl, toWire } from './call.ts'
import { callOf, Pool, type Step, step } from './step.ts'

export interface Repeated {
  readonly step: Step
  readonly call: Call
  /** What its answer gave to later calls, by name. */
  readonly learned: ReadonlyMap<string, string>
}

export const RESET = step('reset', { body: { to: 'world' } })

/** A shorter one may stand anywhere by chance. */
const VALUE_MIN = 3

/** They begin with a reset, so that they also repeat it on a server that was used before. */
export function commandsOf(origin: string, sequence: readonly Repeated[]): string {
  const variables = new Map<string, string>()
  const lines = sequence.map(({ step: { keep }, call, learned }, index) => {
    const command = withVariables(toCurl(origin, toWire(call)), variables)
    const later = sequence.slice(index + 1).map((one) => toCurl(origin, toWire(one.call)))
    const needed = [...learned].filter(
      ([, value]) => value.length >= VALUE_MIN && placeOf(value).test(later.join()),
    )
    if (needed.length === 0) return command
    const parts = needed.map(([name, value]) => {
      const variable = `${name.replaceAll(/\W/g, '_')}_${index}`
      variables.set(value, variable)
      const read = readingOf(keep[name] ?? '', value)
      return `${variable}=$(printf %s "$ANSWER" | node -p '${read}')`
    })
    return [`ANSWER=$(${command} -s)`, ...parts].join('; ')
  })
  return [toCurl(origin, toWire(callOf(RESET, new Pool()))), ...lines].join('\n')
}

function withVariables(command: string, variables: ReadonlyMap<string, string>): string {
  // All arguments are in single quotes.
  return [...variables].reduce(
    (text, [value, variable]) => text.replaceAll(placeOf(value), `'"$${variable}"'`),
    command,
  )
}

/** Where the whole value stands. */
function placeOf(value: string): RegExp {
  const literal = value.replaceAll(/\W/g, '\\$&')
  return new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g')
}

/** As `learn` reads it: of an address, the last segment. */
function readingOf(path: string, value: string): string {
  const text = 'fs.readFileSync(0, "utf8")'
  const names = path === '' ? [] : path.split('.')
  const members = names.map((name) => `[${JSON.stringify(name)}]`).join('')
  const read = path === '' ? text : `JSON.parse(${text})${members}`
  return value.includes('/') ? read : `String(${read}).split("/").at(-1)`
}
