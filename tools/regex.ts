/**
 * Checks that every regular expression of what we ship takes linear time, whatever it meets: a pattern that tries
 * a position again for each position lets one request of 16 KiB stop the server. It reads the literals, the
 * patterns of schemas and what is given to `RegExp`. One that is built while the program runs cannot be read
 * here: it is a finding, unless its file says below why it is linear.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { finish, isProgram, REPOSITORY } from './lib/program.ts'

// Without the programs that the package starts otherwise: they are not there on every machine.
process.env.RECHECK_SYNC_BACKEND = 'pure'
const { checkSync } = await import('recheck')

/** Where patterns are built while the program runs, and why that is linear. */
const BUILT: Readonly<Record<string, string>> = {
  'packages/cli/src/commands/exec.ts': 'reads the banner of our own server, by names of our source',
  'packages/server/src/kernel/shapes.ts': 'the patterns are those of schemas, which are read here',
  'packages/server/src/kernel/validator.ts':
    'the patterns are those of schemas, which are read here',
  'packages/server/src/services/control/secret-path-rules.ts':
    'a path of a contract: fixed text and segments, of which none can be matched in two ways',
  'packages/server/src/services/sms/rules.ts': 'one class of characters, so often as a number says',
  'packages/server/src/kernel/s3-client.ts':
    'the name of a tag of our source, and text up to the next "<"',
}

/** A constant of such a name is a pattern, and is read where it is declared. */
const PATTERN_NAME = /(?:_PATTERN|^NO_NUL)$/

/** Each takes milliseconds; so long only where a machine is busy with other things. */
const TIMEOUT_MS = 60_000
/** Up to so many repetitions the proof by automata is used, which is faster than trying inputs. */
const REPEATS_MAX = 300

export interface Pattern {
  readonly source: string
  readonly flags: string
  readonly line: number
}

export interface Found {
  readonly patterns: readonly Pattern[]
  /** The lines of those that are built while the program runs. */
  readonly built: readonly number[]
}

export function patternsOf(path: string, text: string): Found {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const patterns: Pattern[] = []
  const built: number[] = []
  const take = (node: ts.Node, flags: string) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    if (ts.isStringLiteralLike(node)) patterns.push({ source: node.text, flags, line })
    else if (!ts.isIdentifier(node) || !PATTERN_NAME.test(node.text)) built.push(line)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      patterns.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line })
    } else if (isCallOfRegExp(node)) {
      const [source, flags] = node.arguments ?? []
      if (source !== undefined) take(source, flags && ts.isStringLiteral(flags) ? flags.text : '')
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
      take(node.initializer, 'u')
    } else if (ts.isVariableDeclaration(node) && PATTERN_NAME.test(node.name.getText())) {
      // A regular expression under such a name is read as the literal that it is.
      const value = node.initializer
      if (value !== undefined && !ts.isRegularExpressionLiteral(value)) take(value, 'u')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { patterns, built }
}

function isCallOfRegExp(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === 'RegExp'
  )
}

const known = new Map<string, string | undefined>()

/** Undefined when the time is linear. Many patterns occur several times, and each is checked once. */
export function slowness(source: string, flags: string): string | undefined {
  const key = `${flags}/${source}`
  if (!known.has(key)) known.set(key, check(source, flags))
  return known.get(key)
}

function check(source: string, flags: string): string | undefined {
  // By steps alone: what takes long on a busy machine is not slow for that.
  const byTime = { timeout: TIMEOUT_MS, incubationTimeout: null, attackTimeout: null }
  const limits = { ...byTime, maxRepeatCount: REPEATS_MAX }
  const result = checkSync(source, flags, { ...limits, randomSeed: 1 })
  if (result.status === 'safe') return undefined
  if (result.status === 'vulnerable') return result.complexity.summary
  return `it cannot be told (${result.error.kind}): write it more simply`
}

/** `allowed`: the files that may build patterns. */
export function findings(
  path: string,
  text: string,
  allowed: Readonly<Record<string, string>> = BUILT,
): string[] {
  const { patterns, built } = patternsOf(path, text)
  const isAllowed = Object.hasOwn(allowed, path)
  return [
    ...patterns.flatMap(({ source, flags, line }) => {
      const slow = slowness(source, flags)
      return slow === undefined ? [] : [`${path}:${line}: /${source}/${flags}: ${slow}`]
    }),
    ...(isAllowed ? [] : built.map((line) => `${path}:${line}: the pattern cannot be read here`)),
  ]
}

if (isProgram(import.meta.url)) {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: REPOSITORY })
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .sort()
  if (files.length === 0) throw new Error('There are no files to read.')
  const all = files.flatMap((path) => findings(path, readFileSync(join(REPOSITORY, path), 'utf8')))
  finish('regex', `${files.length} files`, all)
}
