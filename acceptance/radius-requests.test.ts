/** Requests to packet gateways: from a call of the interface to a scripted one, by the real programs. */
import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { describe, type TestContext, test } from 'node:test'
import { engines } from './engines.ts'
import { noFreeradius } from './freeradius.ts'
import { freeUdpPort } from './ports.ts'
import { openRadiusCloud, PGW_1, type RadiusCloudOptions } from './radius-cloud.ts'
import { openNas } from './scripted-nas.ts'
import { waitFor } from './wait.ts'

const MB = 1_000_000

async function open(
  t: TestContext,
  flags: readonly string[],
  options: RadiusCloudOptions = {},
  answer: Parameters<typeof openNas>[0] = () => 'ack',
) {
  const { secret, address } = PGW_1
  const nas = await openNas(answer, { secret, address })
  t.after(() => nas.close())
  const cloud = await openRadiusCloud(t, flags, { ...options, coaPort: nas.port })
  const requests = async () => (await cloud.operator('GET', '/element-requests')).body.requests
  /** The newest of them has this state. */
  const answered = (state: string) =>
    waitFor('the answer', async () => (await requests())[0]?.state === state)
  return { ...cloud, nas, requests, answered }
}

for (const engine of engines) {
  describe(`Disconnect and CoA on ${engine.name}`, { skip: noFreeradius }, () => {
    test('reach the packet gateway: shaping by the quota, then the end of the session', async (t) => {
      const cloud = await open(t, await engine.flags())
      const { ask, sim, gateway, attach, account, nas, requests, answered } = cloud
      await ask('PUT', `${gateway}/mobilegateway/traffic_monitoring`, {
        traffic_monitoring_config: {
          ...{ traffic_quota_in_mb: 10, auto_traffic_shaping: true, bandwidth_limit_in_kbps: 64 },
        },
      })
      const { attributes } = await attach(PGW_1, 0)
      const ip = new Map(attributes).get('Framed-IP-Address')
      await account(PGW_1, 0, 'Start', 'first')
      await account(PGW_1, 0, 'Interim-Update', 'first', [11 * MB, 0])
      const [shaped] = await nas.received(1)
      assert.deepEqual(
        [shaped?.type, shaped?.isVerified, shaped?.acctSessionId, shaped?.ip, shaped?.downBits],
        ['CoA', true, 'first', ip, 64_000],
      )
      await answered('ack')
      const later = new Map((await attach(PGW_1, 1)).attributes)
      assert.equal(later.get('WISPr-Bandwidth-Max-Down'), '64000')

      const begun = performance.now()
      await ask('PUT', `${sim(0)}/deactivate`)
      const ended = (await nas.received(2))[1]
      t.diagnostic(
        `at the packet gateway ${Math.round(performance.now() - begun)} ms after the call`,
      )
      assert.deepEqual(
        [ended?.type, ended?.acctSessionId, ended?.nasIdentifier],
        ['Disconnect', 'first', undefined],
      )
      await answered('ack')
      const [request] = await requests()
      assert.deepEqual([request.element, request.cause], ['pgw-1', 'not_activated'])
    })
  })
}

describe('a server that is killed', { skip: noFreeradius }, () => {
  test('asks the packet gateway again after its restart', async (t) => {
    let isAlive = false
    const cloud = await open(t, [], { canRestart: true }, () => (isAlive ? 503 : 'none'))
    const { ask, sim, attach, account, nas, requests, answered, operator, restart } = cloud
    await attach(PGW_1, 0)
    await account(PGW_1, 0, 'Start', 'first')
    await ask('PUT', `${sim(0)}/deactivate`)
    await nas.received(1)
    await restart()
    isAlive = true
    // The claim of the dead process has to expire.
    await operator('POST', '/clock/advance', { by: '1m' })
    await answered('ack')
    const [request, ...more] = await requests()
    assert.deepEqual(
      [request.attempts, request.error_cause, more],
      [2, 'Session-Context-Not-Found', []],
    )
  })
})

describe('the relay of FreeRADIUS', { skip: noFreeradius }, () => {
  test('takes Disconnect and CoA for the packet gateways, and brings their answers', async (t) => {
    const port = await freeUdpPort()
    const radiusConfig = ['--coa-relay', '127.0.0.1', '--coa-port', `${port}`]
    const cloud = await open(t, ['--radius-coa', `127.0.0.1:${port}`], { radiusConfig })
    const { ask, sim, attach, account, nas, answered } = cloud
    await attach(PGW_1, 0)
    await account(PGW_1, 0, 'Start', 'first')
    await ask('PUT', `${sim(0)}/deactivate`)
    const [ended] = await nas.received(1)
    assert.deepEqual(
      [ended?.type, ended?.isVerified, ended?.acctSessionId, ended?.nasIdentifier],
      ['Disconnect', true, 'first', 'pgw-1'],
    )
    await answered('ack')
  })
})
