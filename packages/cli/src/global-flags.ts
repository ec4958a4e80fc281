/** The flags of every command, which may stand anywhere in the line: also before the noun or the verb. */
import { GUIDES } from './guides.ts'

/** Those that take a value. */
const WITH_VALUE = [
  'ca',
  'columns',
  'data',
  'operator-token',
  'operator-url',
  'output',
  'query',
  'secret',
  'token',
  'url',
  'zone',
] as const
const WITHOUT_VALUE = ['json', 'utc', 'yes'] as const

/** No flag of an operation may be called so. */
export const TAKEN_FLAGS: ReadonlySet<string> = new Set([
  ...WITH_VALUE,
  ...WITHOUT_VALUE,
  ...['all', 'body', 'file', 'help', 'save-as', 'version', 'wait'],
])

/** `--url U sim --json list x` is `sim list --url U --json x`. */
export function flagsAfterVerb(args: readonly string[]): readonly string[] {
  const words: string[] = []
  const flags: string[] = []
  let at = 0
  for (let wanted = 2; words.length < wanted && at < args.length; ) {
    const count = flagLength(args[at] ?? '')
    if (count === 0) {
      const word = args[at] ?? ''
      // What nobody knows is left to the parser, with all that follows.
      if (word.startsWith('-')) break
      words.push(word)
      at += 1
      if (isGuide(word)) wanted = 1
    } else {
      flags.push(...args.slice(at, at + count))
      at += count
    }
  }
  return words.length === 0 ? args : [...words, ...flags, ...args.slice(at)]
}

/** How many arguments it takes with its value; 0 for what is no flag of every command. */
function flagLength(arg: string): number {
  const [, name = '', value] = /^--([a-z-]+)(=.*)?$/s.exec(arg === '-o' ? '--output' : arg) ?? []
  if (WITHOUT_VALUE.some((one) => one === name)) return 1
  if (!WITH_VALUE.some((one) => one === name)) return 0
  return value === undefined ? 2 : 1
}

function isGuide(word: string): boolean {
  return GUIDES.some(({ name }) => name === word)
}
