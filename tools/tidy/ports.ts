/**
 * Time, randomness and the environment enter the server at one place each. A virtual clock and a
 * seed govern only what asks them, and nobody finds by reading what went past them.
 */
import ts from 'typescript'
import { type Check, isTest } from './finding.ts'
import { findNodes, importsOf, memberOf, parse } from './syntax.ts'

const SERVER = 'packages/server/src/'
const CLOCK = `${SERVER}kernel/clock.ts`
const RANDOM = `${SERVER}kernel/random.ts`
const PROGRAM = `${SERVER}start/program.ts`

function applies(path: string, ...except: string[]): boolean {
  return path.startsWith(SERVER) && path.endsWith('.ts') && !isTest(path) && !except.includes(path)
}

const TIMERS = ['setTimeout', 'setInterval']
const TIME_READERS = ['Date.now', 'performance.now', 'process.hrtime']
const TIME_MODULES = ['timers', 'timers/promises', 'perf_hooks']

export const readsNoTime: Check = (path, text) => {
  if (!applies(path, CLOCK, RANDOM)) return []
  return findNodes(path, text, (node) => {
    const what = timeRead(node)
    return what && `${what}: time is read and timers are set in kernel/clock.ts alone`
  })
}

function timeRead(node: ts.Node): string | undefined {
  const outside = importsOf(node).find(
    ({ module, name }) =>
      TIME_MODULES.includes(module) || (module === 'process' && name === 'hrtime'),
  )
  if (outside !== undefined) return `import of ${outside.name} from ${outside.module}`
  if (ts.isNewExpression(node) && isDate(node.expression) && !node.arguments?.length) {
    return 'new Date()'
  }
  if (ts.isCallExpression(node) && isDate(node.expression)) return 'Date()'
  const member = memberOf(node)
  if (member !== undefined) {
    const { object, name } = member
    const full = `${object.replace(/^globalThis\./, '')}.${name}`
    if (TIME_READERS.includes(full)) return full
    return object === 'globalThis' && TIMERS.includes(name) ? name : undefined
  }
  return ts.isIdentifier(node) && TIMERS.includes(node.text) && isBare(node) ? node.text : undefined
}

function isDate(node: ts.Node): boolean {
  return ts.isIdentifier(node) && node.text === 'Date'
}

/** Not `socket.setTimeout`, which is the socket's own, nor a member that is called so. */
function isBare({ parent }: ts.Identifier): boolean {
  return !(
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isImportSpecifier(parent)
  )
}

/** What `crypto` gives at random; keys and signatures of its own are another matter. */
const ENTROPY = /^(random\w*|pseudoRandomBytes|getRandomValues|webcrypto)$/

export const makesNoEntropy: Check = (path, text) => {
  if (!applies(path, RANDOM)) return []
  const crypto = new Set(['crypto', 'webcrypto', 'globalThis.crypto'])
  ts.forEachChild(parse(path, text), (node) => {
    for (const { module, name, local } of importsOf(node)) {
      if (module === 'crypto' && name === '*') crypto.add(local)
    }
  })
  return findNodes(path, text, (node) => {
    const what = entropyMade(node, crypto)
    return what && `${what}: random bytes come from kernel/random.ts alone`
  })
}

function entropyMade(node: ts.Node, crypto: ReadonlySet<string>): string | undefined {
  const outside = importsOf(node).find(
    ({ module, name }) => module === 'crypto' && ENTROPY.test(name),
  )
  if (outside !== undefined) return `import of ${outside.name} from node:crypto`
  const member = memberOf(node)
  if (member === undefined) return undefined
  const { object, name } = member
  const found = crypto.has(object) ? ENTROPY.test(name) : object === 'Math' && name === 'random'
  return found ? `${object}.${name}` : undefined
}

export const readsNoEnvironment: Check = (path, text) => {
  if (!applies(path, PROGRAM)) return []
  return findNodes(path, text, (node) => {
    const member = memberOf(node)
    const read = member !== undefined && member.name === 'env' && /\bprocess$/.test(member.object)
    const imported = importsOf(node).some(
      ({ module, name }) => module === 'process' && name === 'env',
    )
    return read || imported ? 'process.env: settings are read in start/program.ts alone' : undefined
  })
}
