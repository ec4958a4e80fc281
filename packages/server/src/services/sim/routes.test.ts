import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseSearch } from '../../kernel/search-query.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { draft, GATEWAY, IMEI, iccidOf, openSims } from '../../testing/sims.ts'

for (const engine of engines) {
  describe(`activate and deactivate on ${engine.name}`, () => {
    test('STATE-SIM-02 sets the flag and its date, and keeps the other date', async (t) => {
      const { register, put, status, clock } = await openSims(t, engine)
      const id = await register(1)
      const activated = await put(id, 'activate')
      assert.deepEqual([activated.status, activated.body], [200, { is_ok: true }])
      const dates = async () => {
        const sim = await status(id)
        return [sim.activated, sim.activated_date, sim.deactivated_date]
      }
      assert.deepEqual(await dates(), [true, '2026-03-31T15:00:00+00:00', null])
      await clock.advanceTo(new Date('2026-04-01T01:00:00+09:00'))
      assert.deepEqual((await put(id, 'deactivate')).body, { is_ok: true })
      const both = ['2026-03-31T15:00:00+00:00', '2026-03-31T16:00:00+00:00']
      assert.deepEqual(await dates(), [false, ...both])
    })

    test('STATE-SIM-03 ERROR-SIM-ACTIVATE-02 answers 409 conflict when activated already, and changes nothing', async (t) => {
      const { register, put, status, clock } = await openSims(t, engine)
      const id = await register(1)
      await put(id, 'activate')
      const before = await status(id)
      await clock.advanceTo(new Date('2026-04-01T01:00:00+09:00'))
      const again = await put(id, 'activate')
      assert.deepEqual([again.status, again.body.error_code], [409, 'conflict'])
      assert.deepEqual(await status(id), before)
    })

    test('answers 409 conflict when a SIM that is not activated is deactivated', async (t) => {
      const { register, put } = await openSims(t, engine)
      const id = await register(1)
      assert.equal((await put(id, 'deactivate')).status, 409)
    })
  })

  describe(`an id that is not a SIM of the account on ${engine.name}`, () => {
    test('ERROR-SIM-ACTIVATE-01 answers 404 not_found on every call below it', async (t) => {
      const { register, ask } = await openSims(t, engine)
      const id = await register(1)
      const bodies = {
        imeilock: { sim: { imei: IMEI } },
        network_operator_config: { network_operator_config: [{ name: 'carrier-a', allow: true }] },
      }
      const calls = [
        ...['status', 'network_operator_config', 'sessionlog', 'metrics', 'metrics/monitor'].map(
          (verb) => ['GET', verb] as const,
        ),
        ...['activate', 'deactivate', 'reconnect', 'imeilock', 'network_operator_config'].map(
          (verb) => ['PUT', verb] as const,
        ),
        ['DELETE', 'ip'] as const,
        ['DELETE', 'imeilock'] as const,
      ]
      for (const [method, verb] of calls) {
        const body = method === 'PUT' ? bodies[verb as keyof typeof bodies] : undefined
        for (const [target, token] of [
          ['900000000000', 'acme-token'],
          ['abc', 'acme-token'],
          [id, 'other-token'],
        ] as const) {
          const path = `/commonserviceitem/${target}/sim/${verb}`
          const answer = await ask(method, path, { token, body })
          assert.equal(answer.status, 404, `${method} ${path}`)
          assert.equal(answer.body.error_code, 'not_found')
        }
      }
    })
  })

  describe(`network_operator_config on ${engine.name}`, () => {
    test('is all allowed at first; then what is listed with true, whatever is listed twice', async (t) => {
      const { register, put, ask } = await openSims(t, engine)
      const id = await register(1)
      const read = async () =>
        (await ask('GET', `/commonserviceitem/${id}/sim/network_operator_config`)).body
      const entry = (name: string, allow: boolean) => ({ name, country_code: 'JP', allow })
      assert.deepEqual(await read(), {
        network_operator_config: [
          entry('carrier-a', true),
          entry('carrier-b', true),
          entry('carrier-c', true),
        ],
        is_ok: true,
      })
      const set = (...list: [string, boolean][]) =>
        put(id, 'network_operator_config', {
          network_operator_config: list.map(([name, allow]) => ({ name, allow })),
        })
      const allowed = async () =>
        (await read()).network_operator_config
          .filter(({ allow }: { allow: boolean }) => allow)
          .map(({ name }: { name: string }) => name)
      assert.deepEqual((await set(['carrier-b', true])).body, { is_ok: true })
      assert.deepEqual(await allowed(), ['carrier-b'])
      await set(
        ['carrier-a', true],
        ['carrier-a', false],
        ['carrier-c', false],
        ['carrier-c', true],
      )
      assert.deepEqual(await allowed(), ['carrier-a', 'carrier-c'])
    })

    test('ERROR-CARRIERS-01 LIMIT-10 answers 400 and changes nothing when none is left, a name is wrong or the list is empty', async (t) => {
      const { register, put, ask } = await openSims(t, engine)
      const id = await register(1)
      const path = `/commonserviceitem/${id}/sim/network_operator_config`
      await put(id, 'network_operator_config', {
        network_operator_config: [{ name: 'carrier-b', allow: true }],
      })
      const before = (await ask('GET', path)).body
      const lists: unknown[] = [
        [],
        [{ name: 'carrier-a', allow: false }],
        [{ name: 'Carrier-A', allow: true }],
        [
          { name: 'carrier-a', allow: true },
          { name: 'nobody', allow: false },
        ],
        [{ name: 'carrier-a' }],
        [{ name: 'carrier-a', allow: 'true' }],
        null,
      ]
      for (const network_operator_config of lists) {
        const answer = await ask('PUT', path, { body: { network_operator_config } })
        assert.equal(answer.status, 400, JSON.stringify(network_operator_config))
        assert.equal(answer.body.error_code, 'bad_request')
      }
      assert.deepEqual((await ask('GET', path)).body, before)
    })
  })

  describe(`PUT ip on ${engine.name}`, () => {
    const ip = (text: unknown) => ({ sim: { ip: text } })

    test('STATE-SIM-05 sets the address of a SIM that is in a gateway; DELETE frees it, twice', async (t) => {
      const { ready, put, drop, status } = await openSims(t, engine)
      const id = await ready(1)
      assert.deepEqual((await put(id, 'ip', ip('192.168.1.20'))).body, { is_ok: true })
      const sim = await status(id)
      assert.deepEqual([sim.ip, sim.simgroup_id], ['192.168.1.20', GATEWAY])
      for (let turn = 0; turn < 2; turn += 1) {
        assert.deepEqual((await drop(id, 'ip')).body, { is_ok: true })
      }
      assert.equal('ip' in (await status(id)), false)
    })

    test('ERROR-SIM-IP-01 answers 400 bad_request when it is not four groups of digits', async (t) => {
      const { ready, put } = await openSims(t, engine)
      const id = await ready(1)
      for (const text of ['', '10.0.0', '10.0.0.1.2', '10.0.0.1000', 'a.b.c.d', '10.0.0.1 ', 5]) {
        const answer = await put(id, 'ip', ip(text))
        assert.deepEqual([answer.status, answer.body.error_code], [400, 'bad_request'], `${text}`)
      }
    })

    test('ERROR-SIM-IP-02 answers 400 bad_request when it is not private, before the SIM is looked for', async (t) => {
      const { ready, put } = await openSims(t, engine)
      const id = await ready(1)
      const others = ['8.8.8.8', '172.32.0.1', '192.169.0.1', '11.0.0.1', '127.0.0.1', '10.0.0.256']
      for (const text of others) {
        for (const target of [id, '900000000000']) {
          assert.equal((await put(target, 'ip', ip(text))).status, 400, text)
        }
      }
    })

    test('ERROR-SIM-IP-03 answers 409 conflict when the SIM is not registered, unknown, malformed or foreign', async (t) => {
      const { ready, put, ask } = await openSims(t, engine)
      const id = await ready(1)
      for (const target of ['900000000000', 'abc', '%00']) {
        const answer = await put(target, 'ip', ip('10.0.0.1'))
        assert.deepEqual([answer.status, answer.body.error_code], [409, 'conflict'])
      }
      const foreign = await ask('PUT', `/commonserviceitem/${id}/sim/ip`, {
        token: 'other-token',
        body: ip('10.0.0.1'),
      })
      assert.equal(foreign.status, 409)
    })

    test('ERROR-SIM-IP-04 answers 404 not_found when the SIM is in no gateway', async (t) => {
      const { register, put } = await openSims(t, engine)
      const answer = await put(await register(1), 'ip', ip('10.0.0.1'))
      assert.deepEqual([answer.status, answer.body.error_code], [404, 'not_found'])
    })

    test('ERROR-SIM-IP-05 answers 409 conflict when it has an address, even for one that is taken', async (t) => {
      const { ready, put } = await openSims(t, engine)
      const [one, two] = [await ready(1), await ready(2)]
      await put(one, 'ip', ip('10.0.0.1'))
      await put(two, 'ip', ip('10.0.0.2'))
      for (const text of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
        const answer = await put(two, 'ip', ip(text))
        assert.deepEqual([answer.status, answer.body.error_code], [409, 'conflict'])
      }
    })

    test('ERROR-SIM-IP-06 answers 400 bad_request when another SIM of the gateway has it; elsewhere it is free', async (t) => {
      const { ready, register, put, join } = await openSims(t, engine)
      const [one, two, three] = [await ready(1), await ready(2), await register(3)]
      await put(one, 'ip', ip('10.0.0.1'))
      const answer = await put(two, 'ip', ip('10.0.0.1'))
      assert.deepEqual([answer.status, answer.body.error_code], [400, 'bad_request'])
      await join(three, '900000000778')
      assert.equal((await put(three, 'ip', ip('10.0.0.1'))).status, 200)
    })

    test('of several SIMs that want one address at once, exactly one gets it', async (t) => {
      const { ready, put } = await openSims(t, engine)
      const ids = []
      for (let n = 0; n < 8; n += 1) ids.push(await ready(n))
      const answers = await Promise.all(ids.map((id) => put(id, 'ip', ip('10.0.0.1'))))
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.deepEqual([count(200), count(400)], [1, 7])
    })
  })

  describe(`policy strict on ${engine.name}`, () => {
    test('wants an IMEI of 14 to 16 digits, and no address on a SIM that leaves its gateway', async (t) => {
      const { register, put, join, inGateways, clock } = await openSims(t, engine, [
        '--policy',
        'strict',
      ])
      const id = await register(1)
      for (const [length, status] of [
        [13, 400],
        [14, 200],
        [16, 200],
        [17, 400],
      ] as const) {
        const body = { sim: { imei: '1'.repeat(length) } }
        assert.equal((await put(id, 'imeilock', body)).status, status, String(length))
      }
      await join(id)
      await put(id, 'ip', { sim: { ip: '10.0.0.5' } })
      const leave = (isStrict: boolean) =>
        inGateways((sims) => sims.remove(id, GATEWAY, clock.now(), isStrict))
      await assert.rejects(leave(true), /has a fixed address; release it first/)
      await leave(false)
    })
  })

  describe(`imeilock on ${engine.name}`, () => {
    test('shows the device while locked, and can be taken off twice', async (t) => {
      const { register, put, drop, status } = await openSims(t, engine)
      const id = await register(1)
      for (const imei of ['1', '1234567890123456']) {
        assert.deepEqual((await put(id, 'imeilock', { sim: { imei } })).body, { is_ok: true })
        const sim = await status(id)
        assert.deepEqual([sim.imei_lock, sim.imei], [true, imei])
      }
      for (let turn = 0; turn < 2; turn += 1) {
        assert.deepEqual((await drop(id, 'imeilock')).body, { is_ok: true })
      }
      const sim = await status(id)
      assert.deepEqual([sim.imei_lock, 'imei' in sim], [false, false])
    })

    test('answers 400 bad_request for no digits, one digit too many, or something else', async (t) => {
      const { register, put } = await openSims(t, engine)
      const id = await register(1)
      for (const imei of ['', '12345678901234567', '12a', 5, null]) {
        assert.equal((await put(id, 'imeilock', { sim: { imei } })).status, 400)
      }
    })
  })

  describe(`sessionlog on ${engine.name}`, () => {
    test('is newest first, at most as many as asked for', async (t) => {
      const { ready, attach, put, ask } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      await put(id, 'deactivate')
      const imsi = `44010${iccidOf(1).slice(-10)}`
      const path = `/commonserviceitem/${id}/sim/sessionlog`
      const date = '2026-03-31T15:00:00.000000Z'
      const gone = { date, session_status: 'Deleted', resource_id: id, imsi }
      const begun = { date, session_status: 'Created', resource_id: id, imei: IMEI, imsi }
      assert.deepEqual((await ask('GET', path)).body, {
        logs: [gone, begun],
        Count: 2,
        is_ok: true,
      })
      assert.deepEqual((await ask('GET', `${path}?{"Count":1}`)).body.logs, [gone])
      assert.equal((await ask('GET', `${path}?{"Count":99999}`)).body.Count, 2)
      const found = async (query: object) => (await ask('GET', `${path}${search(query)}`)).body.logs
      assert.deepEqual(await found({ Filter: { session_status: 'Created' } }), [begun])
      assert.deepEqual(await found({ Filter: { imei: [IMEI], 'date>': date } }), [])
      assert.deepEqual(await found({ Sort: ['session_status'] }), [begun, gone])
      assert.deepEqual(await found({ From: 1 }), [begun])
      assert.deepEqual(await found({ Count: 1, Include: ['imsi'] }), [{ imsi }])
      assert.equal((await ask('GET', `${path}${search({ Filter: { No: 1 } })}`)).status, 400)
      for (const bad of ['{"Count":-1}', '{"Count":"x"}', '{"Count":1.5}', '{broken']) {
        assert.equal((await ask('GET', `${path}?${bad}`)).status, 400, bad)
      }
    })
  })

  describe(`SIMs in a gateway on ${engine.name}`, () => {
    const refused = (status: string) => (error: Error & { code?: string }) => {
      assert.equal(error.code, status)
      return true
    }

    test('ERROR-GATEWAY-SIM-01 ERROR-GATEWAY-SIM-02 refuse a SIM that is not registered, then one that is in a gateway', async (t) => {
      const { register, join, ask } = await openSims(t, engine)
      for (const id of ['900000000000', 'abc', 'a\0b']) {
        await assert.rejects(join(id), refused('not_found'))
      }
      const foreign = await ask('POST', '/commonserviceitem', {
        token: 'other-token',
        body: draft(2),
      })
      await assert.rejects(join(foreign.body.CommonServiceItem.ID), refused('not_found'))
      const id = await register(1)
      await join(id)
      await assert.rejects(join(id), refused('conflict'))
      await assert.rejects(join(id, '900000000778'), refused('conflict'))
    })

    test('ERROR-GATEWAY-SIM-04 are as many as the limit allows, also when they come at once', async (t) => {
      const { register, join, inGateways, clock } = await openSims(t, engine)
      const ids = []
      for (let n = 0; n < 12; n += 1) ids.push(await register(n))
      const results = await Promise.allSettled(ids.map((id) => join(id, GATEWAY, 5)))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
      const read = () => inGateways((sims) => sims.list(GATEWAY, 1, 3, clock.now()))
      const { total, sims } = await read()
      assert.deepEqual([total, sims.length], [5, 3])
      const inside = ids.filter((_, n) => results[n]?.status === 'fulfilled')
      const [first = '', ...others] = inside
      await inGateways((all) => all.remove(first, GATEWAY, clock.now(), false))
      assert.equal((await read()).total, 4)
      const outside = ids.filter((id) => !inside.includes(id))
      await join(outside[0] ?? '', GATEWAY, 5)
      await assert.rejects(join(outside[1] ?? '', GATEWAY, 5), refused('conflict'))
      assert.equal(await inGateways((all) => all.has(others[0] ?? '', GATEWAY)), true)
      await inGateways((all) => all.removeAll(GATEWAY, clock.now()))
      assert.deepEqual(await read(), { total: 0, sims: [] })
    })

    test('STATE-SIM-06 lose address, routes and session when they are removed, and are not there a second time', async (t) => {
      const cloud = await openSims(t, engine)
      const { ready, put, attach, inGateways, networks, status, clock, log } = cloud
      const id = await ready(1)
      await put(id, 'ip', { sim: { ip: '10.9.0.9' } })
      await attach(1)
      const remove = () => inGateways((sims) => sims.remove(id, GATEWAY, clock.now(), false))
      await remove()
      const sim = await status(id)
      assert.deepEqual(
        ['ip' in sim, 'simgroup_id' in sim, sim.session_status],
        [false, false, 'DOWN'],
      )
      assert.deepEqual(networks.told, [`${id} left ${GATEWAY}`])
      assert.deepEqual(await log(id), ['Deleted', 'Created'])
      await assert.rejects(remove(), refused('not_found'))
    })

    test('are listed with their traffic, logged, and known by their ICCIDs', async (t) => {
      const { ready, attach, traffic, inGateways, clock } = await openSims(t, engine)
      const [one, two] = [await ready(1), await ready(2)]
      await attach(2)
      await traffic(2, 1000, 2000)
      const { sims } = await inGateways((all) => all.list(GATEWAY, 0, 10, clock.now()))
      assert.deepEqual(
        sims.map(
          (sim) =>
            (sim as { traffic_bytes_of_current_month: object }).traffic_bytes_of_current_month,
        ),
        [
          { uplink_bytes: 0, downlink_bytes: 0 },
          { uplink_bytes: 1000, downlink_bytes: 2000 },
        ],
      )
      const [entry] = await inGateways((all) => all.sessionLog(GATEWAY, parseSearch({})))
      assert.equal((entry as { resource_id: string }).resource_id, two)
      const iccids = await inGateways((all) => all.iccidsOf([one, two, '900000000000']))
      assert.deepEqual(
        [...iccids],
        [
          [one, iccidOf(1)],
          [two, iccidOf(2)],
        ],
      )
    })
  })
}
