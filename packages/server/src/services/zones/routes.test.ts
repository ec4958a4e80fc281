import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'

describe('zones and regions', () => {
  test('are listed with the ids and the resolvers that clients look for', async (t) => {
    const { ask } = await openCloud(t)
    const { body } = await ask('GET', '/zone')
    const ids = Object.fromEntries(
      body.Zones.map(({ ID, Name }: { ID: number; Name: string }) => [Name, ID]),
    )
    assert.deepEqual(ids, { is1a: 31001, is1b: 31002, tk1a: 21001, tk1v: 29001, is1z: 31099 })
    assert.equal(body.Total, 5)
    const { body: regions } = await ask('GET', '/region')
    assert.deepEqual(
      regions.Regions.map(({ ID }: { ID: number }) => ID),
      [310, 210, 290],
    )
    assert.ok(body.Zones.every((zone: { Region: { NameServers: [] } }) => zone.Region.NameServers))
  })

  test('are read one by one, and answer 404 not_found for an id that none has', async (t) => {
    const { ask } = await openCloud(t)
    assert.equal((await ask('GET', '/zone/21001')).body.Zone.Name, 'tk1a')
    assert.equal((await ask('GET', '/region/310')).body.Region.Name, 'Ishikari')
    for (const path of ['/zone/1', '/zone/is1a', '/region/9']) {
      assert.equal((await ask('GET', path)).body.error_code, 'not_found')
    }
  })
})
