/** Devices of a real mobile network: packets of packet gateways through a real FreeRADIUS. */
import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines } from './engines.ts'
import { checkConfig, noFreeradius, type Reply, writeConfig } from './freeradius.ts'
import { IMEISV, iccidOf, imsiOf, openRadiusCloud, PGW_1, PGW_2 } from './radius-cloud.ts'
import { AccountingLoad, STATUS } from './radius-load.ts'
import { openNas } from './scripted-nas.ts'
import { waitFor } from './wait.ts'

const SIMS = 40
const LOADED = { sims: SIMS, clock: [], canRestart: true }
/** Before each end of a process. */
const PACKETS = 400

type Cloud = Awaited<ReturnType<typeof openRadiusCloud>>

/** Names and values, sorted: the order of a packet says nothing. */
function shown({ type, attributes }: Reply): string[] {
  return [`${type}`, ...attributes.map(([name, value]) => `${name}=${value}`).sort()]
}

async function month(cloud: Cloud, nth: number): Promise<[number, number]> {
  const { traffic_bytes_of_current_month: bytes } = await cloud.status(nth)
  return [bytes.uplink_bytes, bytes.downlink_bytes]
}

async function sessions({ operator }: Cloud, nth: number) {
  const { sessions: all } = (await operator('GET', '/sessions')).body
  return all.filter((one: { iccid: string }) => one.iccid === iccidOf(nth))
}

for (const engine of engines) {
  describe(`FreeRADIUS on ${engine.name}`, { skip: noFreeradius }, () => {
    const endings: (() => unknown)[] = []
    let cloud: Cloud
    // One for the first tests, each with SIMs of its own: a start costs more than most of them.
    before(async () => {
      const t = { after: (end: () => unknown) => endings.unshift(end) }
      // It takes what Kumoi asks of it: requests to a silent one would be repeated while the clock is moved.
      const nas = await openNas(() => 'ack', PGW_1)
      t.after(() => nas.close())
      cloud = await openRadiusCloud(t, await engine.flags(), { sims: 9, coaPort: nas.port })
    })
    after(async () => {
      for (const end of endings) await end()
    })

    test('accounting counts each byte once, whatever is repeated, late or beyond 4 GiB', async () => {
      const { attach, account, ask, sim, gateway, operator } = cloud
      await attach(PGW_1, 0)
      const send = async (status: string, bytes: [number, number], more = {}) => {
        const { type } = await account(PGW_1, 0, status, 's1', bytes, more)
        assert.equal(type, 'Accounting-Response')
      }
      await send('Start', [0, 0])
      await send('Interim-Update', [1000, 5000])
      const { session_status: state, connected_imei: imei } = await cloud.status(0)
      assert.deepEqual([state, imei], ['UP', IMEISV])
      assert.deepEqual(await month(cloud, 0), [1000, 5000])
      await send('Interim-Update', [1000, 5000])
      await send('Interim-Update', [400, 2000])
      assert.deepEqual(await month(cloud, 0), [1000, 5000])
      const all: [number, number] = [2 ** 32 + 600, 3 * 2 ** 32 + 7]
      await send('Interim-Update', all)
      assert.deepEqual(await month(cloud, 0), all)

      await operator('POST', '/clock/advance', { by: '6m' })
      const { Data } = (await ask('GET', `${sim(0)}/metrics`)).body
      const steps = Object.values<{ UplinkBps: number; DownlinkBps: number }>(Data)
      const sum = (of: (step: (typeof steps)[number]) => number) =>
        Math.round(steps.reduce((total, step) => total + of(step), 0) * (300 / 8))
      assert.deepEqual([sum((one) => one.UplinkBps), sum((one) => one.DownlinkBps)], all)
      const traffic = (await ask('GET', `${gateway}/mobilegateway/traffic_status`)).body
      const { uplink_bytes: uplink, downlink_bytes: downlink } = traffic.traffic_status
      assert.deepEqual([Number(uplink), Number(downlink)], all)

      await send('Stop', [all[0] + 1, all[1] + 1], { 'Acct-Terminate-Cause': 1 })
      await send('Interim-Update', all)
      await send('Start', [0, 0])
      assert.equal((await cloud.status(0)).session_status, 'DOWN')
      assert.deepEqual(await month(cloud, 0), [all[0] + 1, all[1] + 1])
    })

    test('sessions begin without a start, and end with their packet gateway or its silence', async () => {
      const { account, freeradius, operator, status } = cloud
      const states = async () =>
        Promise.all([1, 2, 3].map(async (nth) => (await status(nth)).session_status))
      await account(PGW_1, 1, 'Interim-Update', 'a', [10, 20])
      await account(PGW_1, 2, 'Start', 'b')
      await account(PGW_2, 3, 'Start', 'c')
      assert.deepEqual(await states(), ['UP', 'UP', 'UP'])
      assert.deepEqual(await month(cloud, 1), [10, 20])
      // Another packet gateway may use the same name for another session.
      await account(PGW_2, 2, 'Start', 'b')
      await account(PGW_1, 2, 'Stop', 'b', [30, 40])
      const [only, ...others] = await sessions(cloud, 2)
      assert.deepEqual([only.element, others], ['pgw-2', []])

      const restarted = async (type: string) =>
        freeradius.account(PGW_1, { 'Acct-Status-Type': type, 'Acct-Session-Id': '0' })
      assert.equal((await restarted('Accounting-Off')).type, 'Accounting-Response')
      assert.deepEqual(await states(), ['DOWN', 'UP', 'UP'])
      await account(PGW_1, 1, 'Start', 'd')
      assert.equal((await restarted('Accounting-On')).type, 'Accounting-Response')
      assert.deepEqual(await states(), ['DOWN', 'UP', 'UP'])

      // Three intervals without a word of the second; the first comes later than that.
      await account(PGW_2, 2, 'Interim-Update', 'b', [5, 6])
      await operator('POST', '/clock/advance', { by: '10m' })
      await account(PGW_2, 3, 'Interim-Update', 'c', [7, 8])
      await operator('POST', '/clock/advance', { by: '6m' })
      assert.deepEqual(await states(), ['DOWN', 'DOWN', 'UP'])
      await account(PGW_2, 2, 'Interim-Update', 'b', [50, 60])
      assert.deepEqual(await states(), ['DOWN', 'UP', 'UP'])
      assert.deepEqual(await month(cloud, 2), [80, 100])
    })

    test('an attach gets what its gateway has for it, or the reason why not', async () => {
      const { ask, sim, simId, gateway, attach, operator, freeradius } = cloud
      await ask('PUT', `${sim(6)}/ip`, { sim: { ip: '10.9.8.7' } })
      await ask('PUT', `${gateway}/mobilegateway/simroutes`, {
        sim_routes: [
          { resource_id: simId(6), prefix: '192.0.2.0/28' },
          { resource_id: simId(6), prefix: '198.51.100.0/24' },
        ],
      })
      const resolvers = { dns_1: '192.0.2.53', dns_2: '192.0.2.54' }
      await ask('PUT', `${gateway}/mobilegateway/dnsresolver`, { sim_group: resolvers })
      assert.deepEqual(shown(await attach(PGW_1, 6)), [
        'Access-Accept',
        'Acct-Interim-Interval=300',
        'Framed-IP-Address=10.9.8.7',
        'Framed-Route=192.0.2.0/28 0.0.0.0 1',
        'Framed-Route=198.51.100.0/24 0.0.0.0 1',
        'MS-Primary-DNS-Server=192.0.2.53',
        'MS-Secondary-DNS-Server=192.0.2.54',
      ])
      const byNumber = await freeradius.authorize(PGW_1, {
        ...{ 'Calling-Station-Id': '818000000007', '3GPP-SGSN-MCC-MNC': '44010' },
      })
      assert.equal(byNumber.type, 'Access-Accept')

      const refused = async (nth: number, reason: string, more = {}) => {
        const reply = await attach(PGW_2, nth, more)
        assert.deepEqual(shown(reply), ['Access-Reject', `Reply-Message=${reason}`])
        const { refusals } = (await operator('GET', `/devices/${iccidOf(nth)}/refusals`)).body
        assert.equal(refusals[0].reason, reason)
      }
      await ask('PUT', `${sim(6)}/imeilock`, { sim: { imei: '490154203237518' } })
      await refused(6, 'imei_locked')
      await ask('PUT', `${sim(6)}/imeilock`, { sim: { imei: '352099001761489' } })
      assert.equal((await attach(PGW_1, 6)).type, 'Access-Accept', 'fourteen digits are compared')
      await ask('PUT', `${sim(7)}/network_operator_config`, {
        network_operator_config: [{ name: 'carrier-a', country_code: 'JP', allow: true }],
      })
      await refused(7, 'carrier_not_allowed', { '3GPP-SGSN-MCC-MNC': '44020' })
      await ask('PUT', `${sim(8)}/deactivate`)
      await refused(8, 'not_activated')
      await ask('DELETE', `${gateway}/power`)
      await refused(7, 'gateway_down')
    })

    test('what was answered is there, however server and FreeRADIUS end', async (t) => {
      const cloud = await openRadiusCloud(t, await engine.flags(), LOADED)
      const { freeradius, restart } = cloud
      const load = new AccountingLoad({ ...PGW_1, from: PGW_1.address, port: freeradius.acctPort })
      await load.open()
      t.after(() => load.close())
      const answered = Array.from({ length: SIMS }, () => 0)
      let packets = 0
      let isOver = false
      const device = async (nth: number) => {
        const session = { imsi: imsiOf(nth), sessionId: `s-${nth}` }
        for (let sent = 1; !isOver; sent += 1) {
          const bytes = { uplinkBytes: sent * 1000, downlinkBytes: sent * 7000 }
          await load.send({ ...session, ...bytes, status: STATUS.interim })
          answered[nth] = sent
          packets += 1
        }
      }
      const until = (count: number) => waitFor(`${count} packets`, () => packets >= count)
      const devices = Array.from({ length: SIMS }, (_, nth) => device(nth))
      await until(PACKETS)
      const before = [...answered]
      await restart()
      for (const [nth, sent] of before.entries()) {
        const [uplink] = await month(cloud, nth)
        assert.ok(uplink >= sent * 1000, `SIM ${nth}: ${uplink} of ${sent} packets`)
      }
      await until(2 * PACKETS)
      await freeradius.stop('SIGKILL')
      await freeradius.start()
      await until(3 * PACKETS)
      isOver = true
      await Promise.all(devices)
      for (const [nth, sent] of answered.entries()) {
        assert.deepEqual(await month(cloud, nth), [sent * 1000, sent * 7000])
      }
      t.diagnostic(`${packets} packets were answered, ${load.repeated} were sent again`)
    })
  })
}

describe('kumoi radius config', { skip: noFreeradius }, () => {
  test('writes what FreeRADIUS takes, for its owner alone, and never over something', async (t) => {
    const { data, folder } = await openRadiusCloud(t, [], { sims: 1 })
    const out = join(folder, 'other')
    const relay = ['--coa-relay', '127.0.0.1']
    assert.equal(writeConfig(data, ['--out', out, ...relay]).status, 0)
    const checked = checkConfig(out)
    assert.equal(checked.status, 0, checked.output)
    assert.match(checked.output, /Configuration appears to be OK/)
    const names = ['clients.conf', 'token.conf', 'relay.conf', 'site.conf']
    for (const name of names) assert.equal(statSync(join(out, name)).mode & 0o777, 0o600, name)
    assert.equal(statSync(out).mode & 0o777, 0o700)

    const again = writeConfig(data, ['--out', out])
    assert.deepEqual([again.status, again.stdout], [6, ''])
    assert.match(again.stderr, /radiusd\.conf is there already\. .*--force/)
    assert.equal(writeConfig(data, ['--out', out, '--force']).status, 0)
    const printed = writeConfig(data, [])
    assert.equal(printed.status, 0)
    for (const { name, secret } of [PGW_1, PGW_2]) {
      assert.match(printed.stdout, new RegExp(`client '${name}' \\{[^}]*secret = '${secret}'`))
    }
    const token = join(folder, 'token')
    writeFileSync(token, 'a "token"')
    const wrong = [
      [['--token-file', token], /does not have a network token/],
      [['--token-file', join(folder, 'none')], /cannot be read/],
      [['--server', 'ftp://x'], /--server ftp:\/\/x is not of the form/],
      [['--auth-port', '65536'], /from 1 to 65535/],
      [['--listen', 'here'], /must be an IP address/],
    ] as const
    for (const [args, message] of wrong) {
      const { status, stderr } = writeConfig(data, [...args])
      assert.equal(status, 2, stderr)
      assert.match(stderr, message)
    }
  })

  test('makes FreeRADIUS silent without a server, and to who is no packet gateway', async (t) => {
    const { attach, account, server } = await openRadiusCloud(t, [], { sims: 1 })
    const silent: Reply = { type: undefined, attributes: [] }
    const unknown = { ...PGW_1, address: '127.0.0.4' }
    const wrong = { ...PGW_1, secret: 'another-secret' }
    assert.equal((await attach(PGW_1, 0)).type, 'Access-Accept')
    const before = [attach(unknown, 0), account(wrong, 0, 'Start', 's')]
    assert.deepEqual(await Promise.all(before), [silent, silent])
    await server().stop()
    const after = [attach(PGW_1, 0), account(PGW_1, 0, 'Start', 's')]
    assert.deepEqual(await Promise.all(after), [silent, silent])
  })
})
