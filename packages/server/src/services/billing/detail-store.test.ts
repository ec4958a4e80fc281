import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Tx } from '../../storage/database.ts'
import { openBilling } from '../../testing/billing.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
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

/** A bill whose lines are deleted before each transaction. */
async function openLines(t: TestContext, engine: TestEngine) {
  const { database, create, days, bills } = await openBilling(t, engine)
  await create()
  await days(1)
  const [bill] = await bills()
  assert.ok(bill)
  const write = (work: (store: DetailStore, tx: Tx) => Promise<void>) =>
    database.write(async (tx) => {
      const store = new DetailStore(tx, bill.BillID)
      await store.deleteAll()
      await work(store, tx)
    })
  return { write }
}

for (const engine of engines) {
  describe(`the lines of a bill on ${engine.name}`, () => {
    test('are all there and in their order, however many', async (t) => {
      const { write } = await openLines(t, engine)
      for (const count of COUNTS) {
        const lines = Array.from({ length: count }, (_, place) => lineAt(place))
        await write(async (store) => {
          await store.insert(lines)
          assert.deepEqual(await store.list(), lines)
          assert.equal(
            await store.sum(),
            lines.reduce((sum, { amount }) => sum + amount, 0),
          )
        })
      }
    })

    test('are written by a few statements, of which an engine keeps each', async (t) => {
      const { write } = await openLines(t, engine)
      const texts = new Set<string>()
      for (let count = 1; count <= 300; count += 7) {
        await write((store, tx) => {
          tx.rowCounter = { countRows: ({ chunks }) => texts.add(chunks.join('?')) }
          return store.insert(Array.from({ length: count }, (_, place) => lineAt(place)))
        })
      }
      assert.ok(texts.size <= 16, `${texts.size} texts`)
    })
  })
}
