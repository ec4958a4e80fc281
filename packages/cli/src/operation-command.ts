/** A command of commander for an entry of the table, and what it does. */
import type { AnyInput, Client, OperationName } from '@kumoi/client'
import { type Command, Option } from 'commander'
import { mustCall } from './calls.ts'
import { addConnectionOptions, connect, GLOBAL_FLAGS } from './connection.ts'
import { EXIT, Failure, failureOf } from './failure.ts'
import { commands } from './generated/commands.ts'
import { inputOf, type Options, optionName } from './input.ts'
import type { KindEntry } from './kinds.ts'
import { idOf } from './names.ts'
import { print } from './output.ts'
import { fetchFile, sendFile, writeStream } from './transfers.ts'
import { WAIT_SECONDS, waitUntilAvailable } from './wait.ts'

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
    command.option('--wait [SECONDS]', `until it is available [at most ${WAIT_SECONDS} s]`)
  }
}

export async function runOperation(
  entry: KindEntry,
  given: readonly string[],
  options: Options,
): Promise<void> {
  const { client } = connect(options)
  const input = await withIds(client, entry, given, options)
  const operation = entry.operation as OperationName
  if (entry.media) return stream(client, operation, input, options)
  if (entry.search && options.all) return printAll(client, operation, input, options)
  const answer = await mustCall(client, operation, input)
  if (entry.transfer === 'upload' && typeof options.file === 'string') {
    return print(await sendFile(client, answer, options.file), options)
  }
  if (entry.transfer === 'download' && typeof options.output === 'string') {
    return fetchFile(client, answer, options.output)
  }
  print(options.wait ? await waited(client, entry, answer, options.wait) : answer, options)
}

async function withIds(
  client: Client,
  entry: KindEntry,
  given: readonly string[],
  options: Options,
): Promise<AnyInput> {
  const params: Record<string, string> = {}
  for (const [index, param] of (entry.params ?? []).entries()) {
    const value = given[index] ?? ''
    const list = entry.named?.[param]
    params[param] =
      list === undefined ? value : await idOf(client, list, param, value, entry.itemClass)
  }
  const input = await inputOf(entry, params, options)
  const { sim } = Object(input.body)
  if (typeof sim?.resource_id === 'string') {
    sim.resource_id = await idOf(client, 'itemList', 'sim_id', sim.resource_id)
  }
  if (entry.itemClass === undefined || input.search === undefined) return input
  const Filter = { ...input.search.Filter, 'Provider.Class': entry.itemClass }
  return { ...input, search: { ...input.search, Filter } }
}

async function stream(client: Client, operation: OperationName, input: AnyInput, options: Options) {
  const result = await client.open(operation, input)
  if (!result.ok) throw failureOf(result.refusal)
  await writeStream(result.data, typeof options.output === 'string' ? options.output : '-')
}

async function printAll(
  client: Client,
  operation: OperationName,
  input: AnyInput,
  options: Options,
) {
  const { Count: _, ...search } = input.search ?? {}
  const each: Readonly<Record<string, unknown>> = client.each
  const walk = each[operation] as (input: AnyInput) => AsyncIterable<unknown>
  const found: unknown[] = []
  for await (const one of walk({ ...input, search })) found.push(one)
  print(found, options)
}

function waited(
  client: Client,
  entry: KindEntry,
  answer: unknown,
  wait: unknown,
): Promise<unknown> {
  const noun = entry.itemClass === undefined ? entry.noun : 'item'
  const read = commands.find((one) => one.noun === noun && one.verb === 'read')
  const [param] = read?.params ?? []
  const seconds = wait === true ? WAIT_SECONDS : Number(wait)
  if (!(seconds >= 0)) throw new Failure('--wait takes a number of seconds.', EXIT.usage)
  if (read === undefined || param === undefined) return Promise.resolve(answer)
  const operation = read.operation as OperationName
  return waitUntilAvailable(client, answer, { operation, param }, seconds)
}

/** What a person would call it: a name is as good as an id. */
function labelOf(entry: KindEntry, param: string): string {
  if (entry.itemClass !== undefined) return entry.noun
  if (entry.named?.[param] === undefined) return param
  return param === 'appliance_id' ? 'gateway' : param.replace(/_id$/, '').replace(/^id$/, 'item')
}
