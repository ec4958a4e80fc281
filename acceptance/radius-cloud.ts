/** A cloud with a gateway full of SIMs and two packet gateways, and a real FreeRADIUS before it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attributes, type Nas, startFreeradius } from './freeradius.ts'
import { freePort } from './ports.ts'
import { type Answer, CLOUD, start, temporaryFolder } from './server.ts'

/** FreeRADIUS tells packet gateways from each other by where they send from. */
export const PGW_1 = { name: 'pgw-1', address: '127.0.0.2', secret: 'first-secret' } as const
export const PGW_2 = { name: 'pgw-2', address: '127.0.0.3', secret: 'second/secret#2' } as const
export const IMEISV = '3520990017614823'

export function iccidOf(nth: number): string {
  return `898104800000000${String(nth).padStart(4, '0')}`
}

export function imsiOf(nth: number): string {
  return `44010${String(nth).padStart(10, '0')}`
}

function world(sims: number, coaPort: number) {
  const numbers = Array.from({ length: sims }, (_, nth) => nth)
  return {
    version: 1,
    accounts: [
      {
        ...{ id: '900000000001', code: 'acme', name: 'Acme' },
        keys: [{ token: 'demo-token', secret: 'demo-secret', permission: 'create' }],
      },
    ],
    sim_cards: numbers.map((nth) => ({
      ...{ iccid: iccidOf(nth), passcode: 'pass', imsi: [imsiOf(nth)] },
      msisdn: `8180${String(nth).padStart(8, '0')}`,
    })),
    sims: numbers.map((nth) => ({
      ...{ account: 'acme', activated: true },
      CommonServiceItem: { Name: `sim-${nth}`, Status: { ICCID: iccidOf(nth) } },
    })),
    gateways: [
      {
        ...{ account: 'acme', zone: 'is1a', sims: numbers.map(iccidOf) },
        Appliance: { Name: 'gate' },
      },
    ],
    network_elements: [PGW_1, PGW_2].map((element) => ({
      ...element,
      carriers: { 44010: 'carrier-a', 44020: 'carrier-b' },
      coa_port: coaPort,
    })),
  }
}

interface Ending {
  after(end: () => unknown): void
}

export interface RadiusCloudOptions {
  readonly sims?: number
  readonly clock?: readonly string[]
  readonly canRestart?: boolean
  /** Where packet gateways take Disconnect and CoA. */
  readonly coaPort?: number
  /** Flags of `kumoi radius config`. */
  readonly radiusConfig?: readonly string[]
}

export async function openRadiusCloud(
  t: Ending,
  flags: readonly string[],
  options: RadiusCloudOptions = {},
) {
  const { sims = 3, clock = ['--clock', 'frozen'], canRestart = false } = options
  const { coaPort = 3799, radiusConfig = [] } = options
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const file = join(folder, 'world.json')
  writeFileSync(file, JSON.stringify(world(sims, coaPort)))
  // One that starts again is found again, by plain HTTP: HTTPS has another port each time.
  const plain = canRestart ? `${await freePort()}` : undefined
  const more = plain === undefined ? [] : ['--http-port', plain]
  const begin = () => start(data, ['--world', file, ...clock, ...flags, ...more])
  let server = await begin()
  t.after(() => server.stop())
  const url = plain === undefined ? [] : ['--server', `http://127.0.0.1:${plain}`]
  const freeradius = await startFreeradius(t, folder, data, [...url, ...radiusConfig])
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const operator = (method: string, path: string, body?: unknown) =>
    server.operator(method, path, token, body)
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await server.ask(method, `${CLOUD}${path}`, { body })
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const ids = new Map<string, string>()
  const { CommonServiceItems } = (await ask('GET', '/commonserviceitem')).body
  for (const { ID, Name } of CommonServiceItems) ids.set(Name, ID)
  const gateway: string = (await ask('GET', '/appliance')).body.Appliances[0].ID
  return {
    ...{ data, folder, freeradius, operator, ask, gateway: `/appliance/${gateway}` },
    server: () => server,
    sim: (nth: number) => `/commonserviceitem/${ids.get(`sim-${nth}`)}/sim`,
    simId: (nth: number) => ids.get(`sim-${nth}`) ?? '',
    status: async (nth: number) =>
      (await ask('GET', `/commonserviceitem/${ids.get(`sim-${nth}`)}/sim/status`)).body.sim,
    /** The server ends without a warning, and another one goes on at the same address. */
    async restart(): Promise<void> {
      await server.stop('SIGKILL')
      server = await begin()
    },
    attach: (nas: Nas, nth: number, more: Attributes = {}) =>
      freeradius.authorize(nas, {
        ...{ '3GPP-IMSI': imsiOf(nth), '3GPP-IMEISV': IMEISV, '3GPP-SGSN-MCC-MNC': '44010' },
        ...more,
      }),
    account: (
      nas: Nas,
      nth: number,
      status: string,
      sessionId: string,
      [uplink, downlink] = [0, 0],
      more: Attributes = {},
    ) =>
      freeradius.account(nas, {
        ...{ 'Acct-Status-Type': status, 'Acct-Session-Id': sessionId },
        ...{ '3GPP-IMSI': imsiOf(nth), '3GPP-IMEISV': IMEISV, '3GPP-SGSN-MCC-MNC': '44010' },
        ...{ 'Acct-Input-Octets': uplink % 2 ** 32, 'Acct-Output-Octets': downlink % 2 ** 32 },
        'Acct-Input-Gigawords': Math.floor(uplink / 2 ** 32),
        'Acct-Output-Gigawords': Math.floor(downlink / 2 ** 32),
        ...more,
      }),
  }
}
