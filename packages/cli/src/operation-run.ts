/** Calls the operation of a command and shows its answer. What few commands need is loaded when it is needed. */
import type { AnyInput, Client, OperationName } from '@kumoi/client'
import { mustCall } from './calls.ts'
import { confirm, isAskedFor } from './confirm.ts'
import { type Connection, connect } from './connection.ts'
import { EXIT, Failure, failureOf } from './failure.ts'
import { commands } from './generated/commands.ts'
import { inputOf } from './input.ts'
import type { KindEntry } from './kinds.ts'
import { idOf } from './names.ts'
import type { Options } from './option-names.ts'
import { listIn, print } from './output.ts'
import { formatOf, type OutputOptions } from './output-options.ts'
import { withOwn } from './own-account.ts'
import { withAddress } from './probe.ts'
import { shownAs } from './views.ts'

export async function runOperation(
  entry: KindEntry,
  words: readonly string[],
  flags: Options,
  /** Where the server is; a flag of the operation may be called as one of these. */
  place: Options = flags,
): Promise<void> {
  const { given, options } = withAddress(entry, words, flags)
  const connection = connect(place)
  const { client } = connection
  const said = [entry.noun, entry.verb, ...given].join(' ')
  if (isAskedFor(entry)) await confirm(`kumoi ${said}: ${entry.summary}.`, options.yes === true)
  const input = await withIds(client, entry, await withOwn(client, entry, given), options)
  const operation = entry.operation as OperationName
  if (entry.media) return stream(client, operation, input, options)
  if (entry.search && options.all)
    return show(connection, entry, await all(client, operation, input), options)
  const answer = await mustCall(client, operation, input)
  if (entry.transfer === 'upload' && typeof options.file === 'string') {
    const { sendFile } = await import('./transfers.ts')
    return print(await sendFile(client, answer, options.file), options)
  }
  if (entry.transfer === 'download' && typeof options.saveAs === 'string') {
    const { fetchFile } = await import('./transfers.ts')
    return fetchFile(client, answer, options.saveAs)
  }
  const last = options.wait ? await waited(connection, entry, answer, options.wait) : answer
  await show(connection, entry, last, options)
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
  const { writeStream } = await import('./transfers.ts')
  await writeStream(result.data, typeof options.saveAs === 'string' ? options.saveAs : '-')
}

/** SIMs are shown with their sessions, where people or a table want them. */
async function show(
  { client, settings }: Connection,
  entry: KindEntry,
  answer: unknown,
  options: OutputOptions,
): Promise<void> {
  const shown = shownAs(entry)
  const format = formatOf(options)
  const isData = format === 'json' || format === 'yaml'
  const isRead = options.query === undefined && (!isData || options.columns !== undefined)
  if (entry.itemClass !== 'sim' || entry.verb !== 'list' || !isRead) {
    return print(answer, options, shown)
  }
  const { withSessions } = await import('./sim-sessions.ts')
  const sims = listIn(Object(answer).CommonServiceItems ?? answer) ?? []
  const list = await withSessions(client, settings, sims as { readonly ID: string }[])
  return print(answer, options, { ...shown, list: () => list })
}

async function all(client: Client, operation: OperationName, input: AnyInput) {
  const { Count: _, ...search } = input.search ?? {}
  const each: Readonly<Record<string, unknown>> = client.each
  const walk = each[operation] as (input: AnyInput) => AsyncIterable<unknown>
  const found: unknown[] = []
  for await (const one of walk({ ...input, search })) found.push(one)
  return found
}

async function waited(
  { client, settings }: Connection,
  entry: KindEntry,
  answer: unknown,
  wait: unknown,
): Promise<unknown> {
  const noun = entry.itemClass === undefined ? entry.noun : 'item'
  const read = commands.find((one) => one.noun === noun && one.verb === 'read')
  const [param] = read?.params ?? []
  const seconds = Number(wait)
  if (!(seconds >= 0)) throw new Failure('--wait takes a number of seconds.', EXIT.usage)
  if (read === undefined || param === undefined) return answer
  const operation = read.operation as OperationName
  const { waitUntilAvailable } = await import('./wait.ts')
  const isOperator = settings.operatorToken !== undefined
  return waitUntilAvailable(client, answer, { operation, param, noun }, { seconds, isOperator })
}
