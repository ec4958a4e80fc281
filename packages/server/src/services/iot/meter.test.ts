import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { basic } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { IOT_ADAPTER, IOT_PROJECT } from '../pricing/public.ts'

const DAY_S = 86_400

for (const engine of engines) {
  describe(`what the IoT platform costs on ${engine.name}`, () => {
    test('is the time that projects and adapters were there, until they are deleted', async (t) => {
      const { inject, ask, vmgw, clock, createProject, createAdapter } = await openIot(t, {
        engine,
      })
      const days = (count: number) =>
        clock.advanceTo(new Date(clock.now().getTime() + count * DAY_S * 1000))
      const project = await createProject('sensors')
      const { id } = await createAdapter(project, 'websocket')
      await days(2)
      await vmgw('DELETE', project, `/services/${id}`)
      await days(3)
      await ask('DELETE', `/commonserviceitem/${project}`)
      await days(40)
      const read = async (path: string) => {
        const headers = { authorization: basic('acme-token') }
        return (await inject('GET', `/cloud/zone/is1a/api/system/1.0${path}`, { headers })).body
      }
      const { Bills } = await read('/bill/by-contract/900000000001/2026/4')
      const { BillDetails } = await read(`/billdetail/${Bills[0].MemberID}/${Bills[0].BillID}`)
      const used = new Map<string, unknown>(
        BillDetails.map((detail: { ContractID: string; ServiceClassID: number; Usage: number }) => [
          detail.ContractID,
          [detail.ServiceClassID, detail.Usage],
        ]),
      )
      assert.deepEqual(used.get(id), [IOT_ADAPTER.serviceClassId, 2 * DAY_S])
      assert.deepEqual(used.get(project), [IOT_PROJECT.serviceClassId, 5 * DAY_S])
    })
  })
}
