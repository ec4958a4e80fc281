/** docs/errors.md: every refusal of every operation. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import type { Family } from '../../packages/server/src/kernel/contract.ts'
import {
  declaredRefusals,
  familiesOf,
  GENERAL_REFUSALS,
  impliedRefusals,
  type NamedOperation,
  operationsOf,
  type RefusalRow,
} from './operations.ts'

const HEAD = `# Errors

Generated from the contracts of the server by \`npm run generate\`; do not edit.

A refusal is answered with the status below and a JSON body: \`is_ok\` false, \`is_fatal\` true,
\`status\`, \`error_code\`, \`error_msg\` (its first line names the kind of failure, the next lines
the cause; in Japanese for \`Accept-Language: ja\`) and \`serial\`, which the
log of the server carries.

Checks come in this order: path and method, credentials, access level, body, existence, state. A
path that leads nowhere is \`not_found\` (404), one that knows only other methods is
\`method_not_allowed\` (405).

## Any operation
`

export function errorsPage(slices: readonly Slice[]): string {
  const families = familiesOf(slices).map((family) =>
    familySection(
      family,
      slices.filter((slice) => slice.family === family),
    ),
  )
  return [HEAD, table(GENERAL_REFUSALS), ...families].join('\n')
}

function familySection(family: Family, slices: readonly Slice[]): string {
  const operations = operationsOf(slices)
  const sections = slices.map(({ name }) => {
    const own = operations.filter(({ slice }) => slice === name)
    return `\n### ${name}\n${own.map(operationSection).join('')}`
  })
  const root = family.root ? '' : '{base_url}'
  const title = `## ${family.title}: \`${root}${family.base}\``
  const shared = distinct(operations.flatMap((named) => impliedRefusals(family, named.operation)))
  return `${title}\n\n${SHARED}\n\n${table(shared)}${sections.join('')}`
}

const SHARED = 'What all of its operations refuse alike, 401 only where they need credentials:'

function operationSection({ name, operation }: NamedOperation): string {
  const { method, path, summary, access } = operation
  const open = access === 'public' ? ' (needs no credentials)' : ''
  const rows = declaredRefusals(operation)
  const refusals = rows.length === 0 ? 'Nothing of its own.\n' : table(rows)
  return `\n#### ${name}\n\n\`${method} ${path}\`: ${summary}${open}\n\n${refusals}`
}

function distinct(rows: readonly RefusalRow[]): RefusalRow[] {
  const byText = new Map(rows.map((row) => [`${row.code} ${row.condition}`, row]))
  return [...byText.values()].sort((a, b) => a.status - b.status)
}

function table(rows: readonly RefusalRow[]): string {
  const lines = rows.map(
    ({ code, status, condition }) =>
      `| ${code} | ${status} | ${condition.replaceAll('|', '\\|')} |\n`,
  )
  return `| Code | Status | When |\n|---|---|---|\n${lines.join('')}`
}
