import { cloud } from '../../session.ts'

/** As many as one question may name. */
const AT_ONCE = 50

/** The names of SIMs by their ids. */
export async function simNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const wanted = ids.slice(at, at + AT_ONCE)
    const search = { Filter: { ID: wanted }, Include: ['ID', 'Name'], Count: AT_ONCE }
    const { CommonServiceItems } = await cloud().orThrow.itemList({ search }, { signal })
    for (const { ID = '', Name = '' } of CommonServiceItems) names.set(ID, Name)
  }
  return names
}
