/** A cloud with cards, and SIMs in a gateway of a test network. */
import type { TestContext } from 'node:test'
import { parseId } from '../kernel/ids.ts'
import { GatewaySims } from '../services/sim/public.ts'
import type { Tx } from '../storage/database.ts'
import { openCloud, type TestCloud } from './cloud.ts'
import type { TestEngine } from './engines.ts'
import { TestNetworks } from './network.ts'

export const GATEWAY = '900000000777'
export const IMEI = '350000000000001'

/** The n-th card of the test world; its pass code is `pass` and n. */
export const iccidOf = (n: number): string => `8981040000${String(n).padStart(9, '0')}`

const CARDS = {
  version: 1,
  sim_cards: [{ iccid_from: iccidOf(0), count: 1000, passcode: 'pass{n}' }],
}

export async function openSims(t: TestContext, engine: TestEngine, args: readonly string[] = []) {
  const networks = new TestNetworks()
  networks.up.add(GATEWAY)
  const cloud = await openCloud(t, { engine, networks, args })
  await cloud.operator('POST', '/world', { body: CARDS })
  return { ...cloud, networks, ...helpers(cloud, networks) }
}

function helpers({ ask, operator, database, clock }: TestCloud, networks: TestNetworks) {
  const inGateways = <T>(work: (sims: GatewaySims) => Promise<T>, account = '900000000001') =>
    database.write((tx: Tx) => {
      const accountId = parseId<'account'>(account)
      if (accountId === undefined) throw new Error('No account id.')
      return work(new GatewaySims(tx, accountId, networks))
    })
  const create = (n: number, more: object = {}) =>
    ask('POST', '/commonserviceitem', { body: draft(n, more) })
  const register = async (n: number): Promise<string> => {
    const made = await create(n)
    if (made.status !== 201) throw new Error(`SIM ${n} was not made: ${made.text}`)
    return made.body.CommonServiceItem.ID
  }
  const put = (id: string, verb: string, body?: object) =>
    ask('PUT', `/commonserviceitem/${id}/sim/${verb}`, { body })
  const drop = (id: string, verb: string) => ask('DELETE', `/commonserviceitem/${id}/sim/${verb}`)
  const join = (id: string, gatewayId = GATEWAY, limit = 10_000) =>
    inGateways((sims) => sims.add(id, gatewayId, limit, clock.now()))
  return {
    inGateways,
    create,
    register,
    put,
    drop,
    join,
    /** Registered, activated and in the gateway. */
    async ready(n: number): Promise<string> {
      const id = await register(n)
      await put(id, 'activate')
      await join(id)
      return id
    },
    attach: async (n: number, imei = IMEI, carrier = 'carrier-a') =>
      (await operator('POST', `/devices/${iccidOf(n)}/attach`, { body: { imei, carrier } })).body,
    traffic: (n: number, uplink_bytes: number, downlink_bytes: number) =>
      operator('POST', `/devices/${iccidOf(n)}/traffic`, {
        body: { uplink_bytes, downlink_bytes },
      }),
    status: async (id: string) =>
      (await ask('GET', `/commonserviceitem/${id}/sim/status`)).body.sim,
    log: async (id: string) =>
      (await ask('GET', `/commonserviceitem/${id}/sim/sessionlog`)).body.logs.map(
        (entry: { session_status: string }) => entry.session_status,
      ),
  }
}

export function draft(n: number, more: object = {}) {
  return {
    CommonServiceItem: {
      Name: `sim ${n}`,
      Provider: { Class: 'sim' },
      Status: { ICCID: iccidOf(n) },
      Remark: { PassCode: `pass${n}` },
      ...more,
    },
  }
}
