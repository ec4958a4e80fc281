import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud, search } from '../../testing/cloud.ts'
import { profileArgs } from '../../testing/profiles.ts'

describe('zones and regions', () => {
  test('take the search object', async (t) => {
    const { ask } = await openCloud(t)
    const names = async (path: string, query: object) => {
      const { body } = await ask('GET', `${path}${search(query)}`)
      return (body.Zones ?? body.Regions).map(({ Name }: { Name: string }) => Name)
    }
    assert.deepEqual(await names('/zone', { Filter: { Name: 'tk1a' } }), ['tk1a'])
    assert.deepEqual(await names('/zone', { Filter: { ID: 31002 } }), ['is1b'])
    assert.deepEqual(await names('/zone', { From: 1, Count: 2, Sort: ['-ID'] }), ['is1b', 'is1a'])
    assert.deepEqual(await names('/zone', { Filter: { 'Region.ID': 210 } }), ['tk1a'])
    assert.deepEqual(await names('/region', { Filter: { Name: 'Tokyo' } }), ['Tokyo'])
    assert.equal((await ask('GET', `/zone${search({ Sort: ['No'] })}`)).status, 400)
  })

  test('are those of the profile, in its order: others are 404 and not listed', async (t) => {
    const args = profileArgs(t, { zones: ['tk1b', 'is1a'] })
    const { ask } = await openCloud(t, { args })
    const { body } = await ask('GET', '/zone')
    assert.deepEqual(
      body.Zones.map(({ ID, Name }: { ID: number; Name: string }) => [ID, Name]),
      [
        [21002, 'tk1b'],
        [31001, 'is1a'],
      ],
    )
    assert.equal((await ask('GET', '/switch', { zone: 'tk1b' })).status, 200)
    assert.equal((await ask('GET', '/switch', { zone: 'tk1a' })).status, 404)
    const { ServiceClasses } = (await ask('GET', '/public/price')).body
    const zones = ServiceClasses.map(({ Price }: { Price: { Zone: string } }) => Price.Zone)
    assert.deepEqual([...new Set(zones)].sort(), ['', 'is1a', 'tk1b'])
    const { ask: plain } = await openCloud(t)
    assert.equal((await plain('GET', '/switch', { zone: 'tk1b' })).status, 404)
  })

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
