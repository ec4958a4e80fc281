/** The elements as the session engine sees them: the port that the sim slice leaves open. */
import type { Elements } from '../sim/public.ts'
import { COUNT_SHARDS, CountStore } from './count-store.ts'
import { findElements } from './store.ts'

/** Batches of one process come one after the other, so that they may share a row. */
const SHARD = process.pid % COUNT_SHARDS

export const elements: Elements = {
  find(tx, keys) {
    const names = new Set<string>()
    const addresses = new Set<string>()
    for (const { name, address } of keys) {
      if (name !== undefined) names.add(name)
      if (address !== undefined) addresses.add(address)
    }
    return findElements(tx, [...names], [...addresses])
  },

  async heard(tx, heard) {
    await new CountStore(tx).add(
      heard.map(({ element, packets, at }) => ({
        ...{ element, shard: SHARD, at, accepted: 0, refused: 0, accountingPackets: packets },
      })),
    )
  },
}
