/** Names where the interface wants ids. A name that several things have is refused, never guessed. */
import type { AnyInput, Client } from '@kumoi/client'
import { EXIT, Failure } from './failure.ts'
import { commands } from './generated/commands.ts'

/** Items of different classes are in one list; these parameters are of one class each. */
export const CLASSES: Readonly<Record<string, string>> = {
  sim_id: 'sim',
  sms_id: 'esme',
  project_id: 'iotplatform',
}

/** Sites are also called by the names under which they are delivered. */
const NAMES = ['Name', 'Domain', 'ASCIIDomain', 'Subdomain']

const ID_FORM = /^\d{12}$/

export async function idOf(
  client: Client,
  list: string,
  param: string,
  given: string,
  itemClass = CLASSES[param],
): Promise<string> {
  if (ID_FORM.test(given)) return given
  const found = await namesakes(client, list, given, itemClass)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first === undefined) {
    throw new Failure(
      `Nothing here is called ${given}.`,
      EXIT.notFound,
      'Give an id, or see the list.',
    )
  }
  const ids = found.slice(0, 5).join(', ')
  throw new Failure(`${found.length} are called ${given}: ${ids}.`, EXIT.usage, 'Give the id.')
}

async function namesakes(
  client: Client,
  list: string,
  name: string,
  itemClass: string | undefined,
): Promise<string[]> {
  const found: string[] = []
  const takesSearch = commands.some(({ operation, search }) => operation === list && search)
  const Filter = { Name: [name], ...(itemClass !== undefined && { 'Provider.Class': itemClass }) }
  const each: Readonly<Record<string, unknown>> = client.each
  // The table says that this operation answers with a list; its elements have an ID and a Name.
  const walk = each[list] as (input: AnyInput) => AsyncIterable<Readonly<Record<string, unknown>>>
  for await (const one of walk(takesSearch ? { search: { Filter } } : {})) {
    if (NAMES.some((member) => one[member] === name)) found.push(String(one.ID))
  }
  return found
}
