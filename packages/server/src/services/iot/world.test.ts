import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { iccidOf } from '../../testing/sims.ts'

const entry = (more: object = {}) => ({
  account: 'acme',
  CommonServiceItem: { Name: 'sensors', Tags: ['t'] },
  ...more,
})

for (const engine of engines) {
  describe(`the projects of a world on ${engine.name}`, () => {
    test('come with SIMs and adapters, and a second time nothing changes', async (t) => {
      const { operator, ask, vmgw, createSim } = await openIot(t, { engine })
      const sim = await createSim(1)
      const adapters = [
        { type: 'websocket', name: 'dashboard' },
        { type: 'outgoing-webhook', url: 'https://example.jp/hook', secret: 'abc' },
      ]
      const world = { version: 1, projects: [entry({ sims: [iccidOf(1)], adapters })] }
      const first = await operator('POST', '/world', { body: world })
      assert.deepEqual(first.body.changes.projects, { created: 1, updated: 0, unchanged: 0 })
      const again = await operator('POST', '/world', { body: world })
      assert.deepEqual(again.body.changes.projects, { created: 0, updated: 0, unchanged: 1 })
      const { body } = await ask('GET', '/commonserviceitem')
      const project = body.CommonServiceItems.find(
        ({ Provider }: { Provider: { Class: string } }) => Provider.Class === 'iotplatform',
      )
      assert.deepEqual([project.Name, project.Tags], ['sensors', ['t']])
      const sims = (await vmgw('GET', project.ID, '/sims')).body.IoTPlatform
      assert.equal(sims[0].sim_id, sim)
      assert.match(sims[0].ip_address, /^10\./)
      const services = (await vmgw('GET', project.ID, '/services')).body.IoTPlatform
      assert.deepEqual(
        services.map(({ type, name, url }: { type: string; name: string; url: string }) =>
          type === 'websocket' ? name : url,
        ),
        ['dashboard', 'https://example.jp/hook'],
      )
    })

    test('are refused by the place of what is wrong', async (t) => {
      const { operator } = await openIot(t, { engine })
      const apply = (one: object) =>
        operator('POST', '/world', { body: { version: 1, projects: [one] } })
      for (const [one, message] of [
        [entry({ account: 'nobody' }), /projects\[0\]\.account/],
        [entry({ sims: [iccidOf(5)] }), /projects\[0\]\.sims\[0\]/],
        [entry({ adapters: [{ type: 'mqtt' }] }), /projects\[0\]\.adapters\[0\]\.type/],
        [entry({ CommonServiceItem: { Name: '' } }), /projects\[0\]\.CommonServiceItem\.Name/],
      ] as const) {
        const answer = await apply(one)
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, message)
      }
    })
  })
}
