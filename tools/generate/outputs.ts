/** Everything that is generated, as texts by path. The same contracts give the same bytes. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import { cliCommands } from './cli-commands.ts'
import { clientTable } from './client-table.ts'
import { clientTypes } from './client-types.ts'
import { errorsPage } from './errors-page.ts'
import { jsonText } from './json.ts'
import { openApi } from './openapi.ts'
import { callable, familiesOf } from './operations.ts'

export const ERRORS_PAGE = 'docs/errors.md'

/** Files here that no generator makes are left over from a family that is gone. */
export const GENERATED_FILES = [
  'openapi/*',
  'packages/client/src/generated/*',
  'packages/cli/src/generated/*',
]

export function outputs(slices: readonly Slice[], version: string): ReadonlyMap<string, string> {
  const documents = familiesOf(slices).map(
    (family) =>
      [`openapi/${family.name}.json`, jsonText(openApi(family, slices, version))] as const,
  )
  return new Map([
    ...documents,
    [ERRORS_PAGE, errorsPage(slices)],
    ['packages/client/src/generated/operations.ts', clientTable(callable(slices))],
    ['packages/client/src/generated/types.ts', clientTypes(callable(slices))],
    ['packages/cli/src/generated/commands.ts', cliCommands(callable(slices))],
  ])
}
