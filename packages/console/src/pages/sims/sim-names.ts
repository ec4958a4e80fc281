/** The names of SIMs, where the interface knows them by their numbers. */
import { cloud, hasKey, session } from '../../session.ts'
import { iccidOf, type SimItem } from './sim.ts'

/** As many as one question may name. */
const AT_ONCE = 50

type Names = ReadonlyMap<string, string>

/** By their ids. */
export const simNames = (ids: readonly string[], signal: AbortSignal): Promise<Names> =>
  namesBy('ID', ids, ({ ID = '' }) => ID, signal)

/** By the numbers on their cards, as far as they are of the account that is signed in. */
export const namesByIccid = (iccids: readonly string[], signal: AbortSignal): Promise<Names> =>
  namesBy('Status.ICCID', iccids, iccidOf, signal)

async function namesBy(
  field: string,
  values: readonly string[],
  keyOf: (sim: SimItem) => string,
  signal: AbortSignal,
): Promise<Names> {
  const names = new Map<string, string>()
  if (!hasKey(session.value)) return names
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const Filter = { [field]: values.slice(at, at + AT_ONCE) }
    const search = { Filter, Include: ['ID', 'Name', 'Status.ICCID'], Count: AT_ONCE }
    const { CommonServiceItems } = await cloud().orThrow.itemList({ search }, { signal })
    for (const sim of CommonServiceItems) names.set(keyOf(sim), sim.Name ?? '')
  }
  return names
}
