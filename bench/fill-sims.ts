/** Many SIMs in one account, straight into the stores: what the interface would take hours for. */
import { performance } from 'node:perf_hooks'
import { idFromNumber, parseId } from '../packages/server/src/kernel/ids.ts'
import { ItemStore } from '../packages/server/src/services/items/public.ts'
import { register } from '../packages/server/src/services/sim/rules.ts'
import { SimStore } from '../packages/server/src/services/sim/store.ts'
import type { Database } from '../packages/server/src/storage/database.ts'
import { TEST_NOW } from '../packages/server/src/testing/engines.ts'

const BATCH = 5_000
/** The first account of the tests' world. */
const ACCOUNT = '900000000001'

/** Names come in another order than ids, so that sorting has something to do. */
export async function fillSims(store: Database, from: number, to: number): Promise<void> {
  const accountId = parseId<'account'>(ACCOUNT)
  if (accountId === undefined) throw new Error('The account has no id.')
  const start = performance.now()
  for (let first = from; first < to; first += BATCH) {
    await store.write(async (tx) => {
      const items = new ItemStore(tx, accountId)
      const sims = new SimStore(tx, accountId)
      for (let n = first; n < Math.min(first + BATCH, to); n += 1) {
        const id = idFromNumber<'item'>(await tx.next('resource'))
        const iccid = `8981041${String(n).padStart(12, '0')}`
        await items.insert({
          ...{ id, accountId, class: 'sim', externalKey: iccid, availability: 'available' },
          name: `meter ${String((n * 7_919) % 10_000_019).padStart(8, '0')}`,
          ...{ description: undefined, tags: [], iconId: undefined },
          ...{ createdAt: TEST_NOW, modifiedAt: TEST_NOW },
        })
        await sims.insert(
          register({ id, accountId, iccid, imsis: [`44010${iccid.slice(-10)}`] }, TEST_NOW),
        )
      }
    })
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${to - from} SIMs made in ${seconds} s`)
}
