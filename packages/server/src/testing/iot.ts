/** A cloud with cards, SIMs and a project of the IoT platform. */
import type { TestContext } from 'node:test'
import { type CloudOptions, openCloud, type TestCloud } from './cloud.ts'
import { draft, IMEI, iccidOf } from './sims.ts'

const CARDS = {
  version: 1,
  sim_cards: [{ iccid_from: iccidOf(0), count: 1000, passcode: 'pass{n}' }],
}

export async function openIot(t: Pick<TestContext, 'after'>, options: CloudOptions = {}) {
  const cloud = await openCloud(t, options)
  await cloud.operator('POST', '/world', { body: CARDS })
  return { ...cloud, ...helpers(cloud) }
}

export type TestIot = Awaited<ReturnType<typeof openIot>>

function helpers({ ask, operator }: TestCloud) {
  const createProject = async (Name = 'sensors'): Promise<string> => {
    const body = { CommonServiceItem: { Name, Provider: { Class: 'iotplatform' } } }
    const made = await ask('POST', '/commonserviceitem', { body })
    if (made.status !== 201) throw new Error(`The project was not made: ${made.text}`)
    return made.body.CommonServiceItem.ID
  }
  const createSim = async (n: number): Promise<string> => {
    const made = await ask('POST', '/commonserviceitem', { body: draft(n) })
    if (made.status !== 201) throw new Error(`SIM ${n} was not made: ${made.text}`)
    const { ID } = made.body.CommonServiceItem
    await ask('PUT', `/commonserviceitem/${ID}/sim/activate`)
    return ID
  }
  const vmgw = (
    method: string,
    project: string,
    path: string,
    body?: object,
    token = 'acme-token',
  ) => ask(method, `/commonserviceitem/${project}/iotplatform/vmgw${path}`, { body, token })
  return {
    createProject,
    createSim,
    vmgw,
    /** Connected and with an address; answers with the link. */
    async connect(project: string, sim: string) {
      await vmgw('PUT', project, `/sims/${sim}`)
      return (await vmgw('PUT', project, `/sims/${sim}/ip`)).body.IoTPlatform
    },
    async createAdapter(project: string, type: string, settings: object = {}) {
      const IoTPlatform = { type, name: type, settings: { [type]: settings } }
      const made = await vmgw('POST', project, '/services', { IoTPlatform })
      if (made.status !== 201) throw new Error(`The adapter was not made: ${made.text}`)
      return made.body.IoTPlatform
    },
    attach: async (n: number) =>
      (
        await operator('POST', `/devices/${iccidOf(n)}/attach`, {
          body: { imei: IMEI, carrier: 'carrier-a' },
        })
      ).body,
  }
}
