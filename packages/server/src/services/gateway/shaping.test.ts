import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { nextJapanMonthStart } from '../../kernel/datetime.ts'
import { raw } from '../../storage/sql.ts'
import { openElements, ScriptedSender } from '../../testing/elements.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { iccidOf } from '../../testing/sims.ts'

const CONTROL = {
  traffic_quota_in_mb: 10,
  bandwidth_limit_in_kbps: 64,
  auto_traffic_shaping: true,
}
const MB = 1_000_000

/** SIMs 1 and 2 in sessions at an element, SIM 3 as a device of the operator, all in one gateway. */
async function open(t: TestContext, engine: TestEngine, control: object = CONTROL) {
  const sender = new ScriptedSender()
  const cloud = await openElements(t, engine, sender)
  const { gatewayId, sims } = await cloud.withSessions(1, 2)
  await cloud.add(gatewayId, await cloud.sim(3))
  await cloud.attach(3)
  const { part, operator, clock, wait } = cloud
  const put = async (more: object = {}) => {
    const body = { traffic_monitoring_config: { ...control, ...more } }
    assert.equal((await part('PUT', gatewayId, 'traffic_monitoring', body)).status, 200)
    await wait(0)
  }
  await put()
  return {
    ...{ ...cloud, sender, sims, gatewayId, put },
    /** What was asked about bandwidth, the oldest first. */
    rates: () =>
      sender.sent
        .filter(({ kind }) => kind === 'coa')
        .map(({ acctSessionId, bitsPerSecond }) => [acctSessionId, bitsPerSecond]),
    /** The limits of sessions 1 to 3, as the operator sees them. */
    async limits() {
      const { sessions } = (await operator('GET', '/sessions')).body
      const byIccid = new Map(
        sessions.map((one: { iccid: string; bits_per_second?: number }) => [
          one.iccid,
          one.bits_per_second,
        ]),
      )
      return [1, 2, 3].map((n) => byIccid.get(iccidOf(n)))
    },
    toNextMonth: () => clock.advanceTo(nextJapanMonthStart(clock.now())),
  }
}

for (const engine of engines) {
  describe(`shaping at network elements on ${engine.name}`, () => {
    test('begins with the passed quota, for sessions of elements alone, and once', async (t) => {
      const { traffic, wait, rates, limits } = await open(t, engine)
      await traffic(1, 4 * MB, 6 * MB)
      await wait(0)
      assert.deepEqual([rates(), await limits()], [[], [undefined, undefined, undefined]])
      await traffic(3, 1, 0)
      await traffic(2, 1, 0)
      await wait(86_400)
      assert.deepEqual(rates(), [
        ['session-1', 64_000],
        ['session-2', 64_000],
      ])
      assert.deepEqual(await limits(), [64_000, 64_000, undefined])
    })

    test('is part of an attach that comes later', async (t) => {
      const { traffic, wait, rates, attachAt } = await open(t, engine)
      await traffic(3, 11 * MB, 0)
      await wait(0)
      const admission = await attachAt(1, 'session-1b')
      assert.equal(admission.accepted && admission.session.bitsPerSecond, 64_000)
      await wait(86_400)
      assert.equal(rates().length, 2, 'no request follows')
    })

    test('ends with the month, and begins anew in the next', async (t) => {
      const { traffic, wait, rates, limits, toNextMonth } = await open(t, engine)
      await traffic(1, 11 * MB, 0)
      await wait(0)
      await toNextMonth()
      assert.deepEqual(rates().slice(2), [
        ['session-1', undefined],
        ['session-2', undefined],
      ])
      assert.deepEqual(await limits(), [undefined, undefined, undefined])
      await traffic(2, 11 * MB, 0)
      await wait(0)
      assert.deepEqual(rates().slice(4), [
        ['session-1', 64_000],
        ['session-2', 64_000],
      ])
    })

    test('follows the settings: another limit, another quota, none', async (t) => {
      const { traffic, wait, rates, put, part, gatewayId } = await open(t, engine)
      await traffic(1, 11 * MB, 0)
      await wait(0)
      const news = () => rates().slice(-2)
      assert.deepEqual(news(), [
        ['session-1', 64_000],
        ['session-2', 64_000],
      ])
      await put({ bandwidth_limit_in_kbps: 128 })
      assert.deepEqual(news(), [
        ['session-1', 128_000],
        ['session-2', 128_000],
      ])
      const ended = [
        ['session-1', undefined],
        ['session-2', undefined],
      ]
      await put({ traffic_quota_in_mb: 12 })
      assert.deepEqual([news(), rates().length], [ended, 6])
      await put({ traffic_quota_in_mb: 11 })
      assert.equal(rates().length, 6, 'what is used is not more')
      await put()
      assert.equal(rates().length, 8)
      await part('DELETE', gatewayId, 'traffic_monitoring')
      await wait(0)
      assert.deepEqual([news(), rates().length], [ended, 10])
    })

    test('asks for nothing without a limit, or without shaping', async (t) => {
      const { traffic, wait, rates, put } = await open(t, engine, {
        ...{ ...CONTROL, bandwidth_limit_in_kbps: null },
      })
      await traffic(1, 11 * MB, 0)
      await wait(0)
      await put({ bandwidth_limit_in_kbps: 0 })
      await put({ bandwidth_limit_in_kbps: 64, auto_traffic_shaping: false })
      assert.deepEqual(rates(), [])
    })

    test('replaces what waits, and gives way to the end of the session', async (t) => {
      const { traffic, wait, put, ask, sims, sender, requests, database } = await open(t, engine)
      sender.answer = () => ({ answer: 'none', reason: 'silence' })
      await traffic(1, 11 * MB, 0)
      await wait(0)
      await put({ bandwidth_limit_in_kbps: 128 })
      await ask('PUT', `/commonserviceitem/${sims[0]}/sim/deactivate`)
      sender.answer = () => ({ answer: 'ack' })
      await wait(86_400)
      const found: { kind: string; bits_per_second: number | null; state: string }[] =
        await requests()
      assert.deepEqual(
        found.map((one) => [one.kind, one.bits_per_second, one.state]),
        [
          ['coa', 64_000, 'replaced'],
          ['coa', 64_000, 'replaced'],
          ['coa', 128_000, 'replaced'],
          ['coa', 128_000, 'ack'],
          ['disconnect', null, 'ack'],
        ],
      )
      const left = await database.read((tx) => tx.all(raw('SELECT id FROM outbox')))
      assert.deepEqual(left, [], 'nothing is left to be sent')
    })
  })
}
