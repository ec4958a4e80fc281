/** Calls the operation of a command and shows its answer. What few commands need is loaded when it is needed. */
import type { AnyInput, Client, OperationName } from '@kumoi/client'
import { mustCall } from './calls.ts'
import { connect } from './connection.ts'
import { EXIT, Failure, failureOf } from './failure.ts'
import { commands } from './generated/commands.ts'
import { inputOf } from './input.ts'
import type { KindEntry } from './kinds.ts'
import { idOf } from './names.ts'
import type { Options } from './option-names.ts'
import { print } from './output.ts'

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
    const { sendFile } = await import('./transfers.ts')
    return print(await sendFile(client, answer, options.file), options)
  }
  if (entry.transfer === 'download' && typeof options.output === 'string') {
    const { fetchFile } = await import('./transfers.ts')
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
  const { writeStream } = await import('./transfers.ts')
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

async function waited(
  client: Client,
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
  return waitUntilAvailable(client, answer, { operation, param }, seconds)
}
