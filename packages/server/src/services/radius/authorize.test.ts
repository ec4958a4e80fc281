import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { utcMicros } from '../../kernel/datetime.ts'
import { NETWORK_TOKEN, OPERATOR_TOKEN } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { IMEISV, imsiOfCard, openRadius, toPacket } from '../../testing/radius.ts'
import { iccidOf } from '../../testing/sims.ts'
import { PACKET_BYTES_MAX, ROUTES_MAX } from './rules.ts'

for (const engine of engines) {
  describe(`a device that a network element asks for, on ${engine.name}`, () => {
    test('gets its address, routes and resolvers, and a session', async (t) => {
      const cloud = await openRadius(t, engine)
      const { sim, gateway } = await cloud.connectable(1)
      await cloud.ask('PUT', `/commonserviceitem/${sim}/sim/ip`, {
        body: { sim: { ip: '10.70.0.9' } },
      })
      await cloud.part('PUT', gateway, 'dnsresolver', {
        sim_group: { dns_1: '192.0.2.53', dns_2: '192.0.2.54' },
      })
      const routes = ['172.20.0.0/24', '172.21.0.0/24'].map((prefix) => ({
        resource_id: sim,
        prefix,
      }))
      assert.equal(
        (await cloud.part('PUT', gateway, 'simroutes', { sim_routes: routes })).status,
        200,
      )
      const accepted = await cloud.authorize(1)
      assert.equal(accepted.status, 200)
      assert.deepEqual(accepted.body, {
        'reply:Framed-IP-Address': '10.70.0.9',
        'reply:Framed-Route': {
          value: ['172.20.0.0/24 0.0.0.0 1', '172.21.0.0/24 0.0.0.0 1'],
          ...{ do_xlat: false, op: '+=' },
        },
        'reply:MS-Primary-DNS-Server': '192.0.2.53',
        'reply:MS-Secondary-DNS-Server': '192.0.2.54',
        'reply:Acct-Interim-Interval': 300,
      })
      const [session] = await cloud.sessions()
      assert.deepEqual(
        [session.element, session.acct_session_id, session.carrier, session.imei, session.ip],
        ['pgw-1', '', 'carrier-a', IMEISV, '10.70.0.9'],
      )
      const { accepted: count, last_seen, sessions } = await cloud.element('pgw-1')
      assert.deepEqual([count, sessions, typeof last_seen], [1, 1, 'string'])
    })

    test('gets the same answer again, one session, and one only after it has begun', async (t) => {
      const cloud = await openRadius(t, engine)
      await cloud.connectable(1)
      const first = await cloud.authorize(1)
      const [session] = await cloud.sessions()
      assert.deepEqual((await cloud.authorize(1)).body, first.body)
      assert.deepEqual(await cloud.sessions(), [session])
      await cloud.wait(1)
      assert.equal((await cloud.account(1, 'a', 'Start')).status, 204)
      const seen_at = utcMicros(cloud.clock.now())
      const bound = { ...session, acct_session_id: 'a', seen_at }
      assert.deepEqual(await cloud.sessions(), [bound])
      // A device that attaches anew has another session.
      await cloud.wait(1)
      await cloud.authorize(1)
      const [again, ...others] = await cloud.sessions()
      assert.deepEqual([again.acct_session_id, others.length], ['', 0])
      assert.notEqual(again.since, session.since)
    })

    test('is refused with the reason that is kept, and with which element asked', async (t) => {
      const cloud = await openRadius(t, engine)
      const refused = async (reason: string, more = {}) => {
        const { status, body } = await cloud.authorize(1, more)
        const message = { 'reply:Reply-Message': { value: [reason], do_xlat: false } }
        assert.deepEqual([status, body], [401, message])
      }
      await refused('not_registered')
      const sim = await cloud.sim(1)
      const change = (method: string, path: string, body?: object) =>
        cloud.ask(method, `/commonserviceitem/${sim}/sim/${path}`, { body })
      await change('PUT', 'deactivate')
      await refused('not_activated')
      await change('PUT', 'activate')
      await change('PUT', 'imeilock', { sim: { imei: '350000000000102' } })
      await refused('imei_locked')
      // The first fourteen digits are the device; the rest is a check digit or a version.
      await change('DELETE', 'imeilock')
      await change('PUT', 'imeilock', { sim: { imei: '350000000000009' } })
      await change('PUT', 'network_operator_config', {
        network_operator_config: [{ name: 'carrier-a', allow: true }],
      })
      await refused('carrier_not_allowed', { '3GPP-SGSN-MCC-MNC': '44020' })
      await refused('carrier_not_allowed', { '3GPP-SGSN-MCC-MNC': undefined })
      await refused('no_network')
      const gateway = await cloud.create()
      await cloud.add(gateway, sim)
      await refused('gateway_down')
      const { refusals } = (await cloud.operator('GET', `/devices/${iccidOf(1)}/refusals`)).body
      assert.deepEqual(
        [refusals.length, refusals[0].reason, refusals[0].element],
        [6, 'gateway_down', 'pgw-1'],
      )
      const all = (await cloud.operator('GET', '/refusals')).body.refusals
      const unknown = all.at(-1)
      assert.deepEqual([unknown.iccid, unknown.reason], [imsiOfCard(1), 'not_registered'])
      assert.deepEqual((await cloud.element('pgw-1')).refused, 7)
    })

    test('is known by its telephone number where no IMSI is sent, never by the name of a user', async (t) => {
      const cloud = await openRadius(t, engine)
      const card = {
        iccid: iccidOf(2),
        passcode: 'pass2',
        imsi: ['440200000000007'],
        msisdn: '818011112222',
      }
      await cloud.operator('POST', '/world', { body: { version: 1, sim_cards: [card] } })
      await cloud.connectable(2)
      const none = { '3GPP-IMSI': undefined }
      const status = async (more: object) => (await cloud.authorize(2, { ...none, ...more })).status
      assert.equal(await status({ 'Calling-Station-Id': '+818011112222' }), 200)
      assert.equal(await status({ 'Calling-Station-Id': '818011112222' }), 200)
      assert.equal(await status({ 'Calling-Station-Id': '440200000000007' }), 200)
      assert.equal(await status({ 'Calling-Station-Id': '818011112223' }), 401)
      assert.equal(await status({ 'User-Name': '440200000000007' }), 400)
      assert.equal(
        await status({ '3GPP-IMSI': '440200000000008', 'Calling-Station-Id': '818011112222' }),
        401,
      )
    })

    test('moves to a second element, where its first session has ended', async (t) => {
      const cloud = await openRadius(t, engine)
      await cloud.connectable(1)
      await cloud.authorize(1)
      await cloud.account(1, 'a', 'Start')
      await cloud.wait(1)
      assert.equal((await cloud.authorize(1, { 'NAS-Identifier': 'pgw-2' })).status, 200)
      const elements = async () =>
        (await cloud.sessions()).map((one: { element: string }) => one.element)
      assert.deepEqual(await elements(), ['pgw-2'])
      // What the first one still reports is counted, and takes nothing back.
      await cloud.wait(1)
      await cloud.account(1, 'a', 'Interim-Update', { 'Acct-Input-Octets': 500 })
      assert.deepEqual(await elements(), ['pgw-2'])
    })
  })

  describe(`questions of network elements on ${engine.name}`, () => {
    test('need the network token and an element that is known', async (t) => {
      const cloud = await openRadius(t, engine)
      await cloud.connectable(1)
      const body = toPacket({ 'NAS-IP-Address': '192.0.2.11', '3GPP-IMSI': imsiOfCard(1) })
      const post = (path: string, token: string | undefined) =>
        cloud.inject('POST', `/_kumoi/v1/radius/${path}`, {
          body,
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        })
      for (const path of ['authorize', 'accounting']) {
        for (const token of [undefined, 'wrong', OPERATOR_TOKEN]) {
          assert.equal((await post(path, token)).status, 403)
        }
      }
      assert.equal((await post('authorize', NETWORK_TOKEN)).status, 200)
      const stranger = { 'NAS-Identifier': 'pgw-3', 'NAS-IP-Address': '192.0.2.12' }
      assert.equal((await cloud.authorize(1, stranger)).status, 403)
      assert.equal((await cloud.account(1, 'a', 'Start', stranger)).status, 403)
      assert.equal((await cloud.account(1, 'a', 'Failed', stranger)).status, 403)
      assert.equal((await cloud.account(1, 'a', 'Accounting-On', stranger)).status, 403)
      assert.equal((await cloud.account(1, 'a', 'Failed')).status, 204)
    })

    test('are refused by a sentence when they are broken or too large', async (t) => {
      const cloud = await openRadius(t, engine)
      const post = async (path: string, body: unknown) => {
        const headers = { authorization: `Bearer ${NETWORK_TOKEN}` }
        const answer = await cloud.inject('POST', `/_kumoi/v1/radius/${path}`, { headers, body })
        return [answer.status, answer.body?.error_msg?.split('\n').at(-1)]
      }
      const json = 'The body is not valid JSON.'
      assert.deepEqual(await post('authorize', '{'), [400, json])
      assert.deepEqual(await post('accounting', ''), [400, json])
      const object = 'The body must be an object of attributes.'
      assert.deepEqual(await post('authorize', '[]'), [400, object])
      const imsi = '3GPP-IMSI must have 6 to 15 digits.'
      assert.deepEqual(await post('authorize', toPacket({ '3GPP-IMSI': '12a456' })), [400, imsi])
      const octets = { 'Acct-Status-Type': 'Start', 'Acct-Input-Octets': 2 ** 32 }
      const whole = 'Acct-Input-Octets must be a whole number from 0 to 4294967295.'
      assert.deepEqual(await post('accounting', toPacket(octets)), [400, whole])
      const long = { 'Acct-Status-Type': 'Start', 'Acct-Session-Id': 'x'.repeat(254) }
      assert.equal((await post('accounting', toPacket(long)))[0], 400)
      const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
      assert.equal((await post('accounting', padded(PACKET_BYTES_MAX + 1)))[0], 413)
      assert.equal((await post('accounting', padded(PACKET_BYTES_MAX)))[0], 403)
      // Bytes that are no UTF-8 come from elements that know no better.
      const packet = Buffer.from(
        JSON.stringify(toPacket({ 'NAS-Identifier': 'pgw-1', 'User-Name': 'x' })),
      )
      packet[packet.lastIndexOf('x')] = 0xff
      assert.equal((await post('accounting', packet))[0], 204)
    })

    test('are answered with as many routes as fit into a packet', async (t) => {
      const cloud = await openRadius(t, engine)
      const { sim, gateway } = await cloud.connectable(1)
      const sim_routes = Array.from({ length: ROUTES_MAX + 1 }, (_, n) => ({
        ...{ resource_id: sim, prefix: `172.20.${n}.0/24` },
      }))
      await cloud.part('PUT', gateway, 'simroutes', { sim_routes })
      const { value } = (await cloud.authorize(1)).body['reply:Framed-Route']
      assert.equal(value.length, ROUTES_MAX)
    })
  })
}
