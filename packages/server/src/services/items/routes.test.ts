import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { BadRequest } from '../../kernel/errors.ts'
import { openCloud, search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import type { ItemKind } from './public.ts'

/** Stands at the port for a kind: a thing with a serial number that must not be taken. */
function widgets(): ItemKind {
  const taken = new Set<string>()
  return {
    class: 'widget',
    provider: { id: 7, name: 'widgets', serviceClass: 'cloud/widget' },
    serviceClass: 'cloud/widget/1',
    nameLength: { min: 1, max: 64 },
    answersRemoval: true,
    async prepare({ iccid }) {
      if (iccid === 'bad') throw new BadRequest('Status.ICCID is bad.', 'Status.ICCID が不正です。')
      return {
        externalKey: iccid,
        async insert() {
          if (iccid !== undefined) taken.add(iccid)
        },
      }
    },
    async remove(item) {
      taken.delete(item.externalKey ?? '')
    },
    async statuses(items, _context, detail) {
      return new Map(
        items.map((item) => [
          item.id,
          { ICCID: item.externalKey ?? null, ...(detail.includes('Status.sim') ? { sim: 1 } : {}) },
        ]),
      )
    },
  }
}

/** Another one, whose removal is answered without the item. */
const gadgets: ItemKind = {
  ...widgets(),
  class: 'gadget',
  provider: { id: 8, name: 'gadgets', serviceClass: 'cloud/gadget' },
  nameLength: { min: 0, max: 255 },
  answersRemoval: false,
}

for (const engine of engines) {
  const open = (t: TestContext) => openCloud(t, { engine, kinds: [widgets(), gadgets] })
  const item = (name: string, more: object = {}) => ({
    CommonServiceItem: { Name: name, Provider: { Class: 'widget' }, ...more },
  })

  describe(`POST /commonserviceitem on ${engine.name}`, () => {
    test('answers 201 with the item in the form of the interface', async (t) => {
      const { ask } = await open(t)
      const answer = await ask('POST', '/commonserviceitem', {
        body: item('one', {
          Description: 'first',
          Tags: ['a', 'b'],
          Status: { ICCID: 'x1' },
          Noise: 1,
        }),
      })
      assert.equal(answer.status, 201)
      const { CommonServiceItem: made, ...envelope } = answer.body
      assert.deepEqual(envelope, { Success: true, is_ok: true })
      assert.match(made.ID, /^9\d{11}$/)
      assert.deepEqual(made, {
        ID: made.ID,
        Name: 'one',
        Description: 'first',
        Settings: null,
        SettingsHash: null,
        Status: { ICCID: 'x1' },
        ServiceClass: 'cloud/widget/1',
        Availability: 'available',
        CreatedAt: '2026-04-01T00:00:00+09:00',
        ModifiedAt: '2026-04-01T00:00:00+09:00',
        Provider: { ID: 7, Class: 'widget', Name: 'widgets', ServiceClass: 'cloud/widget' },
        Icon: null,
        Tags: ['a', 'b'],
      })
    })

    test('is what PUT on the collection does too', async (t) => {
      const { ask } = await open(t)
      const answer = await ask('PUT', '/commonserviceitem', { body: item('one') })
      assert.equal(answer.status, 201)
      assert.equal(answer.body.CommonServiceItem.Name, 'one')
    })

    test('answers 400 that names the classes there are', async (t) => {
      const { ask } = await open(t)
      const body = { CommonServiceItem: { Name: 'x', Provider: { Class: 'nothing' } } }
      const answer = await ask('POST', '/commonserviceitem', { body })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error_code, 'bad_request')
      assert.match(answer.body.error_msg, /Provider\.Class "nothing" .*widget, gadget/)
    })

    test('answers 400 at one past each limit, and makes nothing', async (t) => {
      const { ask } = await open(t)
      const cases: [string, unknown][] = [
        ['Name', 'x'.repeat(65)],
        ['Name', ''],
        ['Name', 'a\0b'],
        ['Name', 5],
        ['Description', 'x'.repeat(1001)],
        ['Tags', Array.from({ length: 65 }, (_, index) => `t${index}`)],
        ['Tags', ['x'.repeat(256)]],
        ['Tags', ['']],
        ['Tags', ['line\nbreak']],
        ['Tags', 'red'],
      ]
      for (const [field, value] of cases) {
        const answer = await ask('POST', '/commonserviceitem', {
          body: item('ok', { [field]: value }),
        })
        assert.equal(answer.status, 400, `${field} ${JSON.stringify(value).slice(0, 40)}`)
        assert.match(answer.body.error_msg, new RegExp(`CommonServiceItem\\.${field}`))
      }
      const refused = await ask('POST', '/commonserviceitem', {
        body: item('ok', { Status: { ICCID: 'bad' } }),
      })
      assert.equal(refused.status, 400)
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 0)
    })

    test('accepts each limit itself, and the noise that clients send', async (t) => {
      const { ask } = await open(t)
      const body = item('𠮷'.repeat(64), {
        Description: 'x'.repeat(1000),
        Tags: Array.from({ length: 64 }, (_, index) => `${index}${'t'.repeat(250)}`),
        Icon: { ID: 0, Tags: [] },
        Status: null,
        Remark: null,
        CreatedAt: '0001-01-01T00:00:00Z',
      })
      assert.equal((await ask('POST', '/commonserviceitem', { body })).status, 201)
    })
  })

  describe(`GET /commonserviceitem on ${engine.name}`, () => {
    test('gives Total of the whole, and the page asked for with its Index', async (t) => {
      const { ask } = await open(t)
      for (const name of ['c', 'a', 'B', 'd'])
        await ask('POST', '/commonserviceitem', { body: item(name) })
      const answer = await ask(
        'GET',
        `/commonserviceitem${search({ From: 1, Count: 2, Sort: ['Name'] })}`,
      )
      const { From, Count, Total, CommonServiceItems } = answer.body
      assert.deepEqual({ From, Count, Total }, { From: 1, Count: 2, Total: 4 })
      assert.deepEqual(
        CommonServiceItems.map((found: { Index: number; Name: string }) => [
          found.Index,
          found.Name,
        ]),
        [
          [1, 'a'],
          [2, 'c'],
        ],
      )
    })

    test('finds by class, by part of the name, by tag and by key outside', async (t) => {
      const { ask } = await open(t)
      await ask('POST', '/commonserviceitem', { body: item('Tokyo gate', { Tags: ['red'] }) })
      await ask('POST', '/commonserviceitem', {
        body: item('Osaka gate', { Status: { ICCID: 'k9' } }),
      })
      const gadget = { CommonServiceItem: { Provider: { Class: 'gadget' } } }
      await ask('POST', '/commonserviceitem', { body: gadget })
      const found = async (filter: object) =>
        (await ask('GET', `/commonserviceitem${search({ Filter: filter })}`)).body
      assert.equal((await found({ 'Provider.Class': 'widget' })).Total, 2)
      assert.equal((await found({ 'Provider.Class': ['gadget'] })).Total, 1)
      assert.equal((await found({ 'Provider.Class': 'gad' })).Total, 0)
      assert.equal((await found({ Name: 'GATE tokyo' })).Total, 1)
      assert.equal((await found({ 'Tags.Name': ['red'] })).Total, 1)
      assert.equal((await found({ 'Status.ICCID': 'k9' })).Total, 1)
      assert.equal((await found({ 'Provider.ID': 8 })).Total, 1)
    })

    test('adds detail and selects fields when asked', async (t) => {
      const { ask } = await open(t)
      await ask('POST', '/commonserviceitem', { body: item('one') })
      const detailed = await ask(
        'GET',
        `/commonserviceitem${search({ Include: ['*', 'Status.sim'] })}`,
      )
      assert.deepEqual(detailed.body.CommonServiceItems[0].Status, { ICCID: null, sim: 1 })
      const named = await ask('GET', `/commonserviceitem${search({ Include: ['Name'] })}`)
      assert.deepEqual(named.body.CommonServiceItems, [{ Name: 'one', Index: 0 }])
    })

    test('keeps Total right while items come and go', async (t) => {
      const { ask } = await open(t)
      const ids: string[] = []
      for (let index = 0; index < 20; index += 1) {
        const made = await ask('POST', '/commonserviceitem', { body: item(`n${index}`) })
        ids.push(made.body.CommonServiceItem.ID)
      }
      for (const id of ids.slice(0, 5)) await ask('DELETE', `/commonserviceitem/${id}`)
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 15)
      assert.equal(
        (await ask('GET', `/commonserviceitem${search({ Filter: { Name: 'n' } })}`)).body.Total,
        15,
      )
    })

    test('answers 400 for a broken search object and for an unknown field', async (t) => {
      const { ask } = await open(t)
      for (const query of [
        '?{broken',
        '?From=-1',
        '?Count=x',
        search({ Sort: ['Nothing'] }),
        search({ Filter: { 'Name~': 'x' } }),
      ]) {
        assert.equal((await ask('GET', `/commonserviceitem${query}`)).status, 400, query)
      }
    })
  })

  describe(`/commonserviceitem/{id} on ${engine.name}`, () => {
    test('reads, changes only what is sent, and moves ModifiedAt', async (t) => {
      const { ask, clock } = await open(t)
      const made = await ask('POST', '/commonserviceitem', {
        body: item('one', { Description: 'd', Tags: ['x'] }),
      })
      const id = made.body.CommonServiceItem.ID
      await clock.advanceTo(new Date('2026-04-01T01:00:00+09:00'))
      const body = { CommonServiceItem: { Name: 'two', Tags: [], Icon: { ID: '112233445566' } } }
      const changed = await ask('PUT', `/commonserviceitem/${id}`, { body })
      assert.equal(changed.status, 200)
      const read = (await ask('GET', `/commonserviceitem/${id}`)).body.CommonServiceItem
      assert.deepEqual(changed.body, { CommonServiceItem: read, Success: true, is_ok: true })
      assert.deepEqual(
        [read.Name, read.Description, read.Tags, read.Icon, read.CreatedAt, read.ModifiedAt],
        [
          'two',
          'd',
          [],
          { ID: '112233445566' },
          '2026-04-01T00:00:00+09:00',
          '2026-04-01T01:00:00+09:00',
        ],
      )
    })

    test('leaves the tags as they are when a client sends null for a list', async (t) => {
      const { ask } = await open(t)
      const made = await ask('POST', '/commonserviceitem', { body: item('one', { Tags: ['x'] }) })
      const id = made.body.CommonServiceItem.ID
      const changed = await ask('PUT', `/commonserviceitem/${id}`, {
        body: { CommonServiceItem: { Tags: null } },
      })
      assert.deepEqual(changed.body.CommonServiceItem.Tags, ['x'])
    })

    test('answers 400 for a name that its kind forbids, and keeps the old one', async (t) => {
      const { ask } = await open(t)
      const id = (await ask('POST', '/commonserviceitem', { body: item('one') })).body
        .CommonServiceItem.ID
      const answer = await ask('PUT', `/commonserviceitem/${id}`, {
        body: { CommonServiceItem: { Name: '' } },
      })
      assert.equal(answer.status, 400)
      assert.equal(
        (await ask('GET', `/commonserviceitem/${id}`)).body.CommonServiceItem.Name,
        'one',
      )
    })

    test('deletes: the kind decides whether the discontinued item is answered', async (t) => {
      const { ask } = await open(t)
      const id = (await ask('POST', '/commonserviceitem', { body: item('one') })).body
        .CommonServiceItem.ID
      for (const broken of ['{', '[]', '{"CommonServiceItem":{"Name":1}}']) {
        const refused = await ask('DELETE', `/commonserviceitem/${id}`, { body: broken })
        assert.deepEqual([refused.status, refused.body.error_code], [400, 'bad_request'], broken)
      }
      const large = 'x'.repeat(1024 * 1024 + 1)
      assert.equal((await ask('DELETE', `/commonserviceitem/${id}`, { body: large })).status, 413)
      const gone = await ask('DELETE', `/commonserviceitem/${id}`, { body: item('one') })
      assert.equal(gone.body.CommonServiceItem.Availability, 'discontinued')
      assert.equal(gone.body.Success, true)
      const body = { CommonServiceItem: { Provider: { Class: 'gadget' } } }
      const other = (await ask('POST', '/commonserviceitem', { body })).body.CommonServiceItem.ID
      assert.deepEqual((await ask('DELETE', `/commonserviceitem/${other}`)).body, { is_ok: true })
    })

    test('answers 404 not_found for what is not there, gone, malformed or another account’s', async (t) => {
      const { ask } = await open(t)
      const id = (await ask('POST', '/commonserviceitem', { body: item('one') })).body
        .CommonServiceItem.ID
      const body = { CommonServiceItem: { Name: 'x' } }
      for (const method of ['GET', 'PUT', 'DELETE']) {
        for (const target of ['900000000000', 'abc', '1']) {
          const answer = await ask(method, `/commonserviceitem/${target}`, { body })
          assert.equal(answer.status, 404, `${method} ${target}`)
          assert.equal(answer.body.error_code, 'not_found')
        }
        const foreign = await ask(method, `/commonserviceitem/${id}`, {
          token: 'other-token',
          body,
        })
        assert.equal(foreign.status, 404)
      }
      assert.equal((await ask('GET', '/commonserviceitem', { token: 'other-token' })).body.Total, 0)
      await ask('DELETE', `/commonserviceitem/${id}`)
      assert.equal((await ask('DELETE', `/commonserviceitem/${id}`)).status, 404)
    })
  })

  describe(`ids on ${engine.name}`, () => {
    test('are never given out again', async (t) => {
      const { ask } = await open(t)
      const first = (await ask('POST', '/commonserviceitem', { body: item('a') })).body
        .CommonServiceItem.ID
      await ask('DELETE', `/commonserviceitem/${first}`)
      const second = (await ask('POST', '/commonserviceitem', { body: item('b') })).body
        .CommonServiceItem.ID
      assert.ok(second > first)
    })

    test('are different for concurrent creations, and none is lost', async (t) => {
      const { ask } = await open(t)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          ask('POST', '/commonserviceitem', { body: item(`n${index}`) }),
        ),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.equal(new Set(answers.map(({ body }) => body.CommonServiceItem.ID)).size, 50)
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 50)
    })
  })
}
