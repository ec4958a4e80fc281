import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBilling } from '../../testing/billing.ts'
import { engines } from '../../testing/engines.ts'
import { DetailStore } from './detail-store.ts'
import type { Detail } from './rules.ts'

/** The largest statement has 256. */
const COUNTS = [0, 1, 255, 256, 257, 1000]

function lineAt(place: number): Detail {
  return {
    ...{ place, resourceId: `9100${place}`, resourceName: `line ${place}`, product: 50_050 },
    ...{ productName: 'SMS', zone: place % 2 === 0 ? 'is1a' : undefined, measure: 'count' },
    ...{ used: place, amount: place * 11 },
  }
}

for (const engine of engines) {
  describe(`the lines of a bill on ${engine.name}`, () => {
    test('are all there and in their order, however many', async (t) => {
      const { database, create, days, bills } = await openBilling(t, engine)
      await create()
      await days(1)
      const [bill] = await bills()
      assert.ok(bill)
      for (const count of COUNTS) {
        const lines = Array.from({ length: count }, (_, place) => lineAt(place))
        await database.write(async (tx) => {
          const store = new DetailStore(tx, bill.BillID)
          await store.deleteAll()
          await store.insert(lines)
          assert.deepEqual(await store.list(), lines)
          assert.equal(
            await store.sum(),
            lines.reduce((sum, { amount }) => sum + amount, 0),
          )
        })
      }
    })
  })
}
