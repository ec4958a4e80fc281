/** Inserts many SIMs of one account into the store; through the interface it would take hours. */
import { performance } from 'node:perf_hooks'
import { idFromNumber, parseId } from '../packages/server/src/kernel/ids.ts'
import { noteText } from '../packages/server/src/services/items/text-index-store.ts'
import type { Database, SqlRow } from '../packages/server/src/storage/database.ts'
import { sql } from '../packages/server/src/storage/sql.ts'
import { TEST_NOW } from '../packages/server/src/testing/engines.ts'

const BATCH = 5_000
/** That of server.ts. */
const ACCOUNT = '900000000001'

/** Names come in another order than ids, so that sorting has something to do. */
export async function fillSims(store: Database, count: number): Promise<void> {
  const accountId = parseId<'account'>(ACCOUNT)
  if (accountId === undefined) throw new Error('The account has no id.')
  const start = performance.now()
  for (let first = 0; first < count; first += BATCH) {
    const last = Math.min(first + BATCH, count)
    await store.write(async (tx) => {
      const items: SqlRow[] = []
      const sims: SqlRow[] = []
      const now = TEST_NOW.getTime()
      for (let n = first; n < last; n += 1) {
        // Far from the ids that the server gives out itself.
        const id = idFromNumber<'item'>(FIRST_ID + n)
        const iccid = `8981041${String(n).padStart(12, '0')}`
        const name = `meter ${String((n * 7_919) % 10_000_019).padStart(8, '0')}`
        await noteText(tx, id)
        items.push([id, accountId, 'sim', name, null, '', null, iccid, 'available', now, now])
        const imsi = `44010${iccid.slice(-10)}`
        sims.push([id, accountId, iccid, imsi, now, 0, null, null, null, null, null, null])
      }
      await tx.insertMany('item', ITEM_COLUMNS, items)
      await tx.insertMany('sim', SIM_COLUMNS, sims)
      await tx.run(
        sql`INSERT INTO item_count (account_id, class, shard, items)
            VALUES (${accountId}, 'sim', 0, ${last - first})
            ON CONFLICT (account_id, class, shard) DO UPDATE
            SET items = item_count.items + excluded.items`,
      )
    })
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${count} SIMs inserted in ${seconds} s`)
}

const FIRST_ID = 950_000_000_000
const ITEM_COLUMNS =
  'id account_id class name description tags icon_id external_key availability created_at modified_at'.split(
    ' ',
  )
const SIM_COLUMNS =
  'id account_id iccid imsis registered_at activated activated_at deactivated_at imei carriers gateway_id ip'.split(
    ' ',
  )
