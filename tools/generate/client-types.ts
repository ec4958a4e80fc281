/** What each operation takes, answers and refuses, as TypeScript types for the client. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import { ZONES } from '../../packages/server/src/kernel/zone.ts'
import { HEAD } from './client-table.ts'
import { type Json, plain } from './json.ts'
import {
  declaredRefusals,
  GENERAL_REFUSALS,
  impliedRefusals,
  type NamedOperation,
  operationsOf,
} from './operations.ts'
import { objectText, typeText } from './type-text.ts'

export function clientTypes(slices: readonly Slice[]): string {
  const operations = operationsOf(slices)
  const names = sharedNames(operations)
  const nameOf = (schema: Json) => names.get(JSON.stringify(schema))
  const shared = [...names].map(([text, name]) => {
    const schema: Json = JSON.parse(text)
    return `export interface ${name} ${objectText(schema, '', nameOf)}\n`
  })
  const zones = ZONES.map((zone) => `'${zone}'`).join(' | ')
  return `${HEAD}import type { Search } from '../search.ts'

export type Zone = ${zones}

/** What any operation may refuse with, besides its own codes. */
export type GeneralCode = ${codes(GENERAL_REFUSALS.map(({ code }) => code))}

${shared.sort().join('\n')}
/** Each operation by its name: what it takes, what it answers with and the codes of its refusals. */
export interface Operations {
${operations.map((named) => operationText(named, nameOf)).join('')}}
`
}

function operationText(named: NamedOperation, nameOf: (schema: Json) => string | undefined) {
  const { name, family, operation } = named
  const { params, query, body, textBody, reply } = operation
  const text = (schema: unknown) => typeText(plain(schema), '', '    ', nameOf)
  const refusals = [...declaredRefusals(operation), ...impliedRefusals(family, operation)]
  const members = [
    params !== undefined && `params: ${text(params)}`,
    query === 'search' && 'search: Search',
    query !== undefined && query !== 'search' && `query: ${text(query)}`,
    body !== undefined && `body: ${text(body)}`,
    textBody && 'text: string',
    `reply: ${text(reply)}`,
    `refuses: ${codes(refusals.map(({ code }) => code)) || 'never'}`,
  ].filter((member) => typeof member === 'string')
  return `  /** ${operation.summary}. */\n  ${name}: {\n${members.map((member) => `    ${member}\n`).join('')}  }\n`
}

function codes(list: readonly string[]): string {
  return [...new Set(list)].map((code) => `'${code}'`).join(' | ')
}

/**
 * Objects that occur more than once get a name: their title, or that of the member they stand under. Where
 * two would have the same, the name of the first operation comes before it.
 */
function sharedNames(operations: readonly NamedOperation[]): ReadonlyMap<string, string> {
  const seen = new Map<string, { key: string; operation: string; count: number }>()
  for (const { name: operation, operation: described } of operations) {
    const { params, query, body, reply } = described
    const count = (schema: Json, key: string) => {
      const text = JSON.stringify(schema)
      const entry = seen.get(text) ?? { key, operation, count: 0 }
      seen.set(text, { ...entry, key: entry.key || key, count: entry.count + 1 })
      return undefined
    }
    for (const schema of [params, query, body, reply]) {
      if (schema !== undefined && schema !== 'search') typeText(plain(schema), '', '', count)
    }
  }
  const names = new Map<string, string>()
  const taken = new Set(RESERVED)
  for (const [text, { key, operation, count }] of seen) {
    const { properties, title } = JSON.parse(text)
    if (count < 2 || key === '' || Object.keys(Object(properties)).length < 3) continue
    const short = pascal(title ?? key)
    const name = taken.has(short) ? `${pascal(operation)}${short}` : short
    taken.add(name)
    names.set(text, name)
  }
  return names
}

/** Types of the client itself, and of the language, that a name must not hide. */
const RESERVED = ['Zone', 'GeneralCode', 'Operations', 'Search', 'Record', 'Error', 'Request']

function pascal(key: string): string {
  return key.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
