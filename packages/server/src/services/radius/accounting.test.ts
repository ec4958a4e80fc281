import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { engines } from '../../testing/engines.ts'
import { type Attribute, openRadius } from '../../testing/radius.ts'

const octets = (input: number, output: number) => ({
  'Acct-Input-Octets': input,
  'Acct-Output-Octets': output,
})

for (const engine of engines) {
  describe(`accounting of a session on ${engine.name}`, () => {
    const open = async (t: Parameters<typeof openRadius>[0]) => {
      const cloud = await openRadius(t, engine)
      const { sim, gateway } = await cloud.connectable(1)
      const path = `/commonserviceitem/${sim}/sim`
      return {
        ...cloud,
        sim,
        gateway,
        total: async () => {
          const traffic = (
            await cloud.ask('GET', `/appliance/${gateway}/mobilegateway/traffic_status`)
          ).body.traffic_status
          return [Number(traffic.uplink_bytes), Number(traffic.downlink_bytes)]
        },
        events: async () =>
          (await cloud.ask('GET', `${path}/sessionlog`)).body.logs
            .map((entry: { session_status: string }) => entry.session_status)
            .reverse(),
        ids: async () =>
          (await cloud.sessions()).map((one: { acct_session_id: string }) => one.acct_session_id),
      }
    }

    test('counts what is new of each packet, repeated and reordered ones too, and ends', async (t) => {
      const { authorize, account, total, events, ids, wait, sessions } = await open(t)
      await authorize(1)
      await account(1, 'a', 'Start')
      const interim = async (input: number, output: number, at?: number) =>
        account(1, 'a', 'Interim-Update', {
          ...octets(input, output),
          ...(at !== undefined && { 'Event-Timestamp-Seconds': at }),
        })
      await wait(60)
      await interim(100, 1000)
      await interim(100, 1000)
      await interim(50, 2000)
      assert.deepEqual(await total(), [100, 2000])
      const [{ uplink_bytes, downlink_bytes }] = await sessions()
      assert.deepEqual([uplink_bytes, downlink_bytes], [100, 2000])
      await account(1, 'a', 'Stop', octets(150, 2500))
      for (const status of ['Stop', 'Start', 'Interim-Update']) {
        await account(1, 'a', status, octets(150, 2500))
      }
      assert.deepEqual([await total(), await ids()], [[150, 2500], []])
      assert.deepEqual(await events(), ['Created', 'Deleted'])
    })

    test('counts gigawords, and shows the traffic in steps', async (t) => {
      const cloud = await open(t)
      await cloud.authorize(1)
      const gigawords = { 'Acct-Input-Gigawords': 2, 'Acct-Output-Gigawords': 1 }
      await cloud.account(1, 'a', 'Interim-Update', octets(4_294_967_295, 7))
      await cloud.account(1, 'a', 'Interim-Update', { ...octets(5, 9), ...gigawords })
      const used = [2 * 2 ** 32 + 5, 2 ** 32 + 9]
      assert.deepEqual(await cloud.total(), used)
      await cloud.wait(300)
      const { Data } = (await cloud.ask('GET', `/commonserviceitem/${cloud.sim}/sim/metrics`)).body
      assert.equal(Object.keys(Data).length, 1)
      const { accounting_packets } = await cloud.element('pgw-1')
      assert.equal(accounting_packets, 2)
    })

    test('begins by an interim or a stop where its start was lost', async (t) => {
      const { account, total, ids, events } = await open(t)
      const address = { 'Framed-IP-Address': '10.64.7.7' }
      await account(1, 'a', 'Interim-Update', { ...octets(10, 20), ...address })
      assert.deepEqual([await ids(), await total()], [['a'], [10, 20]])
      await account(1, 'b', 'Stop', octets(1, 2))
      assert.deepEqual([await ids(), await total()], [['a'], [11, 22]])
      await account(1, 'b', 'Start')
      await account(1, 'a', 'Stop', octets(10, 20))
      assert.deepEqual(await events(), ['Created', 'Deleted'])
    })

    test('has the address that the element reports', async (t) => {
      const { account, sessions } = await open(t)
      await account(1, 'a', 'Start', { 'Framed-IP-Address': '10.64.7.7' })
      assert.equal((await sessions())[0].ip, '10.64.7.7')
    })

    test('is over with its element, once, and not one that began later', async (t) => {
      const { account, authorize, ids, seconds, wait } = await open(t)
      await authorize(1)
      await account(1, 'a', 'Start')
      await wait(10)
      const on = { 'Acct-Session-Id': '0', 'Event-Timestamp-Seconds': seconds() }
      assert.equal((await account(1, '0', 'Accounting-On', on)).status, 204)
      assert.deepEqual(await ids(), [])
      await account(1, 'a', 'Interim-Update', octets(1, 1))
      assert.deepEqual(await ids(), [])
      await wait(10)
      await account(1, 'b', 'Start')
      await account(1, '0', 'Accounting-On', on)
      assert.deepEqual(await ids(), ['b'])
      // Much later it is the same packet still, though its time is too old to be believed.
      await wait(600)
      await account(1, 'b', 'Interim-Update')
      await account(1, '0', 'Accounting-On', on)
      assert.deepEqual(await ids(), ['b'])
      await account(1, '0', 'Accounting-Off')
      assert.deepEqual(await ids(), [])
    })

    test('is lost after three intervals of silence, and goes on with a late packet', async (t) => {
      const { account, authorize, ids, total, wait, events, seconds } = await open(t)
      await authorize(1)
      await account(1, 'a', 'Start')
      const first = seconds()
      await wait(300)
      await account(1, 'a', 'Interim-Update', octets(10, 10))
      await wait(899)
      assert.deepEqual(await ids(), ['a'])
      await wait(1)
      assert.deepEqual(await ids(), [])
      // A packet that comes again is no sign of life.
      const repeated = { ...octets(10, 10), 'Event-Timestamp-Seconds': first + 300 }
      await account(1, 'a', 'Interim-Update', repeated)
      assert.deepEqual(await ids(), [])
      await account(1, 'a', 'Interim-Update', octets(30, 10))
      assert.deepEqual([await ids(), await total()], [['a'], [30, 10]])
      assert.deepEqual(await events(), ['Created', 'Deleted', 'Created'])
      await account(1, 'a', 'Stop', octets(35, 10))
      assert.deepEqual([await ids(), await total()], [[], [35, 10]])
    })

    test('takes the time of the element within five minutes, else that of the arrival', async (t) => {
      const { account, sessions, seconds, clock } = await open(t)
      const since = async (id: string, more: Readonly<Record<string, Attribute>>) => {
        await account(1, id, 'Start', more)
        const [session] = await sessions()
        await account(1, id, 'Stop')
        return (Date.parse(session.since) - clock.now().getTime()) / 1000
      }
      const now = seconds()
      assert.equal(await since('a', { 'Event-Timestamp-Seconds': now - 300 }), -300)
      assert.equal(await since('b', { 'Event-Timestamp-Seconds': now - 301 }), 0)
      assert.equal(
        await since('c', { 'Event-Timestamp-Seconds': now - 301, 'Acct-Delay-Time': 7 }),
        -7,
      )
      assert.equal(
        await since('d', { 'Event-Timestamp-Seconds': undefined, 'Acct-Delay-Time': 9 }),
        -9,
      )
    })

    test('of a SIM that may not connect is refused once, and what it used is counted', async (t) => {
      const cloud = await open(t)
      await cloud.ask('PUT', `/commonserviceitem/${cloud.sim}/sim/deactivate`)
      await cloud.account(1, 'a', 'Start')
      await cloud.account(1, 'a', 'Interim-Update', octets(5, 5))
      assert.deepEqual(await cloud.ids(), [])
      const { refusals } = (await cloud.operator('GET', '/refusals')).body
      assert.deepEqual(
        refusals.map((one: { reason: string }) => one.reason),
        ['not_activated'],
      )
    })

    test('that its element was let in for and never began is lost, too', async (t) => {
      const { authorize, ids, wait } = await open(t)
      await authorize(1)
      await wait(899)
      assert.deepEqual(await ids(), [''])
      await wait(1)
      assert.deepEqual(await ids(), [])
    })

    test('needs no SIM in its packets once its element has named it', async (t) => {
      const { account, ids, total } = await open(t)
      await account(1, 'a', 'Start')
      const nameless = { '3GPP-IMSI': undefined }
      await account(1, 'a', 'Interim-Update', { ...octets(7, 7), ...nameless })
      await account(1, 'b', 'Start', nameless)
      assert.deepEqual([await ids(), await total()], [['a'], [7, 7]])
      await account(1, 'a', 'Stop', { ...octets(8, 8), ...nameless })
      await account(1, 'a', 'Stop', { ...octets(9, 8), ...nameless })
      assert.deepEqual([await ids(), await total()], [[], [9, 8]])
    })

    test('of two elements for one SIM goes on at the newer one, and both are counted', async (t) => {
      const { account, sessions, seconds, total, wait } = await open(t)
      const second = { 'NAS-Identifier': 'pgw-2' }
      const elements = async () => (await sessions()).map((one: { element: string }) => one.element)
      await account(1, 'a', 'Start')
      const first = seconds()
      await wait(10)
      await account(1, 'b', 'Start', second)
      assert.deepEqual(await elements(), ['pgw-2'])
      await account(1, 'a', 'Interim-Update', octets(5, 0))
      await account(1, 'b', 'Interim-Update', { ...octets(3, 0), ...second })
      // A session that was over before this one began, and that nobody knew of.
      await account(1, 'z', 'Interim-Update', { ...octets(2, 0), 'Event-Timestamp-Seconds': first })
      assert.deepEqual([await elements(), await total()], [['pgw-2'], [10, 0]])
    })

    test('is over when its element is removed', async (t) => {
      const { account, ids, operator } = await open(t)
      await account(1, 'a', 'Start')
      await operator('DELETE', '/network-elements/pgw-1')
      assert.deepEqual(await ids(), [])
      assert.equal((await account(1, 'a', 'Interim-Update')).status, 403)
    })

    test('is remembered for a month, and forgotten then', async (t) => {
      const { account, database, wait } = await open(t)
      const remembered = async () =>
        (await database.read((tx) => tx.all(raw('SELECT 1 AS one FROM ended_session')))).length
      await account(1, 'a', 'Start')
      await account(1, 'a', 'Stop')
      await wait(31 * 86_400)
      assert.equal(await remembered(), 1)
      await wait(86_400)
      assert.equal(await remembered(), 0)
    })

    test('of a SIM that nobody has registered changes nothing, and is answered', async (t) => {
      const { account, ids } = await open(t)
      assert.equal((await account(7, 'a', 'Start')).status, 204)
      assert.deepEqual(await ids(), [])
    })
  })
}
