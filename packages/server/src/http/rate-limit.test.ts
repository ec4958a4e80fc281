import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../storage/sql.ts'
import { engines, sharedPostgres } from '../testing/engines.ts'
import { openWeb } from '../testing/webaccel.ts'

for (const engine of engines) {
  describe(`the rate of the web accelerator on ${engine.name}`, () => {
    const limited = async (t: Parameters<typeof openWeb>[0], calls: number) => {
      const cloud = await openWeb(t, { engine })
      const settings = { webaccel_calls_per_hour: calls }
      await cloud.operator('POST', '/world', { body: { version: 1, settings } })
      const call = async () => cloud.web('GET', '/site')
      const wait = (seconds: number) =>
        cloud.clock.advanceTo(new Date(cloud.clock.now().getTime() + seconds * 1000))
      return { ...cloud, call, wait }
    }

    test('has all calls at once and then one each part of the hour (ERROR-WEBACCEL-429)', async (t) => {
      const { call, wait } = await limited(t, 3)
      for (let index = 0; index < 3; index += 1) assert.equal((await call()).status, 200)
      const refused = await call()
      assert.deepEqual(
        [refused.status, refused.body.error_code, refused.headers['retry-after']],
        [429, 'too_many_request', '1200'],
      )
      await wait(1199)
      assert.equal((await call()).headers['retry-after'], '1')
      await wait(1)
      assert.equal((await call()).status, 200)
      await wait(600)
      assert.equal((await call()).headers['retry-after'], '600')
      await wait(3000)
      for (let index = 0; index < 3; index += 1) assert.equal((await call()).status, 200)
      assert.equal((await call()).status, 429)
    })

    test('costs one row an account, whatever the limit is', async (t) => {
      const { call, database } = await limited(t, 100_000)
      for (let index = 0; index < 5; index += 1) assert.equal((await call()).status, 200)
      await Promise.all(Array.from({ length: 100 }, call))
      const rows = await database.read((tx) => tx.all(raw('SELECT arrival_us FROM call_rate')))
      assert.equal(rows.length, 1)
    })

    test('is exact when many come at once, and is counted per account', async (t) => {
      const { call, web } = await limited(t, 20)
      const answers = await Promise.all(Array.from({ length: 50 }, call))
      const counts = (wanted: number) => answers.filter(({ status }) => status === wanted).length
      assert.deepEqual([counts(200), counts(429)], [20, 30])
      assert.equal((await web('GET', '/site', { token: 'other-cdn' })).status, 200)
    })

    test('counts what is refused for other reasons, but not strangers', async (t) => {
      const { call, web } = await limited(t, 3)
      assert.equal((await web('GET', '/site/900000000000')).status, 404)
      assert.equal((await web('DELETE', '/site/900000000000', { token: 'acme-view' })).status, 403)
      for (let index = 0; index < 3; index += 1)
        assert.equal((await web('GET', '/site', { token: null })).status, 401)
      assert.equal((await call()).status, 200)
      assert.equal((await call()).status, 429)
      assert.equal((await web('DELETE', '/site/900000000000', { token: 'acme-view' })).status, 403)
    })

    test('is 500 an hour, unless the world says otherwise (LIMIT-01)', async (t) => {
      const { web } = await openWeb(t, { engine })
      const statuses = new Set<number>()
      for (let index = 0; index < 500; index += 1) statuses.add((await web('GET', '/site')).status)
      assert.deepEqual([...statuses], [200])
      assert.equal((await web('GET', '/site')).status, 429)
    })

    test('does not touch the other families', async (t) => {
      const { call, ask } = await limited(t, 1)
      await call()
      assert.equal((await call()).status, 429)
      assert.equal((await ask('GET', '/auth-status')).status, 200)
    })
  })
}

if (sharedPostgres !== undefined) {
  const openShared = sharedPostgres
  test('the rate of the web accelerator is one for two processes on one PostgreSQL', async (t) => {
    const engine = await openShared()
    const both = [await openWeb(t, { engine }), await openWeb(t, { engine })]
    const settings = { webaccel_calls_per_hour: 20 }
    await both[0]?.operator('POST', '/world', { body: { version: 1, settings } })
    const answers = await Promise.all(
      both.flatMap(({ web }) => Array.from({ length: 25 }, () => web('GET', '/site'))),
    )
    const counts = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.deepEqual([counts(200), counts(429)], [20, 30])
    for (const { web, clock } of both) {
      const refused = await web('GET', '/site')
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '180'])
      await clock.advanceTo(new Date(clock.now().getTime() + 180_000))
    }
    const statuses = await Promise.all(
      both.map(async ({ web }) => (await web('GET', '/site')).status),
    )
    assert.deepEqual(statuses.sort(), [200, 429])
  })
}
