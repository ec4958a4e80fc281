/** The commands of the command line: a noun and a verb for each operation, and flags for what it takes. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import { flagsOf } from './cli-flags.ts'
import { HEAD, listIn } from './client-table.ts'
import { type Json, plain } from './json.ts'
import { type NamedOperation, operationsOf } from './operations.ts'

export function cliCommands(slices: readonly Slice[]): string {
  const operations = operationsOf(slices)
  const nouns = nounsOf(slices, operations)
  const lists = namedLists(operations)
  const entries = operations.map((named) => entry(named, nouns, lists))
  return `${HEAD}import type { CommandEntry } from '../command-entry.ts'

export const commands: readonly CommandEntry[] = [
${entries.join('')}]
`
}

function entry(
  { name, family, operation }: NamedOperation,
  nouns: ReadonlySet<string>,
  lists: ReadonlyMap<string, string>,
): string {
  const { noun, verb } = wordsOf(name, nouns)
  const { params, query, textBody, media, summary, method } = operation
  const { flags, fixed } = flagsOf(operation)
  const transfer = transferOf(name, plain(operation.reply))
  const order = pathOrder(operation.path)
  const named = order.flatMap((param) => {
    const found = lists.get(`${family.name} ${param}`)
    return found === undefined ? [] : [`${param}: '${found}'`]
  })
  const wait = method !== 'GET' && hasAvailability(plain(operation.reply))
  const members = [
    `noun: ${quote(noun)}`,
    `verb: ${quote(verb)}`,
    `operation: ${quote(name)}`,
    `summary: ${quote(summary)}`,
    ...(params === undefined ? [] : [`params: ${list(order)}`]),
    ...(named.length === 0 ? [] : [`named: { ${named.join(', ')} }`]),
    ...(query === 'search' ? ['search: true'] : []),
    ...(textBody ? ['text: true'] : []),
    ...(media === undefined ? [] : ['media: true']),
    ...(transfer === undefined ? [] : [`transfer: '${transfer}'`]),
    ...(wait ? ['waits: true'] : []),
    ...(Object.keys(fixed).length === 0 ? [] : [`fixed: ${JSON.stringify(fixed)}`]),
    ...(flags.length === 0
      ? []
      : [`flags: [\n${flags.map((flag) => `      ${flag},\n`).join('')}    ]`]),
  ]
  return `  {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`
}

/** What nobody would look for under the word that its name begins with. */
const OTHER_WORDS: Readonly<Record<string, { readonly noun: string; readonly verb: string }>> = {
  // `kumoi edge` runs one.
  edgeList: { noun: 'delivery-edge', verb: 'list' },
  edgeDelete: { noun: 'delivery-edge', verb: 'delete' },
  operatorBillList: { noun: 'bill', verb: 'list-all' },
  operatorMessageFetch: { noun: 'device', verb: 'message-fetch' },
  operatorMessageSend: { noun: 'device', verb: 'message-send' },
}

/**
 * `gatewaySimAdd` is `gateway sim-add`, since a gateway is a noun of its own: a slice is called so, or an
 * operation of two words begins so. `guardTokenCreate` is `guard-token create`.
 */
export function wordsOf(
  operation: string,
  nouns: ReadonlySet<string>,
): { readonly noun: string; readonly verb: string } {
  const other = OTHER_WORDS[operation]
  if (other !== undefined) return other
  const words = operation.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const [first = ''] = words
  const count = nouns.has(first) ? 1 : Math.max(1, words.length - 1)
  return { noun: words.slice(0, count).join('-'), verb: words.slice(count).join('-') }
}

/** Kinds of items, which the command line has as nouns in any case (packages/cli/src/kinds.ts). */
const KINDS = ['sim', 'sms', 'project']

export function nounsOf(
  slices: readonly Slice[],
  operations: readonly NamedOperation[],
): ReadonlySet<string> {
  const twoWords = operations
    .map(({ name }) => name.split(/(?=[A-Z])/))
    .filter(({ length }) => length === 2)
    .map(([first = '']) => first.toLowerCase())
  return new Set([...KINDS, ...slices.map(({ name }) => name), ...twoWords])
}

function pathOrder(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** By family and parameter: `{x}` after a collection whose elements have an ID and a Name. */
function namedLists(operations: readonly NamedOperation[]): ReadonlyMap<string, string> {
  const lists = new Map(
    operations
      .filter(({ operation }) => !operation.path.includes('{') && hasNames(operation))
      .map(({ name, family, operation }) => [`${family.name}${operation.path}`, name]),
  )
  const found = new Map<string, string>()
  for (const { family, operation } of operations) {
    const [, collection = '', param = ''] = /^([^{]*)\/\{(\w+)\}/.exec(operation.path) ?? []
    const name = lists.get(`${family.name}${collection}`)
    if (name !== undefined) found.set(`${family.name} ${param}`, name)
  }
  return found
}

function hasNames(operation: NamedOperation['operation']): boolean {
  const path = listIn(operation)
  const members = path === undefined ? {} : Object(plain(operation.reply).properties)[path]
  const { ID, Name } = Object(Object(members).items?.properties)
  return ID !== undefined && Name !== undefined
}

/** The answer hands out an address, and a token if something may be sent there. */
function transferOf(name: string, reply: Json): 'upload' | 'download' | undefined {
  const objects = Object.values<Json>(Object(reply.properties)).map((one) => Object(one.properties))
  if (!objects.some((members) => 'url' in members)) return undefined
  if (/Upload/.test(name)) return 'upload'
  return /Download/.test(name) ? 'download' : undefined
}

function hasAvailability(reply: Json): boolean {
  return Object.values<Json>(Object(reply.properties)).some(
    (member) => 'Availability' in Object(member.properties),
  )
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

function list(values: readonly string[]): string {
  return `[${values.map(quote).join(', ')}]`
}
