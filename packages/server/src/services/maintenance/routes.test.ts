import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { basic, openCloud, search } from '../../testing/cloud.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'

const one = (id: string, start: string, end: string, more: object = {}) => ({
  ...{ maintenance_id: id, zone: 'is1b', start_at: start, end_at: end },
  ...{ title: `Host maintenance ${id}`, info_url: `https://status.example.jp/${id}` },
  service: 'IaaS',
  ...more,
})
const AFFECTS = [
  { account: 'acme', resource_class: 'server', resource_id: '900000009001' },
  { account: 'acme', resource_class: 'appliance', resource_id: '910000000001' },
  { account: 'other', resource_class: 'server', resource_id: '900000009002' },
]
const PLAIN = one('m-1', '2026-04-10 01:00:00', '2026-04-10 05:00:00')
const NIGHT = { ...PLAIN, affects: AFFECTS }

async function open(t: TestContext, engine: TestEngine, maintenances: readonly object[] = [NIGHT]) {
  const cloud = await openCloud(t, { engine })
  const apply = (all: unknown) =>
    cloud.operator('POST', '/world', { body: { version: 1, maintenances: all } })
  await apply(maintenances)
  const list = (Filter?: object, token = 'acme-view') =>
    cloud.inject(
      'GET',
      `/cloud/api/global/1.0/maintenances${Filter === undefined ? '' : search({ Filter })}`,
      { headers: { authorization: basic(token) } },
    )
  const ids = async (Filter?: object, token?: string) =>
    (await list(Filter, token)).body.maintenances.map(
      ({ maintenance_id }: { maintenance_id: string }) => maintenance_id,
    )
  return { ...cloud, apply, list, ids }
}

for (const engine of engines) {
  describe(`GET /maintenances on ${engine.name}`, () => {
    test('shows what is announced, in the form of the interface', async (t) => {
      const { list } = await open(t, engine)
      assert.deepEqual((await list()).body, {
        meta: { total_pages: 1, total_count: 1 },
        maintenances: [{ ...PLAIN, accounts: [] }],
        is_ok: true,
      })
    })

    test('restricts related ones to the account, and shows its resources alone', async (t) => {
      const others = { ...NIGHT, maintenance_id: 'm-2', affects: AFFECTS.slice(2) }
      const { list, ids } = await open(t, engine, [NIGHT, others])
      assert.deepEqual(await ids({ search_type: 'all' }), ['m-1', 'm-2'])
      assert.deepEqual(await ids({ search_type: 'related' }, 'other-token'), ['m-1', 'm-2'])
      const { meta, maintenances } = (await list({ search_type: 'related' })).body
      assert.deepEqual(meta, { total_pages: 1, total_count: 1 })
      assert.deepEqual(maintenances[0].accounts, [
        {
          account_id: '900000000001',
          account_name: 'Acme',
          account_code: 'acme',
          resources: [
            { resource_class: 'appliance', resource_id: '910000000001' },
            { resource_class: 'server', resource_id: '900000009001' },
          ],
        },
      ])
    })

    test('counts what overlaps the period, both days included, by the day in Japan', async (t) => {
      const { ids, clock } = await open(t, engine, [
        NIGHT,
        one('m-0', '2026-03-31 20:00:00', '2026-04-01 00:00:00'),
        one('m-2', '2026-04-01 00:00:00', '2026-04-01 00:00:01'),
        one('m-8', '2026-05-01 23:59:59', '2026-05-02 04:00:00'),
        one('m-9', '2026-05-02 00:00:00', '2026-05-02 04:00:00'),
      ])
      assert.deepEqual(await ids(), ['m-2', 'm-1', 'm-8'])
      assert.deepEqual(await ids({ start_at: '2026-03-31' }), ['m-0', 'm-2', 'm-1', 'm-8'])
      assert.deepEqual(await ids({ start_at: '2026-04-02', end_at: '2026-04-10' }), ['m-1'])
      assert.deepEqual(await ids({ start_at: '2026-04-10', end_at: null }), ['m-1', 'm-8', 'm-9'])
      await clock.advanceTo(new Date('2026-04-10T23:00:00+09:00'))
      assert.deepEqual(await ids(), ['m-1', 'm-8', 'm-9'])
      await clock.advanceTo(new Date('2026-04-11T00:00:00+09:00'))
      assert.deepEqual(await ids(), ['m-8', 'm-9'])
    })

    test('LIMIT-03 has pages of 20 unless page_count says otherwise, up to 1000', async (t) => {
      const many = Array.from({ length: 21 }, (_, n) => ({
        ...NIGHT,
        maintenance_id: `m-${String(n).padStart(2, '0')}`,
      }))
      const { list, ids } = await open(t, engine, many)
      const first = (await list()).body
      assert.deepEqual(
        [first.maintenances.length, first.meta],
        [20, { total_pages: 2, total_count: 21 }],
      )
      assert.deepEqual(await ids({ page: 2 }), ['m-20'])
      assert.deepEqual(await ids({ page: 3 }), [])
      assert.deepEqual(await ids({ page: 4, page_count: 6 }), ['m-18', 'm-19', 'm-20'])
      assert.equal((await ids({ page_count: 1000 })).length, 21)
      assert.deepEqual((await list({ start_at: '2027-01-01' })).body.meta, {
        total_pages: 0,
        total_count: 0,
      })
    })

    test('answers 400 for what it cannot understand', async (t) => {
      const { list, inject } = await open(t, engine)
      for (const filter of [
        { page_count: 0 },
        { page_count: 1001 },
        { page_count: '20' },
        { page: 0 },
        { search_type: 'mine' },
        { start_at: 'today' },
        { start_at: 20260401 },
        { start_at: '2026-04-11', end_at: '2026-04-10' },
      ]) {
        assert.equal((await list(filter)).status, 400, JSON.stringify(filter))
      }
      const headers = { authorization: basic('acme-view') }
      const broken = await inject('GET', '/cloud/api/global/1.0/maintenances?{', { headers })
      assert.equal(broken.status, 400)
      assert.equal(broken.body.is_ok, false)
    })
  })

  describe(`the operator's maintenances on ${engine.name}`, () => {
    test('are announced, changed and withdrawn', async (t) => {
      const { operator, ids, list } = await open(t, engine, [])
      const { maintenance_id: _none, ...draft } = NIGHT
      const made = await operator('POST', '/maintenances', { body: draft })
      assert.equal(made.status, 201)
      const id: string = made.body.maintenance.maintenance_id
      assert.match(id, /^m-\d+$/)
      assert.deepEqual(await ids({ search_type: 'related' }), [id])
      const path = `/maintenances/${id}`
      const changed = { ...draft, title: 'Later', affects: [] }
      assert.equal((await operator('PUT', path, { body: changed })).body.maintenance.title, 'Later')
      assert.deepEqual(await ids({ search_type: 'related' }), [])
      assert.equal((await list()).body.maintenances[0].title, 'Later')
      assert.equal((await operator('GET', '/maintenances')).body.maintenances.length, 1)
      assert.equal((await operator('POST', '/maintenances', { body: NIGHT })).status, 201)
      assert.equal((await operator('POST', '/maintenances', { body: NIGHT })).status, 409)
      assert.equal((await operator('DELETE', path)).status, 200)
      assert.deepEqual(await ids(), ['m-1'])
      assert.equal((await operator('DELETE', path)).status, 404)
      assert.equal((await operator('PUT', path, { body: changed })).status, 404)
    })

    test('are refused with the place of what is wrong, as those of a world are', async (t) => {
      const { operator, apply } = await open(t, engine, [])
      const stranger = [{ account: 'nobody', resource_class: 'server', resource_id: '1' }]
      for (const [change, place] of [
        [{ start_at: '2026-04-10' }, 'start_at'],
        [{ end_at: '2026-04-10T05:00:00+09:00' }, 'end_at'],
        [{ end_at: NIGHT.start_at }, 'end_at'],
        [{ zone: 'mars' }, 'zone'],
        [{ affects: stranger }, 'affects[0].account'],
        [{ affects: [{ ...AFFECTS[0], resource_class: 'disk' }] }, 'affects[0].resource_class'],
      ] as const) {
        const body = { ...NIGHT, ...change }
        const answer = await operator('POST', '/maintenances', { body })
        assert.equal(answer.status, 400, place)
        assert.ok(answer.body.error_msg.includes(place), answer.body.error_msg)
        const world = await apply([body])
        assert.equal(world.status, 400)
        assert.ok(world.body.error_msg.includes(`maintenances[0].${place}`), world.body.error_msg)
      }
    })
  })

  describe(`maintenances of a world on ${engine.name}`, () => {
    test('are applied once, exported, applied again and changed', async (t) => {
      const { apply, operator } = await open(t, engine, [])
      const changes = async (all: unknown) => (await apply(all)).body.changes.maintenances
      assert.deepEqual(await changes([NIGHT]), { created: 1, updated: 0, unchanged: 0 })
      assert.deepEqual(await changes([NIGHT]), { created: 0, updated: 0, unchanged: 1 })
      const { maintenances } = (await operator('GET', '/world')).body
      assert.deepEqual(await changes(maintenances), { created: 0, updated: 0, unchanged: 1 })
      const other = { ...NIGHT, title: 'Other' }
      assert.deepEqual(await changes([other]), { created: 0, updated: 1, unchanged: 0 })
    })
  })
}
