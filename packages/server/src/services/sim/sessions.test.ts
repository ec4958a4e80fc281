import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCidr } from '../../kernel/ipv4.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { GATEWAY, IMEI, iccidOf, openSims } from '../../testing/sims.ts'
import { REFUSALS_KEPT } from './log-rules.ts'

const OTHER_IMEI = '350000000000002'

for (const engine of engines) {
  describe(`admission of a device on ${engine.name}`, () => {
    test('is refused in the order of the reasons, and each is kept', async (t) => {
      const cloud = await openSims(t, engine)
      const { register, put, drop, join, attach, networks, operator } = cloud
      const refused = async (reason: string) =>
        assert.deepEqual(await attach(1), { accepted: false, reason, ip: null, is_ok: true })
      await refused('not_registered')
      const id = await register(1)
      await put(id, 'imeilock', { sim: { imei: OTHER_IMEI } })
      await put(id, 'network_operator_config', {
        network_operator_config: [{ name: 'carrier-b', allow: true }],
      })
      await refused('not_activated')
      await put(id, 'activate')
      await refused('imei_locked')
      await drop(id, 'imeilock')
      await refused('carrier_not_allowed')
      await put(id, 'network_operator_config', {
        network_operator_config: [{ name: 'carrier-a', allow: true }],
      })
      await refused('no_network')
      await join(id)
      networks.up.clear()
      networks.down.add(GATEWAY)
      await refused('gateway_down')
      networks.up.add(GATEWAY)
      const { accepted, reason } = await attach(1)
      assert.deepEqual([accepted, reason], [true, null])
      const { refusals } = (await operator('GET', `/devices/${iccidOf(1)}/refusals`)).body
      assert.deepEqual(
        refusals.map((entry: { reason: string }) => entry.reason),
        [
          'gateway_down',
          'no_network',
          'carrier_not_allowed',
          'imei_locked',
          'not_activated',
          'not_registered',
        ],
      )
      assert.deepEqual(refusals[0], {
        time: '2026-03-31T15:00:00.000000Z',
        reason: 'gateway_down',
        imei: IMEI,
        carrier: 'carrier-a',
      })
    })

    test('keeps the newest refusals of a card and no more', async (t) => {
      const { attach, operator } = await openSims(t, engine)
      for (let n = 0; n < REFUSALS_KEPT + 3; n += 1) await attach(1, `${1000 + n}`)
      const { refusals } = (await operator('GET', `/devices/${iccidOf(1)}/refusals`)).body
      assert.equal(refusals.length, REFUSALS_KEPT)
      assert.equal(refusals[0].imei, `${1000 + REFUSALS_KEPT + 2}`)
    })

    test('lists the refusals of all cards, newest first, with the search object', async (t) => {
      const { attach, register, operator } = await openSims(t, engine)
      await register(2)
      for (const n of [1, 2, 3]) await attach(n)
      const list = async (query: object) =>
        (await operator('GET', `/refusals${search(query)}`)).body
      const { Total, refusals } = await list({ Count: 2 })
      assert.equal(Total, 3)
      assert.deepEqual(
        refusals.map(({ iccid, reason }: { iccid: string; reason: string }) => [iccid, reason]),
        [
          [iccidOf(3), 'not_registered'],
          [iccidOf(2), 'not_activated'],
        ],
      )
      assert.equal((await list({ Filter: { reason: 'not_activated' } })).Total, 1)
      assert.equal((await list({ Sort: ['iccid'] })).refusals[0].iccid, iccidOf(1))
      assert.equal((await operator('GET', `/refusals${search({ Sort: ['x'] })}`)).status, 400)
    })

    test('gives the fixed address, or a free one of the pool, and shows the session', async (t) => {
      const { ready, put, attach, status, operator } = await openSims(t, engine)
      const [one, two] = [await ready(1), await ready(2)]
      await put(one, 'ip', { sim: { ip: '192.168.7.7' } })
      assert.equal((await attach(1)).ip, '192.168.7.7')
      const { ip } = await attach(2)
      assert.match(ip, /^10\.9\.0\.\d+$/)
      const sim = await status(two)
      assert.deepEqual([sim.session_status, sim.connected_imei, 'ip' in sim], ['UP', IMEI, false])
      const { sessions, Total } = (await operator('GET', '/sessions?{"Sort":["iccid"]}')).body
      assert.equal(Total, 2)
      assert.deepEqual(sessions[1], {
        iccid: iccidOf(2),
        resource_id: two,
        imei: IMEI,
        carrier: 'carrier-a',
        ip,
        since: '2026-03-31T15:00:00.000000Z',
        uplink_bytes: 0,
        downlink_bytes: 0,
      })
    })

    test('gives every device an address of its own, until the pool is empty', async (t) => {
      const { ready, attach, networks } = await openSims(t, engine)
      // Eight addresses, of which the first two and the last are not given out.
      networks.pool = parseCidr('10.9.0.0/29') ?? networks.pool
      for (let n = 0; n < 6; n += 1) await ready(n)
      const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => attach(n)))
      const given = answers.filter(({ accepted }) => accepted).map(({ ip }) => ip)
      assert.deepEqual(
        given.sort(),
        [2, 3, 4, 5, 6].map((last) => `10.9.0.${last}`),
      )
      assert.equal(answers.find(({ accepted }) => !accepted)?.reason, 'no_network')
    })

    test('lets a fixed address go before a given one: who had it gets another', async (t) => {
      const { ready, put, attach, log, operator } = await openSims(t, engine)
      const [one, two] = [await ready(1), await ready(2)]
      const { ip } = await attach(1)
      assert.equal((await put(two, 'ip', { sim: { ip } })).status, 200)
      assert.equal((await attach(2)).ip, ip)
      assert.deepEqual(await log(one), ['Created', 'Deleted', 'Created'])
      const { sessions } = (await operator('GET', '/sessions')).body
      assert.equal(new Set(sessions.map((session: { ip: string }) => session.ip)).size, 2)
    })

    test('goes to the gateway before the project', async (t) => {
      const { register, put, attach, join, networks, log } = await openSims(t, engine)
      const id = await register(1)
      await put(id, 'activate')
      networks.projects.set(id, '900000000555')
      assert.equal((await attach(1)).accepted, true)
      await join(id)
      assert.deepEqual(await log(id), ['Created', 'Deleted', 'Created'])
    })

    test('answers 400 for an unknown carrier and a broken IMEI; 404 and 409 where there is no SIM or session', async (t) => {
      const { operator, register, traffic } = await openSims(t, engine)
      const attach = (body: object) => operator('POST', `/devices/${iccidOf(1)}/attach`, { body })
      assert.equal((await attach({ imei: IMEI, carrier: 'nobody' })).status, 400)
      assert.equal((await attach({ imei: 'x', carrier: 'carrier-a' })).status, 400)
      assert.equal((await attach({ carrier: 'carrier-a' })).status, 400)
      assert.equal((await operator('POST', `/devices/${iccidOf(1)}/detach`)).status, 404)
      assert.equal((await traffic(1, 1, 1)).status, 404)
      await register(1)
      assert.equal((await traffic(1, 1, 1)).status, 409)
      assert.equal((await traffic(1, -1, 1)).status, 400)
      assert.deepEqual((await operator('POST', `/devices/${iccidOf(1)}/detach`)).body, {
        is_ok: true,
      })
    })
  })

  describe(`a live session on ${engine.name}`, () => {
    const ends = [
      ['deactivation', 'deactivate', undefined],
      ['a lock to another device', 'imeilock', { sim: { imei: OTHER_IMEI } }],
      [
        'its carrier being forbidden',
        'network_operator_config',
        { network_operator_config: [{ name: 'carrier-b', allow: true }] },
      ],
    ] as const

    for (const [what, verb, body] of ends) {
      test(`ends with ${what}`, async (t) => {
        const { ready, attach, put, status, log } = await openSims(t, engine)
        const id = await ready(1)
        await attach(1)
        await put(id, verb, body)
        const sim = await status(id)
        assert.deepEqual([sim.session_status, 'connected_imei' in sim], ['DOWN', false])
        assert.deepEqual(await log(id), ['Deleted', 'Created'])
      })
    }

    test('goes on when what changes still allows it', async (t) => {
      const { ready, attach, put, drop, log } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      await put(id, 'imeilock', { sim: { imei: IMEI } })
      await drop(id, 'imeilock')
      await put(id, 'network_operator_config', {
        network_operator_config: [{ name: 'carrier-a', allow: true }],
      })
      assert.deepEqual(await log(id), ['Created'])
    })

    test('ends with its gateway going down', async (t) => {
      const { ready, attach, inGateways, clock, status } = await openSims(t, engine)
      const [one, two] = [await ready(1), await ready(2)]
      await attach(1)
      await attach(2)
      await inGateways((sims) => sims.endSessions(GATEWAY, clock.now()))
      for (const id of [one, two]) assert.equal((await status(id)).session_status, 'DOWN')
    })

    test('comes back by itself after reconnect: Deleted, then Created', async (t) => {
      const { ready, attach, put, log, status } = await openSims(t, engine)
      const id = await ready(1)
      assert.deepEqual((await put(id, 'reconnect')).body, { is_ok: true })
      assert.deepEqual(await log(id), [])
      await attach(1)
      assert.deepEqual((await put(id, 'reconnect')).body, { is_ok: true })
      assert.deepEqual(await log(id), ['Created', 'Deleted', 'Created'])
      assert.equal((await status(id)).session_status, 'UP')
    })

    test('takes on an address that is set or freed while it lives', async (t) => {
      const { ready, attach, put, drop, operator } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      const ip = async () => (await operator('GET', '/sessions')).body.sessions[0].ip
      await put(id, 'ip', { sim: { ip: '192.168.7.7' } })
      assert.equal(await ip(), '192.168.7.7')
      await drop(id, 'ip')
      assert.match(await ip(), /^10\.9\.0\./)
    })

    test('is replaced when the device, or another one, attaches again; a refused one changes nothing', async (t) => {
      const { ready, attach, put, status, log, operator } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      await attach(1, OTHER_IMEI)
      assert.equal((await status(id)).connected_imei, OTHER_IMEI)
      await put(id, 'imeilock', { sim: { imei: OTHER_IMEI } })
      assert.equal((await attach(1, IMEI)).reason, 'imei_locked')
      assert.equal((await status(id)).connected_imei, OTHER_IMEI)
      assert.deepEqual((await operator('POST', `/devices/${iccidOf(1)}/detach`)).body, {
        is_ok: true,
      })
      assert.deepEqual(await log(id), ['Deleted', 'Created', 'Deleted', 'Created'])
    })
  })
}
