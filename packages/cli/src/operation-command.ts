/** A command of commander for an entry of the table. What it does is loaded when it is done. */
import { type Command, Option } from 'commander'
import { addConnectionOptions, GLOBAL_FLAGS } from './connection-options.ts'
import type { KindEntry } from './kinds.ts'
import { type Options, optionName } from './option-names.ts'

/** How long `--wait` waits when it is not told. */
const WAIT_SECONDS = 300

export function addOperation(parent: Command, entry: KindEntry): void {
  const command = parent.command(entry.verb || entry.noun).description(entry.summary)
  for (const param of entry.params ?? []) command.argument(`<${labelOf(entry, param)}>`, '')
  for (const flag of flagsOf(entry)) command.addOption(optionFor(flag))
  addOwnOptions(command, entry)
  command.optionsGroup('Output:')
  command.option('--json', 'the whole answer as JSON').option('--query <PATH>', 'one field: a.b.0')
  addConnectionOptions(command)
  command.action(async (...given: unknown[]) => {
    const options: Options = command.opts()
    const params = (entry.params ?? []).map((_, index) => String(given[index]))
    const { runOperation } = await import('./operation-run.ts')
    await runOperation(entry, params, withOwnNames(entry, options))
  })
}

/** A flag that would be taken for one of ours has its noun before it. */
function flagsOf(entry: KindEntry) {
  return (entry.flags ?? []).map((flag) =>
    GLOBAL_FLAGS.has(flag.flag)
      ? { ...flag, shown: `${entry.noun}-${flag.flag}` }
      : { ...flag, shown: flag.flag },
  )
}

function withOwnNames(entry: KindEntry, options: Options): Options {
  const renamed = flagsOf(entry)
    .filter(({ flag, shown }) => flag !== shown)
    .map(({ flag, shown }) => [optionName(flag), options[optionName(shown)]])
  return { ...options, ...Object.fromEntries(renamed) }
}

const VALUES = {
  string: 'TEXT',
  integer: 'N',
  number: 'NUMBER',
  boolean: 'true|false',
  strings: 'A,B',
  json: 'JSON',
}

function optionFor({ shown, kind, choices, required, path }: ReturnType<typeof flagsOf>[number]) {
  const value = choices?.join('|') ?? VALUES[kind]
  const several = kind === 'strings' ? '...' : ''
  return new Option(`--${shown} <${value}${several}>`, `${path}${required ? ' (required)' : ''}`)
}

function addOwnOptions(command: Command, entry: KindEntry): void {
  const hasBody =
    entry.fixed !== undefined || (entry.flags ?? []).some(({ in: at }) => at === 'body')
  if (hasBody) command.option('--body <JSON>', 'the whole body; @FILE or - to read it; flags win')
  if (entry.search) {
    command
      .option('--filter <FIELD=VALUE...>', 'conditions: =, <, <=, >, >=; a,b for any of several')
      .option('--sort <FIELDS>', '- before one that descends')
      .option('--from <N>', 'leave out so many')
      .option('--count <N>', 'show so many [default: 100]')
      .option('--include <FIELDS>', 'only these fields')
      .option('--exclude <FIELDS>', 'without these fields')
      .option('--all', 'as many as there are')
  }
  if (entry.text) command.option('--file <FILE>', 'what to send; - is standard input')
  if (entry.transfer === 'upload') command.option('--file <FILE>', 'upload this right away')
  if (entry.transfer === 'download' || entry.media) {
    command.option('--output <FILE>', 'write it there; - is standard output')
  }
  if (entry.waits) {
    const wait = new Option('--wait [SECONDS]', 'until it is available')
    command.addOption(wait.preset(WAIT_SECONDS))
  }
}

/** What a person would call it: a name is as good as an id. */
function labelOf(entry: KindEntry, param: string): string {
  if (entry.itemClass !== undefined) return entry.noun
  if (entry.named?.[param] === undefined) return param
  return param === 'appliance_id' ? 'gateway' : param.replace(/_id$/, '').replace(/^id$/, 'item')
}
