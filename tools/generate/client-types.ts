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
import { sharedNames } from './shared-schemas.ts'
import { objectText, typeText } from './type-text.ts'

export function clientTypes(slices: readonly Slice[]): string {
  const operations = operationsOf(slices)
  const names = sharedNames(operations, RESERVED)
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

/** Types of the client itself, and of the language, that a name must not hide. */
const RESERVED = ['Zone', 'GeneralCode', 'Operations', 'Search', 'Record', 'Error', 'Request']
