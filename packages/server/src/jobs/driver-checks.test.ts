import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrozenClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { SeededRandom } from '../kernel/random.ts'
import { DAY_MS } from '../kernel/units.ts'
import type { Database } from '../storage/database.ts'
import { onSqlite, TEST_NOW } from '../testing/engines.ts'
import { JobDriver } from './driver.ts'

test('a job that nobody wakes is looked at now and then, also on a clock that stands', async (t) => {
  const database = await onSqlite.open()
  const clock = new FrozenClock(TEST_NOW)
  const checks = new Set<() => void>()
  let due: Date | undefined
  let runs = 0
  const run = async (_database: Database) => {
    due = undefined
    runs += 1
    return 'done'
  }
  const driver = new JobDriver({
    ...{ database, clock, log: silentLog, random: new SeededRandom('a') },
    jobs: [{ name: 'forgotten', nextDue: async () => due, run }],
    every(milliseconds, work) {
      if (milliseconds === 10_000) checks.add(work)
      return { cancel: () => checks.delete(work) }
    },
  })
  t.after(() => database.close())
  await driver.start()
  await clock.advanceTo(TEST_NOW)
  due = TEST_NOW
  await clock.advanceTo(TEST_NOW)
  assert.equal(runs, 0)
  for (const check of checks) check()
  await clock.advanceTo(TEST_NOW)
  assert.equal(runs, 1)
  // With an alarm for tomorrow, and something that is due before.
  due = new Date(TEST_NOW.getTime() + DAY_MS)
  for (const check of checks) check()
  await clock.advanceTo(TEST_NOW)
  assert.equal(runs, 1)
  due = TEST_NOW
  for (const check of checks) check()
  await clock.advanceTo(TEST_NOW)
  assert.equal(runs, 2)
  await driver.stop()
  assert.equal(checks.size, 0)
})
