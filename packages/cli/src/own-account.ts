/** Operations that want to be told whose things are meant: the account of the key, unless it is said. */
import type { Client } from '@kumoi/client'
import type { CommandEntry } from './command-entry.ts'

const OWN: ReadonlySet<string> = new Set(['account_id', 'member_code'])

/** Whether the first parameter may be left out. */
export function hasOwnFirst({ params = [] }: CommandEntry): boolean {
  return OWN.has(params[0] ?? '')
}

export async function withOwn(
  client: Client,
  entry: CommandEntry,
  given: readonly string[],
): Promise<readonly string[]> {
  if (!hasOwnFirst(entry) || given.length === entry.params?.length) return given
  const { Account, Member } = await client.orThrow.authStatus()
  return [entry.params?.[0] === 'account_id' ? Account.ID : Member.Code, ...given]
}
