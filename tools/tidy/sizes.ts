/** A file is read in one sitting, a function on one screen. */
import ts from 'typescript'
import { type Finding, isGenerated, lineWith, type TextFile } from './finding.ts'
import { lineOf, parse } from './syntax.ts'

export const FILE_LINES_MAX = 399
export const FUNCTION_LINES_MAX = 60

/** One that is too long and known to be. The list may only shrink. */
export interface Exception {
  readonly file: string
  /** Absent when the file itself is too long. */
  readonly function?: string
  readonly lines: number
}

interface Size extends Exception {
  readonly line: number
}

/** All that is too long and not excepted, and all exceptions that do not fit what they except. */
export function sizeFindings(files: readonly TextFile[], list: TextFile): Finding[] {
  const exceptions: readonly Exception[] = JSON.parse(list.text)
  const found = files.flatMap(({ path, text }) => tooLong(path, text))
  const known = new Map(exceptions.map((exception) => [key(exception), exception]))
  const present = new Set(found.map(key))
  const unknown = found.flatMap((size): Finding[] => {
    const exception = known.get(key(size))
    if (exception?.lines === size.lines) return []
    const message = exception === undefined ? describe(size) : drifted(size, exception)
    return [{ path: size.file, line: size.line, message }]
  })
  const needless = exceptions
    .filter((exception) => !present.has(key(exception)))
    .map((exception) => ({
      path: list.path,
      line: lineWith(list.text, exception.function ?? exception.file),
      message: `${key(exception)} is no longer too long: remove its entry`,
    }))
  return [...unknown, ...needless]
}

function key({ file, function: name }: Exception): string {
  return name === undefined ? file : `${file} ${name}`
}

function describe({ function: name, lines }: Size): string {
  if (name === undefined) return `the file has ${lines} lines; at most ${FILE_LINES_MAX} are wanted`
  return `the function ${name} has ${lines} lines; at most ${FUNCTION_LINES_MAX} are wanted`
}

function drifted(size: Size, exception: Exception): string {
  const grown = size.lines > exception.lines
  return grown
    ? `${describe(size)}; it has grown from the ${exception.lines} that were excepted`
    : `${key(size)} has shrunk to ${size.lines} lines: lower its entry from ${exception.lines}`
}

function tooLong(path: string, text: string): Size[] {
  if (!/\.(ts|tsx|mjs|js)$/.test(path) || isGenerated(path)) return []
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const functions = functionSizes(path, text).filter((size) => size.lines > FUNCTION_LINES_MAX)
  return lines > FILE_LINES_MAX ? [{ file: path, line: 1, lines }, ...functions] : functions
}

/** A function inside another counts for both. */
export function functionSizes(path: string, text: string): Size[] {
  const source = parse(path, text)
  const sizes: Size[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const counts = !isHandlers(node.body) && !(path.endsWith('.test.ts') && isTestBlock(node))
      const end = source.getLineAndCharacterOfPosition(node.getEnd()).line + 1
      const line = lineOf(node)
      if (counts) sizes.push({ file: path, function: nameOf(node), line, lines: end - line + 1 })
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return sizes
}

/** `describe` and `test` tell a story; their length is that of the story. */
function isTestBlock(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent) || node.parent.expression === node) return false
  return /^(describe|suite|test|it|before|after|beforeEach|afterEach)\b/.test(
    node.parent.expression.getText(),
  )
}

/** A body that takes its arguments apart and returns an object of functions is a list of them. */
function isHandlers(body: ts.Node): boolean {
  if (!ts.isBlock(body)) return isObjectOfFunctions(body)
  const last = body.statements.at(-1)
  if (last === undefined || !ts.isReturnStatement(last) || last.expression === undefined)
    return false
  return body.statements.slice(0, -1).every(takesApart) && isObjectOfFunctions(last.expression)
}

function takesApart(statement: ts.Statement): boolean {
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.every(
      ({ name, initializer }) =>
        ts.isObjectBindingPattern(name) &&
        initializer !== undefined &&
        ts.isIdentifier(initializer),
    )
  )
}

function isObjectOfFunctions(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node)) return isObjectOfFunctions(node.expression)
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some((member) => !ts.isSpreadAssignment(member)) &&
    node.properties.every(
      (member) =>
        ts.isSpreadAssignment(member) ||
        ts.isMethodDeclaration(member) ||
        ts.isShorthandPropertyAssignment(member) ||
        (ts.isPropertyAssignment(member) && ts.isFunctionLike(member.initializer)),
    )
  )
}

/** Its own name, or that of what it is given to; a method is named after its class, too. */
function nameOf(node: ts.SignatureDeclaration): string {
  const { parent } = node
  const own =
    node.name?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : undefined)
  if (own !== undefined) return ts.isClassLike(parent) ? `${parent.name?.text}.${own}` : own
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) {
    return parent.name.getText()
  }
  return ts.isCallExpression(parent) ? `(given to ${parent.expression.getText()})` : '(anonymous)'
}
