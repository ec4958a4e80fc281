import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AccountId, parseId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'
import { engines } from '../../testing/engines.ts'
import { SIM_BASE, SMS_MESSAGE, WEBACCEL_TRAFFIC } from '../pricing/public.ts'
import { Meter, PeriodStore, UsedStore } from './public.ts'
import { QUANTITY_MAX } from './store.ts'

// The cast: an id that is written here.
const accountId = parseId<'account'>('900000000001') as AccountId
const use = { accountId, resourceId: 'r', name: 'one' }
const MARCH = new Date('2026-03-01T00:00:00+09:00')
const APRIL = new Date('2026-04-01T00:00:00+09:00')
const MAY = new Date('2026-05-01T00:00:00+09:00')

const at = (seconds: number) => new Date(APRIL.getTime() + seconds * 1000)

function used(database: Database, month = APRIL, until = MAY) {
  return database.read(async (tx) => {
    const usage = new UsedStore(tx, accountId)
    return [
      ...(await usage.seconds(month, until, undefined, 100)),
      ...(await usage.quantities(month, until, undefined, 100)),
    ]
  })
}

for (const engine of engines) {
  describe(`Meter on ${engine.name}`, () => {
    test('counts the seconds between begin and end within the month, once', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const wakes: string[] = []
      await database.write(async (tx) => {
        const meter = new Meter(tx, (job) => wakes.push(job))
        for (let twice = 0; twice < 2; twice += 1) {
          await meter.begin({ ...use, product: SIM_BASE }, at(-5))
        }
        for (const end of [10, 20]) await meter.end('r', at(end))
        await meter.begin({ ...use, product: SIM_BASE }, at(100))
        await meter.rename('r', 'two')
      })
      assert.deepEqual(wakes, ['billing', 'billing'])
      const line = { resourceId: 'r', resourceName: 'two', product: SIM_BASE.serviceClassId }
      assert.deepEqual(await used(database, APRIL, at(130)), [{ ...line, used: 10 + 30 }])
      assert.deepEqual(await used(database, MARCH, APRIL), [{ ...line, used: 5 }])
    })

    test('counts an event once, and sums what is added up to what a number holds', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await database.write(async (tx) => {
        const meter = new Meter(tx)
        for (const event of ['a', 'b', 'a']) {
          await meter.count({ ...use, product: SMS_MESSAGE }, event, at(1))
        }
        for (const bytes of [1, 0, QUANTITY_MAX - 2]) {
          await meter.add({ ...use, product: WEBACCEL_TRAFFIC }, bytes, at(1))
        }
      })
      assert.deepEqual(
        (await used(database)).map((one) => one.used),
        [2, QUANTITY_MAX - 1],
      )
      await database.write((tx) =>
        new Meter(tx).add({ ...use, product: WEBACCEL_TRAFFIC }, 9, at(2)),
      )
      assert.equal((await used(database))[1]?.used, QUANTITY_MAX)
    })

    test('writes nothing when what it meters fails', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const failing = database.write(async (tx) => {
        await new Meter(tx).begin({ ...use, product: SIM_BASE }, at(0))
        throw new Error('the sale fell through')
      })
      await assert.rejects(failing)
      assert.deepEqual(await used(database), [])
    })

    test('counts what comes late for a closed month in the open one, and sets no closed month', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await database.write(async (tx) => {
        const period = { openMonth: MAY, closingMonth: undefined, billedUntil: MAY }
        await new PeriodStore(tx).set(period)
        const meter = new Meter(tx)
        await meter.count({ ...use, product: SMS_MESSAGE }, 'late', at(1))
        await meter.add({ ...use, product: WEBACCEL_TRAFFIC }, 7, at(1))
        await meter.set({ ...use, product: WEBACCEL_TRAFFIC }, 99, APRIL)
      })
      assert.deepEqual(await used(database), [])
      const june = new Date('2026-06-01T00:00:00+09:00')
      assert.deepEqual(
        (await used(database, MAY, june)).map((one) => one.used),
        [1, 7],
      )
      await database.write((tx) => new Meter(tx).set({ ...use, product: WEBACCEL_TRAFFIC }, 5, MAY))
      assert.equal((await used(database, MAY, june))[1]?.used, 5)
    })
  })
}
