/** The table of operations that the client goes by. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import type { Operation } from '../../packages/server/src/kernel/contract.ts'
import { type Json, plain } from './json.ts'
import { familiesOf, type NamedOperation, operationsOf } from './operations.ts'

export const HEAD =
  '// Generated from the contracts of the server by `npm run generate`; do not edit.\n'

/** What a client has besides its operations; an operation of that name would hide it. */
const MEMBERS = ['orThrow', 'each', 'call', 'open', 'events', 'upload', 'download', 'then']

export function clientTable(slices: readonly Slice[]): string {
  const hiding = operationsOf(slices).find(({ name }) => MEMBERS.includes(name))
  if (hiding !== undefined) throw new Error(`${hiding.name}: the client has a member of that name.`)
  const families = familiesOf(slices).map(({ name, base, root, zones }) => {
    const only = zones?.length === 1 ? `, zone: '${zones[0]}'` : ''
    return `  ${name}: { base: '${base}', root: ${root === true}${only} },\n`
  })
  return `${HEAD}
/** Where the operations of a family begin: below the base address, or at the root of its origin. */
export const families = {
${families.join('')}} as const

/** \`list\` leads to the list in an answer, \`paging\` says where From and Count are given. */
export const operations = {
${operationsOf(slices).map(entry).join('')}} as const
`
}

/** In one line where it fits, as the formatter would have it. */
function entry({ name, family, operation }: NamedOperation): string {
  const { method, path } = operation
  const list = listIn(operation)
  const paging = list === undefined ? undefined : pagingOf(operation)
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    `family: '${family.name}'`,
    ...(list === undefined ? [] : [`list: '${list}'`]),
    ...(paging === undefined ? [] : [`paging: '${paging}'`]),
  ]
  const line = `  ${name}: { ${members.join(', ')} },\n`
  if (line.length <= 101) return line
  return `  ${name}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`
}

/** Where an answer holds the one list that it is about: at the top, or in the one object there. */
export function listIn({ method, reply }: Pick<Operation, 'method' | 'reply'>): string | undefined {
  if (method !== 'GET') return undefined
  const members = Object.entries<Json>(Object(plain(reply).properties))
  const lists = members.filter(([, schema]) => isList(schema))
  if (lists.length === 1) return lists[0]?.[0]
  const [[key, only] = ['', {}], ...others] = members
  if (lists.length > 1 || others.length > 0) return undefined
  const inner = Object.entries<Json>(Object(only.properties)).filter(([, one]) => isList(one))
  return inner.length === 1 && 'Count' in Object(only.properties)
    ? `${key}.${inner[0]?.[0]}`
    : undefined
}

function isList({ type, items }: Json): boolean {
  return type === 'array' && Object(items).type === 'object'
}

/** Without paging, the answer has the whole list. */
function pagingOf({ query }: Operation): 'search' | 'query' | undefined {
  if (query === undefined || query === 'search') return query
  return 'From' in query.properties ? 'query' : undefined
}
