/** How an answer is shown: the same flags for every command that shows one. */
import { type Command, Option } from 'commander'

export const FORMATS = ['table', 'json', 'yaml', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export interface OutputOptions {
  readonly output?: Format
  readonly json?: boolean
  readonly query?: string
  readonly columns?: string
  readonly utc?: boolean
}

export function addOutputOptions(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(new Option('-o, --output <FORMAT>', 'the form of the answer').choices(FORMATS))
    .option('--json', 'the same as --output json')
    .option('--columns <A,B>', 'only these columns, by their names in a table or as a.b.0')
    .option('--query <PATH>', 'only this field: a.b.0')
    .option('--utc', 'times in UTC, not in the zone of this machine')
}

/** Undefined for what suits people best, which is a table for most answers. */
export function formatOf({ output, json }: OutputOptions): Format | undefined {
  return output ?? (json ? 'json' : undefined)
}
