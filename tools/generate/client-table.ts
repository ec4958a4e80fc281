/** The table of operations that the client goes by. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import { familiesOf, type NamedOperation, operationsOf } from './operations.ts'

const HEAD = '// Generated from the contracts of the server by `npm run generate`; do not edit.\n'

/** What is called with a key or as the operator; what a token is handed out for goes by its address. */
export function clientTable(all: readonly Slice[]): string {
  const slices = all.filter(({ contract }) =>
    Object.values(contract).some(({ access }) => access !== 'token'),
  )
  const families = familiesOf(slices).map(
    ({ name, base, root }) => `  ${name}: { base: '${base}', root: ${root === true} },\n`,
  )
  return `${HEAD}
/** Where the operations of a family begin: below the base address, or at the root of its origin. */
export const families = {
${families.join('')}} as const

export const operations = {
${operationsOf(slices).map(entry).join('')}} as const

export type OperationName = keyof typeof operations
`
}

/** In one line where it fits, as the formatter would have it. */
function entry({ name, family, operation }: NamedOperation): string {
  const { method, path } = operation
  const members = [`method: '${method}'`, `path: '${path}'`, `family: '${family.name}'`]
  const line = `  ${name}: { ${members.join(', ')} },\n`
  if (line.length <= 101) return line
  return `  ${name}: {\n${members.map((member) => `    ${member},\n`).join('')}  },\n`
}
