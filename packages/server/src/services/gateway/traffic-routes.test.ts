import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { type Gateways, openGateways } from '../../testing/gateways.ts'

const CONFIG = {
  traffic_quota_in_mb: 10,
  bandwidth_limit_in_kbps: 64,
  email_config: { enabled: true },
  chat_config: { enabled: true, chat_url: 'https://127.0.0.1:9/hook/secret' },
  auto_traffic_shaping: true,
}
const NO_CHAT = { ...CONFIG, chat_config: { enabled: false, chat_url: '' } }

for (const engine of engines) {
  // So that the chat message is refused at once instead of tried.
  const open = (t: TestContext) => openGateways(t, engine, ['--private-targets', 'deny'])
  const put = ({ part }: Gateways, id: string, traffic_monitoring_config: object) =>
    part('PUT', id, 'traffic_monitoring', { traffic_monitoring_config })

  /** A gateway with one SIM in session. */
  const withDevice = async (gateways: Gateways) => {
    const id = await gateways.ready('gate')
    await gateways.add(id, await gateways.sim(1))
    await gateways.attach(1)
    const status = async () =>
      (await gateways.part('GET', id, 'traffic_status')).body.traffic_status
    return { id, status, isShaping: async () => (await status()).traffic_shaping }
  }

  describe(`/mobilegateway/traffic_monitoring on ${engine.name}`, () => {
    test('answers 404 not_found while unset, to GET and DELETE', async (t) => {
      const { ready, part } = await open(t)
      const id = await ready()
      for (const method of ['GET', 'DELETE']) {
        const answer = await part(method, id, 'traffic_monitoring')
        assert.deepEqual([answer.status, answer.body.error_code], [404, 'not_found'])
      }
    })

    test('stores the config whole, reads it, ends it', async (t) => {
      const gateways = await open(t)
      const { ready, part } = gateways
      const id = await ready()
      const read = async () => (await part('GET', id, 'traffic_monitoring')).body
      assert.deepEqual((await put(gateways, id, CONFIG)).body, { is_ok: true })
      assert.deepEqual(await read(), { traffic_monitoring_config: CONFIG, is_ok: true })
      await put(gateways, id, { traffic_quota_in_mb: 1 })
      assert.deepEqual((await read()).traffic_monitoring_config, {
        traffic_quota_in_mb: 1,
        bandwidth_limit_in_kbps: null,
        email_config: { enabled: false },
        chat_config: { enabled: false, chat_url: '' },
        auto_traffic_shaping: false,
      })
      const deleted = await part('DELETE', id, 'traffic_monitoring')
      assert.deepEqual(deleted.body, { is_ok: true })
      assert.equal((await part('GET', id, 'traffic_monitoring')).status, 404)
    })

    test('answers 400 that names the field, and stores nothing', async (t) => {
      const gateways = await open(t)
      const { ready, part } = gateways
      const id = await ready()
      const cases: [string, object][] = [
        ['traffic_quota_in_mb', { traffic_quota_in_mb: undefined }],
        ['traffic_quota_in_mb', { traffic_quota_in_mb: 0 }],
        ['traffic_quota_in_mb', { traffic_quota_in_mb: 1.5 }],
        ['traffic_quota_in_mb', { traffic_quota_in_mb: '10' }],
        ['bandwidth_limit_in_kbps', { bandwidth_limit_in_kbps: -1 }],
        ['auto_traffic_shaping', { auto_traffic_shaping: 'True' }],
        ['email_config\\.enabled', { email_config: {} }],
        ['chat_config\\.chat_url', { chat_config: { enabled: true } }],
        ['chat_config\\.chat_url', { chat_config: { enabled: true, chat_url: '' } }],
        ['chat_config\\.chat_url', { chat_config: { enabled: true, chat_url: 'http://a.jp/' } }],
        ['chat_config\\.chat_url', { chat_config: { enabled: true, chat_url: 'hook' } }],
      ]
      for (const [path, broken] of cases) {
        const answer = await put(gateways, id, { ...CONFIG, ...broken })
        assert.equal(answer.status, 400, JSON.stringify(broken))
        const at = new RegExp(`traffic_monitoring_config\\.${path}`)
        assert.match(answer.body.error_msg, at)
      }
      assert.equal((await part('GET', id, 'traffic_monitoring')).status, 404)
      for (const bandwidth_limit_in_kbps of [null, 0]) {
        assert.equal((await put(gateways, id, { ...CONFIG, bandwidth_limit_in_kbps })).status, 200)
      }
    })
  })

  describe(`/mobilegateway/traffic_status on ${engine.name}`, () => {
    test('works without a config; counts are strings of digits', async (t) => {
      const gateways = await open(t)
      const { id, status } = await withDevice(gateways)
      const zero = { uplink_bytes: '0', downlink_bytes: '0', traffic_shaping: false }
      assert.deepEqual(await status(), zero)
      await gateways.traffic(1, 5_000_000_000, 7)
      assert.deepEqual(await status(), {
        uplink_bytes: '5000000000',
        downlink_bytes: '7',
        traffic_shaping: false,
      })
      assert.equal((await gateways.part('GET', id, 'traffic_status')).body.is_ok, true)
    })

    test('shapes when the quota is passed, not when it is reached', async (t) => {
      const gateways = await open(t)
      const { id, isShaping } = await withDevice(gateways)
      await put(gateways, id, NO_CHAT)
      await gateways.traffic(1, 4_000_000, 6_000_000)
      assert.equal(await isShaping(), false)
      await gateways.traffic(1, 0, 1)
      assert.equal(await isShaping(), true)
    })

    test('does not shape without auto shaping, nor without a config', async (t) => {
      const gateways = await open(t)
      const { id, isShaping } = await withDevice(gateways)
      await put(gateways, id, { ...NO_CHAT, auto_traffic_shaping: false })
      await gateways.traffic(1, 0, 10_000_001)
      assert.equal(await isShaping(), false)
      await put(gateways, id, NO_CHAT)
      assert.equal(await isShaping(), true)
      await gateways.part('DELETE', id, 'traffic_monitoring')
      assert.equal(await isShaping(), false)
    })

    test('ends shaping with a higher quota, and with the month of Japan', async (t) => {
      const gateways = await open(t)
      const { id, status, isShaping } = await withDevice(gateways)
      await put(gateways, id, NO_CHAT)
      await gateways.traffic(1, 0, 10_000_001)
      assert.equal(await isShaping(), true)
      await put(gateways, id, { ...NO_CHAT, traffic_quota_in_mb: 11 })
      assert.equal(await isShaping(), false)
      await put(gateways, id, NO_CHAT)
      await gateways.clock.advanceTo(new Date('2026-04-30T23:59:59.999+09:00'))
      assert.equal(await isShaping(), true)
      await gateways.clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      assert.deepEqual(await status(), {
        uplink_bytes: '0',
        downlink_bytes: '0',
        traffic_shaping: false,
      })
    })
  })

  describe(`notices of a passed quota on ${engine.name}`, () => {
    const noticesOf = async ({ operator }: Gateways) =>
      (await operator('GET', '/outbox/notices')).body.notices

    test('come once a month, by each channel that is enabled, without the secret of the address', async (t) => {
      const gateways = await open(t)
      const { id } = await withDevice(gateways)
      await put(gateways, id, CONFIG)
      await gateways.traffic(1, 0, 10_000_000)
      assert.deepEqual(await noticesOf(gateways), [])
      await gateways.traffic(1, 2_000_000, 0)
      await gateways.traffic(1, 2_000_000, 0)
      await gateways.wait(0)
      const notices = await noticesOf(gateways)
      assert.deepEqual(
        notices.map((notice: { channel: string; gateway_id: string; target: string }) => [
          notice.channel,
          notice.gateway_id,
          notice.target,
        ]),
        [
          ['chat', id, '127.0.0.1:9'],
          ['email', id, null],
        ],
      )
      const text = `Mobile gateway gate (${id}) has passed its traffic quota of 10 MB: 12 MB in 2026-04.`
      assert.equal(notices[0].text, text)
      assert.deepEqual([notices[0].status, notices[1].status], ['failed', 'kept'])
      assert.ok(!JSON.stringify(notices).includes('secret'))
      await gateways.clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      await gateways.traffic(1, 0, 10_000_001)
      assert.equal((await noticesOf(gateways)).length, 4)
    })

    test('come for a higher quota that is passed too, and at once for a lower one', async (t) => {
      const gateways = await open(t)
      const { id } = await withDevice(gateways)
      const email = (traffic_quota_in_mb: number) =>
        put(gateways, id, { ...NO_CHAT, traffic_quota_in_mb })
      await email(10)
      await gateways.traffic(1, 0, 11_000_000)
      await email(20)
      await gateways.traffic(1, 0, 10_000_000)
      assert.equal((await noticesOf(gateways)).length, 2)
      await email(100)
      await email(5)
      assert.equal((await noticesOf(gateways)).length, 3)
    })

    test('do not come again for a quota that was raised and lowered in the same month', async (t) => {
      const gateways = await open(t)
      const { id } = await withDevice(gateways)
      const email = (traffic_quota_in_mb: number) =>
        put(gateways, id, { ...NO_CHAT, traffic_quota_in_mb })
      await email(10)
      await gateways.traffic(1, 0, 11_000_000)
      for (const quota of [100, 10, 100, 10]) await email(quota)
      await gateways.traffic(1, 0, 1_000_000)
      assert.equal((await noticesOf(gateways)).length, 1)
      await gateways.clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      await gateways.traffic(1, 0, 11_000_000)
      assert.equal((await noticesOf(gateways)).length, 2)
    })

    test('come once when many devices pass the quota at once, and no byte is lost', async (t) => {
      const gateways = await open(t)
      const { id, status } = await withDevice(gateways)
      await put(gateways, id, NO_CHAT)
      for (let n = 2; n <= 20; n += 1) {
        await gateways.add(id, await gateways.sim(n))
        await gateways.attach(n)
      }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => gateways.traffic(n + 1, 0, 1_000_000)),
      )
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
      assert.equal((await status()).downlink_bytes, '20000000')
      assert.equal((await noticesOf(gateways)).length, 1)
    })

    test('do not come when no channel is enabled', async (t) => {
      const gateways = await open(t)
      const { id } = await withDevice(gateways)
      await put(gateways, id, { ...NO_CHAT, email_config: { enabled: false } })
      await gateways.traffic(1, 0, 10_000_001)
      assert.deepEqual(await noticesOf(gateways), [])
    })
  })
}
