import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { DEFAULTS } from './rules.ts'
import { SettingStore } from './store.ts'

for (const engine of engines) {
  describe(`settings of a world on ${engine.name}`, () => {
    test('have their defaults, change, and are exported', async (t) => {
      const { operator, database } = await openCloud(t, { engine })
      const read = () => database.read((tx) => new SettingStore(tx).get('sims_per_gateway'))
      assert.equal(await read(), DEFAULTS.sims_per_gateway)
      assert.equal((await operator('GET', '/world')).body.settings, undefined)
      const body = { version: 1, settings: { sims_per_gateway: 3 } }
      const changes = async () => (await operator('POST', '/world', { body })).body.changes.settings
      assert.deepEqual(await changes(), { created: 1, updated: 0, unchanged: 0 })
      assert.deepEqual(await changes(), { created: 0, updated: 0, unchanged: 1 })
      assert.equal(await read(), 3)
      assert.deepEqual((await operator('GET', '/world')).body.settings, { sims_per_gateway: 3 })
    })

    test('answer 400 that names the line when one is unknown or out of range', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const unknown = await operator('POST', '/world', {
        body: 'version: 1\nsettings:\n  nothing: 1\n',
      })
      assert.equal(unknown.status, 400)
      assert.match(unknown.body.error_msg, /world:3: settings\.nothing is not known here\./)
      const low = await operator('POST', '/world', {
        body: 'version: 1\nsettings: { sims_per_gateway: 0 }\n',
      })
      assert.match(low.body.error_msg, /world:2: settings\.sims_per_gateway must be 1 or more\./)
    })

    test('of what is kept hold their limits', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const statusOf = async (name: string, value: number) =>
        (await operator('POST', '/world', { body: { version: 1, settings: { [name]: value } } }))
          .status
      for (const [name, low, high] of [
        ['edge_event_hours', 1, 744],
        ['site_hour_days', 1, 31],
        ['ended_session_days', 7, 366],
      ] as const) {
        for (const right of [low, high]) assert.equal(await statusOf(name, right), 200, name)
        for (const wrong of [low - 1, high + 1])
          assert.equal(await statusOf(name, wrong), 400, name)
      }
      const { settings } = (await operator('GET', '/world')).body
      assert.deepEqual(settings, {
        ...{ edge_event_hours: 744, ended_session_days: 366, site_hour_days: 31 },
      })
    })

    test('answer 400 for public addresses that are no network, or one too small or too large', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const set = (network: string) =>
        operator('POST', '/world', {
          body: { version: 1, settings: { public_addresses: network } },
        })
      for (const wrong of [
        '203.0.113.1/24',
        '203.0.113.0',
        '300.0.0.0/24',
        '0.0.0.0/7',
        '10.0.0.0/30',
      ]) {
        const answer = await set(wrong)
        assert.equal(answer.status, 400, wrong)
        assert.match(answer.body.error_msg, /world:1: settings\.public_addresses /)
      }
      for (const right of ['203.0.113.0/24', '10.0.0.0/8', '203.0.113.8/29']) {
        assert.equal((await set(right)).status, 200, right)
      }
    })
  })
}
