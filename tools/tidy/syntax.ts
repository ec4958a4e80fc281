/** Source files as trees: what a comment or a string says is not what the code does. */
import ts from 'typescript'
import type { Finding } from './finding.ts'

export type Visit = (node: ts.Node) => string | undefined

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile()
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}

/** Goes through all nodes; what `visit` answers with becomes a finding at that node. */
export function findNodes(path: string, text: string, visit: Visit): Finding[] {
  const findings: Finding[] = []
  const walk = (node: ts.Node): void => {
    const message = visit(node)
    if (message !== undefined) findings.push({ path, line: lineOf(node), message })
    ts.forEachChild(node, walk)
  }
  walk(parse(path, text))
  return findings
}

export interface Member {
  readonly object: string
  readonly name: string
}

/** `a.b` and `a['b']` alike. */
export function memberOf(node: ts.Node): Member | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    return { object: node.expression.getText(), name: node.name.text }
  }
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return { object: node.expression.getText(), name: node.argumentExpression.text }
  }
  return undefined
}

export interface Imported {
  /** Without `node:`. */
  readonly module: string
  /** As the module calls it; `*` for the module as a whole. */
  readonly name: string
  /** As the file calls it. */
  readonly local: string
}

/** Each name that an import declaration brings in to be used at run time. */
export function importsOf(node: ts.Node): Imported[] {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return []
  const module = node.moduleSpecifier.text.replace(/^node:/, '')
  const clause = node.importClause
  if (clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return []
  const whole = clause.name === undefined ? [] : [{ module, name: '*', local: clause.name.text }]
  const bindings = clause.namedBindings
  if (bindings === undefined) return whole
  if (ts.isNamespaceImport(bindings)) return [{ module, name: '*', local: bindings.name.text }]
  const named = bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => ({
      module,
      name: (propertyName ?? name).text,
      local: name.text,
    }))
  return [...whole, ...named]
}
