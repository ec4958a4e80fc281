import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INTERFACE_ZONES } from '../../kernel/zone.ts'
import { openCloud, search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { CATALOGUE } from './catalogue-rules.ts'

const OPEN = { 'x-requested-with': 'XMLHttpRequest' }
const PATHS = ['/public/price.json', '/public/price']

/** A price for everybody in the place of the built-in one, a new one, and two for one account. */
const PRICES = {
  version: 1,
  prices: [
    { ServiceClassID: 50050, Price: { Base: 8 } },
    {
      ServiceClassID: 60001,
      ServiceClassName: 'Support',
      DisplayName: 'サポート',
      Price: { Monthly: 5500, Zone: 'tk1a' },
    },
    { ServiceClassID: 50050, Price: { Base: 3 }, accounts: ['acme'] },
    {
      ServiceClassID: 60002,
      ServiceClassName: 'Secret',
      ServiceClassPath: 'x/secret',
      Price: { Monthly: 1 },
      accounts: ['acme'],
    },
  ],
}

interface Shown {
  readonly ServiceClassID: number
  readonly Price: { readonly Base: number }
}

for (const engine of engines) {
  describe(`GET /public/price.json on ${engine.name}`, () => {
    test('shows strangers who send the header the public list, in integer yen', async (t) => {
      const { ask } = await openCloud(t, { engine })
      for (const path of PATHS) {
        const { status, body } = await ask('GET', path, { token: null, headers: OPEN })
        assert.equal(status, 200)
        const expected = CATALOGUE.filter(
          ({ isPublic, zone = 'is1a' }) => isPublic && INTERFACE_ZONES.includes(zone),
        ).length
        assert.deepEqual([body.From, body.Count, body.Total], [0, expected, expected])
        assert.deepEqual(body.ServiceClasses[0], {
          Index: 0,
          ServiceClassID: 50010,
          ServiceClassName: 'SIM base fee',
          ServiceClassPath: 'cloud/sim/1',
          DisplayName: 'SIM 基本料',
          IsPublic: true,
          Price: { Base: 0, Hourly: 1, Daily: 11, Monthly: 165, Zone: '' },
        })
        assert.ok(body.ServiceClasses.every((one: { IsPublic: boolean }) => one.IsPublic))
      }
    })

    test('takes the search object; Name finds by either name of a product', async (t) => {
      const { ask } = await openCloud(t, { engine })
      const ids = async (query: object) =>
        (await ask('GET', `/public/price${search(query)}`)).body.ServiceClasses.map(
          ({ ServiceClassID }: Shown) => ServiceClassID,
        )
      assert.deepEqual(await ids({ Filter: { Name: 'sim base' } }), [50010])
      assert.deepEqual(await ids({ Filter: { Name: '基本料' } }), [50010])
      assert.deepEqual(await ids({ Filter: { Name: 'nobody' } }), [])
      assert.deepEqual(await ids({ Sort: ['-ServiceClassID'], From: 1, Count: 1 }), [50064])
      assert.equal((await ask('GET', `/public/price${search({ Sort: ['No'] })}`)).status, 400)
    })

    test('shows an account its own list, with or without the header', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      await operator('POST', '/world', { body: PRICES })
      const read = async (token: string | null, headers = {}) => {
        const { body } = await ask('GET', '/public/price.json', { token, headers })
        return new Map<number, Shown>(
          body.ServiceClasses.map((one: Shown) => [one.ServiceClassID, one]),
        )
      }
      const [open, acme, other] = [
        await read(null, OPEN),
        await read('acme-view', OPEN),
        await read('other-token'),
      ]
      assert.deepEqual(await read('acme-view'), acme)
      assert.deepEqual(
        [open, acme, other].map((list) => list.get(50050)?.Price.Base),
        [8, 3, 8],
      )
      assert.deepEqual(
        [open, acme, other].map((list) => [60001, 60002, 50064].map((id) => list.has(id))),
        [
          [true, false, false],
          [true, true, true],
          [true, false, true],
        ],
      )
    })

    test('answers 401 with neither, and for wrong credentials even with the header', async (t) => {
      const { ask } = await openCloud(t, { engine })
      for (const options of [
        { token: null },
        { token: null, headers: { 'x-requested-with': 'curl' } },
        { token: 'acme-view', secret: 'wrong', headers: OPEN },
        { token: 'nobody', headers: OPEN },
        { token: null, headers: { ...OPEN, authorization: 'Bearer x' } },
        { token: null, headers: { ...OPEN, authorization: '' } },
      ]) {
        const answer = await ask('GET', '/public/price.json', options)
        assert.equal(answer.status, 401, JSON.stringify(options))
        assert.equal(answer.body.error_code, 'unauthorized')
        assert.match(String(answer.headers['www-authenticate']), /^Basic/)
      }
    })

    test('is what bills are made with', async (t) => {
      const { ask, operator, clock, inject } = await openCloud(t, { engine })
      await operator('POST', '/world', { body: PRICES })
      const item = { CommonServiceItem: { Name: 'codes', Provider: { Class: 'esme' } } }
      const { ID } = (await ask('POST', '/commonserviceitem', { body: item })).body
        .CommonServiceItem
      const body = { ESME: { destination: '819012345678', sender: 'A', otpOperation: 'generate' } }
      for (let n = 0; n < 2; n += 1)
        await ask('PUT', `/commonserviceitem/${ID}/esme/2fa/otp`, { body })
      await clock.advanceTo(new Date('2026-05-01T00:00:00+09:00'))
      const path = '/cloud/zone/tk1a/api/system/1.0/bill/by-contract/900000000001'
      const authorization = `Basic ${btoa('acme-token:acme-token-secret')}`
      const bills = (await inject('GET', path, { headers: { authorization } })).body.Bills
      assert.deepEqual(
        bills.map(({ Amount }: { Amount: number }) => Amount),
        [6],
      )
    })
  })

  describe(`prices of a world on ${engine.name}`, () => {
    test('are applied once, exported and applied again', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const apply = async (body: unknown) =>
        (await operator('POST', '/world', { body })).body.changes.prices
      assert.deepEqual(await apply(PRICES), { created: 4, updated: 0, unchanged: 0 })
      assert.deepEqual(await apply(PRICES), { created: 0, updated: 0, unchanged: 4 })
      const { prices, version } = (await operator('GET', '/world')).body
      assert.deepEqual(await apply({ version, prices }), { created: 0, updated: 0, unchanged: 4 })
      const dearer = { version: 1, prices: [{ ServiceClassID: 50050, Price: { Base: 9 } }] }
      assert.deepEqual(await apply(dearer), { created: 0, updated: 1, unchanged: 0 })
    })

    test('are refused with the place of what is wrong', async (t) => {
      const { operator } = await openCloud(t, { engine })
      for (const [price, place] of [
        [{ ServiceClassID: 60001, Price: {} }, 'prices[0].ServiceClassName'],
        [{ ServiceClassID: 50050, Price: { Base: 1.5 } }, 'prices[0].Price.Base'],
        [{ ServiceClassID: 50050, Price: { Base: -1 } }, 'prices[0].Price.Base'],
        [{ ServiceClassID: 50050, Price: {}, accounts: ['x'] }, 'prices[0].accounts[0]'],
        [{ ServiceClassID: 50050, Price: { Zone: 'mars' } }, 'prices[0].Price.Zone'],
      ] as const) {
        const body = { version: 1, prices: [price] }
        const answer = await operator('POST', '/world', { body })
        assert.equal(answer.status, 400, place)
        assert.ok(answer.body.error_msg.includes(place), answer.body.error_msg)
      }
    })
  })
}
