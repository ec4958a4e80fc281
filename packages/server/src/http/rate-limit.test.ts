import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

    test('slides: the next call is possible when the oldest is an hour old (ERROR-WEBACCEL-429)', async (t) => {
      const { call, wait } = await limited(t, 3)
      assert.equal((await call()).status, 200)
      await wait(600)
      assert.equal((await call()).status, 200)
      assert.equal((await call()).status, 200)
      const refused = await call()
      assert.deepEqual(
        [refused.status, refused.body.error_code, Number(refused.headers['retry-after'])],
        [429, 'too_many_request', 3000],
      )
      await wait(2999)
      assert.equal((await call()).status, 429)
      await wait(1)
      assert.equal((await call()).status, 200)
      assert.equal(Number((await call()).headers['retry-after']), 600)
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
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '3600'])
      await clock.advanceTo(new Date(clock.now().getTime() + 3_600_000))
    }
    for (const { web } of both) assert.equal((await web('GET', '/site')).status, 200)
  })
}
