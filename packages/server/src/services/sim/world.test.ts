import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { draft, iccidOf } from '../../testing/sims.ts'

const card = { iccid: iccidOf(1), passcode: 'pass1', imsi: ['440100000000001', '440100000000002'] }
const range = { iccid_from: iccidOf(1000), count: 1_000_000, passcode: 'pass{n}' }

for (const engine of engines) {
  describe(`sim_cards of a world on ${engine.name}`, () => {
    test('are single cards and ranges, which cost one row however long they are', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const apply = async (sim_cards: unknown) =>
        (await operator('POST', '/world', { body: { version: 1, sim_cards } })).body.changes
          .sim_cards
      const made = await apply([card, range])
      assert.deepEqual(made, { created: 2, updated: 0, unchanged: 0 })
      assert.deepEqual(await apply([card, range]), { created: 0, updated: 0, unchanged: 2 })
      const create = async (n: number, PassCode: string) =>
        (await ask('POST', '/commonserviceitem', { body: draft(n, { Remark: { PassCode } }) }))
          .status
      assert.equal(await create(1, 'pass1'), 201)
      assert.equal(await create(1000, 'pass0'), 201)
      assert.equal(await create(1_000_999, 'pass999999'), 201)
      assert.equal(await create(1_001_000, 'pass1000000'), 404)
      assert.equal(await create(999, 'pass'), 404)
      assert.equal(await create(1001, 'pass1001'), 400)
    })

    test('change with the file; a card of its own goes before its range', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const apply = async (sim_cards: unknown) =>
        (await operator('POST', '/world', { body: { version: 1, sim_cards } })).body.changes
          .sim_cards
      await apply([range])
      const changed = [
        { ...range, count: 10 },
        { iccid: iccidOf(1003), passcode: 'own' },
      ]
      assert.deepEqual(await apply(changed), { created: 1, updated: 1, unchanged: 0 })
      const create = async (n: number, PassCode: string) =>
        (await ask('POST', '/commonserviceitem', { body: draft(n, { Remark: { PassCode } }) }))
          .status
      assert.equal(await create(1003, 'pass3'), 400)
      assert.equal(await create(1003, 'own'), 201)
      assert.equal(await create(1010, 'pass10'), 404)
    })

    test('have a telephone number that no other card has, and a range has none', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const apply = (sim_cards: unknown) =>
        operator('POST', '/world', { body: { version: 1, sim_cards } })
      const numbered = { ...card, msisdn: '818012345678' }
      assert.equal((await apply([card])).status, 200)
      assert.equal((await apply([numbered])).body.changes.sim_cards.updated, 1)
      assert.equal((await apply([card])).body.changes.sim_cards.unchanged, 1)
      const exported = (await operator('GET', '/world')).body.sim_cards
      assert.equal(exported[0].msisdn, numbered.msisdn)
      assert.equal((await apply(exported)).body.changes.sim_cards.unchanged, 1)
      const other = { ...numbered, iccid: iccidOf(2) }
      const cases: [object, RegExp][] = [
        [other, new RegExp(`sim_cards\\[0\\]\\.msisdn is the number of card ${card.iccid}`)],
        [{ ...range, msisdn: '818012345679' }, /sim_cards\[0\]\.msisdn is for a single card/],
        [{ ...other, msisdn: '+818012345679' }, /sim_cards\[0\]\.msisdn/],
        [{ ...other, msisdn: '8'.repeat(16) }, /sim_cards\[0\]\.msisdn/],
      ]
      for (const [wrong, message] of cases) {
        const answer = await apply([wrong])
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, message)
      }
      assert.equal((await apply([{ ...other, msisdn: '8'.repeat(15) }])).status, 200)
    })

    test('are exported without pass codes, in a form that can be applied again', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const carriers = ['x', 'y', 'z'].map((name) => ({ name, country_code: 'JP' }))
      const fleet = [{ iccid_from: iccidOf(1000), count: 3, seed: 's' }]
      const body = { version: 1, carriers, sim_cards: [card, range], fleet }
      await operator('POST', '/world', { body })
      const exported = await operator('GET', '/world')
      assert.equal((await operator('GET', '/world')).text, exported.text)
      assert.equal(exported.text.includes('pass1'), false)
      assert.equal(exported.text.includes('pass{n}'), false)
      assert.deepEqual(exported.body.carriers, carriers)
      assert.deepEqual(exported.body.fleet, fleet)
      const [single, many] = exported.body.sim_cards
      assert.deepEqual({ ...single, passcode: 'pass1' }, card)
      assert.deepEqual({ ...many, passcode: 'pass{n}' }, range)
      const again = (await operator('POST', '/world', { body: exported.body })).body.changes
      assert.deepEqual(again.sim_cards, { created: 0, updated: 0, unchanged: 2 })
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await operator('POST', '/world', { body: exported.body })).status, 200)
      assert.equal((await ask('POST', '/commonserviceitem', { body: draft(1) })).status, 201)
    })

    test('answer 400 that names the place when they contradict themselves', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const cases: [unknown, RegExp][] = [
        [[{ passcode: 'x' }], /sim_cards\[0\] needs iccid, or iccid_from and count/],
        [[{ ...card, count: 3 }], /sim_cards\[0\] names a card and a range/],
        [
          [{ ...range, iccid_from: '8981049999999999999', count: 2 }],
          /sim_cards\[0\]\.count leads past/,
        ],
        [
          [range, { ...range, iccid_from: iccidOf(2000), count: 1 }],
          /sim_cards\[1\]\.iccid_from has cards of/,
        ],
        [[{ ...card, iccid: '1' }], /sim_cards\[0\]\.iccid does not match the pattern/],
        [
          [{ ...card, passcode: { sealed: 'AAAA' } }],
          /sim_cards\[0\]\.passcode was sealed under another/,
        ],
      ]
      for (const [sim_cards, message] of cases) {
        const answer = await operator('POST', '/world', { body: { version: 1, sim_cards } })
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, message)
      }
      assert.equal((await operator('GET', '/world')).body.sim_cards, undefined)
    })
  })

  describe(`carriers of a world on ${engine.name}`, () => {
    test('are three, and SIMs know them by these names', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const apply = (carriers: unknown) =>
        operator('POST', '/world', { body: { version: 1, carriers, sim_cards: [card] } })
      const names = (...list: string[]) => list.map((name) => ({ name, country_code: 'DE' }))
      for (const wrong of [names('x', 'y'), names('x', 'y', 'z', 'w'), names('x', 'y', 'x'), []]) {
        assert.equal((await apply(wrong)).status, 400)
      }
      assert.equal((await apply(names('x', 'y', 'z'))).body.changes.carriers.created, 3)
      assert.equal((await apply(names('x', 'y', 'z'))).body.changes.carriers.unchanged, 3)
      const id = (await ask('POST', '/commonserviceitem', { body: draft(1) })).body
        .CommonServiceItem.ID
      const read = await ask('GET', `/commonserviceitem/${id}/sim/network_operator_config`)
      assert.deepEqual(read.body.network_operator_config[0], {
        name: 'x',
        country_code: 'DE',
        allow: true,
      })
    })
  })

  describe(`sims of a world on ${engine.name}`, () => {
    test('are there from the start, and what is done to them later stays', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const sim = { account: 'acme', CommonServiceItem: item(iccidOf(1)), activated: true }
      const apply = (sims: unknown) =>
        operator('POST', '/world', { body: { version: 1, sim_cards: [card], sims } })
      assert.equal((await apply([sim])).body.changes.sims.created, 1)
      const [found] = (await ask('GET', '/commonserviceitem')).body.CommonServiceItems
      assert.deepEqual([found.Name, found.Status], ['meter', { ICCID: iccidOf(1) }])
      const read = async () =>
        (await ask('GET', `/commonserviceitem/${found.ID}/sim/status`)).body.sim
      assert.equal((await read()).activated, true)
      await ask('PUT', `/commonserviceitem/${found.ID}/sim/deactivate`)
      assert.equal((await apply([sim])).body.changes.sims.unchanged, 1)
      assert.equal((await read()).activated, false)
      assert.equal((await apply([{ ...sim, account: 'other' }])).status, 400)
      assert.equal((await apply([{ ...sim, account: 'nobody' }])).status, 400)
      const cardless = { account: 'acme', CommonServiceItem: item(iccidOf(2)) }
      assert.equal((await apply([cardless])).status, 400)
    })
  })
}

function item(ICCID: string) {
  return { Name: 'meter', Status: { ICCID } }
}
