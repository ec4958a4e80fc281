import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secondsAfter } from '../kernel/units.ts'
import { engines, TEST_NOW } from '../testing/engines.ts'
import { LeaseStore } from './lease.ts'

const later = (seconds: number) => secondsAfter(TEST_NOW, seconds)

for (const engine of engines) {
  describe(`LeaseStore on ${engine.name}`, () => {
    test('takes over a lease from a clock that was ahead, and no other before its end', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const take = (now: Date) =>
        database.write((tx) =>
          new LeaseStore(tx).take('a', 'owner', now, new Date(now.getTime() + 60_000)),
        )
      assert.ok(await take(later(3600)))
      assert.equal(await take(later(3600 - 60)), undefined, 'as far ahead as clocks may be')
      assert.ok(await take(TEST_NOW))
      assert.equal(await take(later(59)), undefined)
    })

    test('does not take a lease of its own for that of an earlier run', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const take = (now: Date) =>
        database.write((tx) => new LeaseStore(tx).take('a', 'owner', now, later(60)))
      const first = await take(TEST_NOW)
      assert.equal(await take(later(59)), undefined)
      const second = await take(later(60))
      assert.ok(first && second)
      await database.write(async (tx) => {
        const leases = new LeaseStore(tx)
        const outcome = { ok: true, summary: '' }
        assert.equal(await leases.renew(first, later(120)), false)
        assert.equal(await leases.finish(first, later(61), outcome), false)
        assert.equal(await leases.renew(second, later(120)), true)
        assert.equal(await leases.finish(second, later(61), outcome), true)
        assert.equal(await leases.finish(second, later(61), outcome), false)
      })
    })
  })
}
