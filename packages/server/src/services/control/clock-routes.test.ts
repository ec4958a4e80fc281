import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '../../kernel/units.ts'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

const send = {
  body: { ESME: { destination: '819012345678', sender: 'Acme', otpOperation: 'generate' } },
}

for (const engine of engines) {
  describe(`the clock on ${engine.name}`, () => {
    test('advance runs what falls due, and answers when it has run', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const item = await ask('POST', '/commonserviceitem', {
        body: { CommonServiceItem: { Name: 'codes', Provider: { Class: 'esme' } } },
      })
      const path = `/commonserviceitem/${item.body.CommonServiceItem.ID}/esme`
      await ask('PUT', `${path}/2fa/otp`, send)
      const moved = await operator('POST', '/clock/advance', { body: { by: '1m' } })
      assert.equal(moved.status, 200)
      assert.equal(moved.body.now, '2026-03-31T15:01:00.000000Z')
      assert.ok(moved.body.fired.length > 0)
      const times = moved.body.fired.map(({ at }: { at: string }) => at)
      assert.deepEqual(times, [...times].sort())
      const [log] = (await ask('GET', `${path}/logs`)).body.ESME.logs
      assert.equal(log.status, 'Delivered')
      assert.match(log.doneAt, /T15:00:02/)
      const again = await ask('GET', '/auth-status')
      assert.equal(again.headers.date, 'Tue, 31 Mar 2026 15:01:00 GMT')
    })
  })
}

describe('PUT /clock', () => {
  test('changes the mode and the time', async (t) => {
    const { operator } = await openCloud(t)
    const now = '2026-05-01T00:00:00+09:00'
    const set = await operator('PUT', '/clock', { body: { now } })
    assert.deepEqual(
      [set.body.mode, set.body.now, set.body.scale],
      ['frozen', '2026-04-30T15:00:00.000000Z', 0],
    )
    const scaled = await operator('PUT', '/clock', { body: { mode: 'scaled', scale: 60 } })
    assert.deepEqual([scaled.body.mode, scaled.body.scale], ['scaled', 60])
    const moved = await operator('POST', '/clock/advance', { body: { by: '1w' } })
    assert.match(moved.body.now, /^2026-05-07T15:/)
  })

  test('never goes back', async (t) => {
    const { operator } = await openCloud(t)
    const before = '2026-03-31T23:59:59+09:00'
    assert.equal((await operator('PUT', '/clock', { body: { now: before } })).status, 400)
    const back = await operator('POST', '/clock/advance', { body: { to: before } })
    assert.equal(back.status, 400)
    const same = { to: '2026-04-01T00:00:00+09:00' }
    assert.equal((await operator('POST', '/clock/advance', { body: same })).status, 200)
    // A day ahead of the machine: every job on the way runs, so it is not a thousand years.
    const ahead = new Date(Date.now() + DAY_MS).toISOString()
    await operator('PUT', '/clock', { body: { now: ahead } })
    const real = await operator('PUT', '/clock', { body: { mode: 'real' } })
    assert.deepEqual([real.status, real.body.error_code], [409, 'conflict'])
    assert.equal(Date.parse((await operator('GET', '/clock')).body.now), Date.parse(ahead))
  })

  test('a real clock is not moved, until it is frozen', async (t) => {
    const { operator } = await openCloud(t)
    assert.equal((await operator('PUT', '/clock', { body: { mode: 'real' } })).body.mode, 'real')
    const moved = await operator('POST', '/clock/advance', { body: { by: '1s' } })
    assert.deepEqual([moved.status, moved.body.error_code], [409, 'conflict'])
    await operator('PUT', '/clock', { body: { mode: 'frozen' } })
    assert.equal((await operator('POST', '/clock/advance', { body: { by: '1s' } })).status, 200)
  })

  test('refuses what makes no sense, and changes nothing', async (t) => {
    const { operator } = await openCloud(t)
    for (const body of [
      { mode: 'fast' },
      { mode: 'scaled' },
      { mode: 'scaled', scale: 0 },
      { mode: 'scaled', scale: 1_000_001 },
      { mode: 'frozen', scale: 2 },
      { mode: 'real', now: '2030-01-01T00:00:00Z' },
      { now: 'tomorrow' },
    ]) {
      assert.equal((await operator('PUT', '/clock', { body })).status, 400, JSON.stringify(body))
    }
    for (const body of [
      {},
      { by: '1d', to: '2030-01-01T00:00:00Z' },
      { by: '1' },
      { by: '-1d' },
      { by: '1y' },
      { by: '999999999w' },
      { to: 'tomorrow' },
    ]) {
      const answer = await operator('POST', '/clock/advance', { body })
      assert.equal(answer.status, 400, JSON.stringify(body))
    }
    const { body } = await operator('GET', '/clock')
    assert.deepEqual([body.mode, body.now], ['frozen', '2026-03-31T15:00:00.000000Z'])
    const edge = await operator('PUT', '/clock', { body: { mode: 'scaled', scale: 1_000_000 } })
    assert.equal(edge.status, 200)
  })

  test('is locked in operate mode', async (t) => {
    const { operator } = await openCloud(t, { config: { mode: 'operate' } })
    assert.equal((await operator('PUT', '/clock', { body: { mode: 'frozen' } })).status, 403)
    assert.equal((await operator('POST', '/clock/advance', { body: { by: '1s' } })).status, 403)
    assert.equal((await operator('GET', '/clock')).status, 200)
  })

  test('is locked where certificates are ordered of an authority', async (t) => {
    const acme = { directory: 'https://127.0.0.1:1/directory', domains: [], caFile: undefined }
    const config = { acme: { ...acme, email: undefined, httpPort: 0 } }
    const { operator } = await openCloud(t, { config })
    for (const [method, path, body] of [
      ['PUT', '/clock', { mode: 'frozen' }],
      ['POST', '/clock/advance', { by: '1s' }],
    ] as const) {
      const answer = await operator(method, path, { body })
      assert.equal(answer.status, 403)
      assert.match(answer.body.error_msg, /ordered by ACME/)
    }
  })
})

test('GET /clock/timers tells what waits, and when', async (t) => {
  const { cloud, clock, operator } = await openCloud(t)
  assert.ok(cloud.ready)
  clock.at(new Date('2026-04-02T00:00:00+09:00'), 'morning', async () => undefined)
  const { timers } = (await operator('GET', '/clock/timers')).body
  assert.deepEqual(timers.at(-1), { name: 'morning', at: '2026-04-01T15:00:00.000000Z' })
})
