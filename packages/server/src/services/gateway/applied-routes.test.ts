import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { openGateways } from '../../testing/gateways.ts'

const settings = (isOn: 'True' | 'False') => ({
  MobileGateway: { InternetConnection: { Enabled: isOn } },
})

for (const engine of engines) {
  describe(`GET /appliance/{appliance_id}/config on ${engine.name}`, () => {
    test('shows what was applied, whatever has been stored since (docs/gateways.md)', async (t) => {
      const { ask, ready } = await openGateways(t, engine)
      const id = await ready()
      const read = async () => (await ask('GET', `/appliance/${id}/config`)).body
      const store = (isOn: 'True' | 'False') =>
        ask('PUT', `/appliance/${id}`, { body: { Appliance: { Settings: settings(isOn) } } })
      assert.equal((await read()).Settings, null)
      const stored = await store('True')
      assert.equal((await read()).SettingsHash, null)
      await ask('PUT', `/appliance/${id}/config`)
      assert.deepEqual((await read()).Settings, settings('True'))
      assert.equal((await read()).SettingsHash, stored.body.Appliance.SettingsHash)
      await store('False')
      assert.deepEqual((await read()).Settings, settings('True'))
    })

    test('answers 404 not_found when there is no such gateway', async (t) => {
      const { ask } = await openGateways(t, engine)
      assert.equal((await ask('GET', '/appliance/900000000009/config')).status, 404)
    })
  })
}
