/** A command of commander for an entry of the table. What it does is loaded when it is done. */
import { type Command, Option } from 'commander'
import { isAskedFor } from './confirm.ts'
import { addConnectionOptions } from './connection-options.ts'
import { TAKEN_FLAGS } from './global-flags.ts'
import type { KindEntry } from './kinds.ts'
import { type Options, optionName } from './option-names.ts'
import { addOutputOptions } from './output-options.ts'
import { hasOwnFirst } from './own-account.ts'

/** How long `--wait` waits when it is not told. */
const WAIT_SECONDS = 300

export function addOperation(parent: Command, entry: KindEntry): void {
  const command = parent.command(entry.verb || entry.noun).description(entry.summary)
  addArguments(command, entry)
  for (const flag of flagsOf(entry)) command.addOption(optionFor(flag))
  addOwnOptions(command, entry)
  addOutputOptions(command)
  addConnectionOptions(command)
  command.action(async (...given: unknown[]) => {
    const options: Options = command.opts()
    const params = (entry.params ?? []).flatMap((_, index) => given[index] ?? []).map(String)
    const { runOperation } = await import('./operation-run.ts')
    await runOperation(entry, params, withOwnNames(entry, options), options)
  })
}

/** To the parser all are optional where the first may be left out: it would take the second for it. */
function addArguments(command: Command, entry: KindEntry): void {
  const labels = (entry.params ?? []).map((param) => labelOf(entry, param))
  const [first = '', ...rest] = labels
  if (!hasOwnFirst(entry)) {
    for (const label of labels) command.argument(`<${label}>`, '')
    return
  }
  command.usage(`[options] [${first}]${rest.map((label) => ` <${label}>`).join('')}`)
  for (const label of labels) command.argument(`[${label}]`, '')
  command.hook('preAction', ({ args }) => {
    const missing = rest[args.length]
    if (missing !== undefined) command.error(`error: missing required argument '${missing}'`)
  })
}

/** A flag that would be taken for one of ours has its noun before it. */
function flagsOf(entry: KindEntry) {
  return (entry.flags ?? []).map((flag) =>
    TAKEN_FLAGS.has(flag.flag)
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
  const need = required ? ', which is required' : ''
  return new Option(`--${shown} <${value}${several}>`, `sets ${path}${need}`)
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
    command.option('--save-as <FILE>', 'write it there; - is standard output')
  }
  if (isAskedFor(entry)) command.option('--yes', 'do it without a question')
  if (entry.waits) {
    const wait = new Option('--wait [SECONDS]', 'return when it is available')
    command.addOption(wait.preset(WAIT_SECONDS))
  }
}

/** What a person would call it: a name is as good as an id. */
function labelOf(entry: KindEntry, param: string): string {
  if (entry.itemClass !== undefined) return entry.noun
  if (entry.named?.[param] === undefined) return param
  if (entry.operation === 'siteProbe') return 'url'
  return param === 'appliance_id' ? 'gateway' : param.replace(/_id$/, '').replace(/^id$/, 'item')
}
