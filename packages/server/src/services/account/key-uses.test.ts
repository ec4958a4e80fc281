import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrozenClock } from '../../kernel/clock.ts'
import { ControlledClock } from '../../kernel/controlled-clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { openCloud } from '../../testing/cloud.ts'
import { engines, sharedPostgres, TEST_NOW, type TestEngine } from '../../testing/engines.ts'
import { KeyUses } from './key-uses.ts'

const HOUR_MS = 3_600_000
const after = (hours: number) => new Date(TEST_NOW.getTime() + hours * HOUR_MS)

const openTimes = async (t: Parameters<typeof openCloud>[0], engine: TestEngine) => {
  const cloud = await openCloud(t, { engine })
  const lastUsed = async (token = 'acme-token') => {
    const { keys } = (await cloud.operator('GET', '/accounts/acme/keys')).body
    return keys.find((key: { token: string }) => key.token === token).last_used_at
  }
  return { ...cloud, lastUsed }
}

for (const engine of engines) {
  describe(`the last use of keys on ${engine.name}`, () => {
    test('is that of the last call, and is written apart from it', async (t) => {
      const { cloud, clock, ask, lastUsed } = await openTimes(t, engine)
      await ask('GET', '/auth-status')
      await clock.advanceTo(after(1))
      await ask('GET', '/auth-status')
      assert.equal(
        (await ask('GET', '/auth-status', { token: 'acme-view', secret: 'x' })).status,
        401,
      )
      assert.equal(await lastUsed(), null)
      await cloud.keyUses.write()
      assert.equal(await lastUsed(), '2026-03-31T16:00:00.000000Z')
      assert.equal(await lastUsed('acme-view'), null, 'its secret was wrong')
      await ask('DELETE', '/commonserviceitem/900000000009', { token: 'acme-view' })
      await cloud.keyUses.write()
      assert.equal(await lastUsed('acme-view'), '2026-03-31T16:00:00.000000Z')
    })

    test('is written after a minute in one transaction, and never goes back', async (t) => {
      const { database, lastUsed } = await openTimes(t, engine)
      const machine = new ControlledClock(new FrozenClock(TEST_NOW))
      const world = new ControlledClock(new FrozenClock(after(5)))
      let writes = 0
      const counted = Object.create(database, {
        write: {
          value: (work: Parameters<typeof database.write>[0]) => {
            writes += 1
            return database.write(work)
          },
        },
      })
      const uses = new KeyUses({ database: counted, machine, world, log: silentLog })
      for (let call = 0; call < 50; call += 1)
        uses.note(['acme-token', 'acme-view'][call % 2] ?? '')
      await machine.advanceTo(new Date(TEST_NOW.getTime() + 59_999))
      assert.equal(writes, 0)
      await machine.advanceTo(new Date(TEST_NOW.getTime() + 60_000))
      assert.equal(writes, 1)
      assert.equal(await lastUsed(), '2026-03-31T20:00:00.000000Z')
      const behind = new ControlledClock(new FrozenClock(after(2)))
      const other = new KeyUses({ database, machine, world: behind, log: silentLog })
      other.note('acme-token')
      other.note('gone')
      await other.write()
      assert.equal(await lastUsed(), '2026-03-31T20:00:00.000000Z')
    })
  })
}

if (sharedPostgres !== undefined) {
  const openShared = sharedPostgres
  test('several servers on one database agree on the latest use', async (t) => {
    const engine = await openShared()
    const [one, two] = [await openTimes(t, engine), await openTimes(t, engine)]
    await two.clock.advanceTo(after(3))
    await Promise.all([one, two].map(({ ask }) => ask('GET', '/auth-status')))
    await Promise.all([two, one].map(({ cloud }) => cloud.keyUses.write()))
    assert.equal(await one.lastUsed(), '2026-03-31T18:00:00.000000Z')
  })
}
