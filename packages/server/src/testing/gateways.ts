/** A cloud with cards, gateways and switches, and the real network behind them. */
import type { TestContext } from 'node:test'
import { type CloudOptions, openCloud, type TestCloud } from './cloud.ts'
import type { TestEngine } from './engines.ts'
import { draft, IMEI, iccidOf } from './sims.ts'

const CARDS = {
  version: 1,
  sim_cards: [{ iccid_from: iccidOf(0), count: 1000, passcode: 'pass{n}' }],
}

/** The body of a creation as the interface shows it. */
export function gatewayDraft(name: string, more: object = {}) {
  return {
    Appliance: {
      Name: name,
      Class: 'mobilegateway',
      Plan: { ID: 2 },
      Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
      ...more,
    },
  }
}

export function settingsBody(MobileGateway: object, more: object = {}) {
  return { Appliance: { Settings: { MobileGateway }, ...more } }
}

export const PRIVATE = [null, { IPAddress: ['192.168.1.1'], NetworkMaskLen: 24 }]

export async function openGateways(
  t: TestContext,
  engine: TestEngine,
  args: readonly string[] = [],
  ports: Pick<CloudOptions, 'mail' | 'radius'> = {},
) {
  const cloud = await openCloud(t, { engine, args, ...ports })
  await cloud.operator('POST', '/world', { body: CARDS })
  return { ...cloud, ...helpers(cloud) }
}

export type Gateways = Awaited<ReturnType<typeof openGateways>>

function helpers({ ask, operator, clock }: TestCloud) {
  const wait = (seconds: number) =>
    clock.advanceTo(new Date(clock.now().getTime() + seconds * 1000))
  const create = async (name = 'gw', more: object = {}, zone = 'is1a'): Promise<string> => {
    const made = await ask('POST', '/appliance', { zone, body: gatewayDraft(name, more) })
    if (made.status !== 202) throw new Error(`Gateway ${name} was not made: ${made.text}`)
    return made.body.Appliance.ID
  }
  const sims = (id: string) => `/appliance/${id}/mobilegateway/sims`
  return {
    wait,
    create,
    /** Made and up. */
    async ready(name = 'gw'): Promise<string> {
      const id = await create(name)
      await wait(3)
      return id
    },
    read: async (id: string) => (await ask('GET', `/appliance/${id}`)).body.Appliance,
    part: (method: string, id: string, path: string, body?: object) =>
      ask(method, `/appliance/${id}/mobilegateway/${path}`, { body }),
    /** Registered and activated. */
    async sim(n: number): Promise<string> {
      const made = await ask('POST', '/commonserviceitem', { body: draft(n) })
      if (made.status !== 201) throw new Error(`SIM ${n} was not made: ${made.text}`)
      const id = made.body.CommonServiceItem.ID
      await ask('PUT', `/commonserviceitem/${id}/sim/activate`)
      return id
    },
    add: (gatewayId: string, simId: string) =>
      ask('POST', sims(gatewayId), { body: { sim: { resource_id: simId } } }),
    remove: (gatewayId: string, simId: string) => ask('DELETE', `${sims(gatewayId)}/${simId}`),
    attach: async (n: number) =>
      (
        await operator('POST', `/devices/${iccidOf(n)}/attach`, {
          body: { imei: IMEI, carrier: 'carrier-a' },
        })
      ).body,
    traffic: (n: number, uplink_bytes: number, downlink_bytes: number) =>
      operator('POST', `/devices/${iccidOf(n)}/traffic`, {
        body: { uplink_bytes, downlink_bytes },
      }),
    simStatus: async (id: string) =>
      (await ask('GET', `/commonserviceitem/${id}/sim/status`)).body.sim,
  }
}
