import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { draft, GATEWAY, iccidOf, openSims } from '../../testing/sims.ts'
import { WRONG_PASS_CODES_MAX } from './card-rules.ts'
import { ICCID_PATTERN } from './rules.ts'

for (const engine of engines) {
  describe(`POST /commonserviceitem of class sim on ${engine.name}`, () => {
    test('STATE-SIM-01 answers 201 with the registered SIM', async (t) => {
      const { create } = await openSims(t, engine)
      const answer = await create(1, { Tags: ['a'] })
      assert.equal(answer.status, 201)
      const { CommonServiceItem: made, ...envelope } = answer.body
      assert.deepEqual(envelope, { Success: true, is_ok: true })
      assert.deepEqual(made, {
        ID: made.ID,
        Name: 'sim 1',
        Description: null,
        Settings: null,
        SettingsHash: null,
        Status: { ICCID: iccidOf(1) },
        ServiceClass: 'cloud/sim/1',
        Availability: 'available',
        CreatedAt: '2026-04-01T00:00:00+09:00',
        ModifiedAt: '2026-04-01T00:00:00+09:00',
        Provider: { ID: 8000001, Class: 'sim', Name: 'sim', ServiceClass: 'cloud/sim' },
        Icon: null,
        Tags: ['a'],
      })
    })

    test('takes a SIM without a name, and PUT on the collection creates as well', async (t) => {
      const { ask } = await openSims(t, engine)
      const { Name: _, ...nameless } = draft(1).CommonServiceItem
      const made = await ask('PUT', '/commonserviceitem', { body: { CommonServiceItem: nameless } })
      assert.equal(made.status, 201)
      assert.equal(made.body.CommonServiceItem.Name, '')
    })

    test('LIMIT-11 ERROR-SIM-CREATE-04 answers 409 conflict that shows the pattern when the ICCID breaks it', async (t) => {
      const { create, ask } = await openSims(t, engine)
      const bad = ['', '898104', `${iccidOf(1)}0`, iccidOf(1).slice(1), '8981050000000000001', 'x']
      for (const ICCID of bad) {
        const answer = await create(1, { Status: { ICCID } })
        assert.equal(answer.status, 409, ICCID)
        assert.equal(answer.body.error_code, 'conflict')
        assert.ok(answer.body.error_msg.includes(ICCID_PATTERN))
        const [first, then] = answer.body.error_msg.split('\n')
        assert.equal(first, 'This is not the ICCID of a SIM card.')
        assert.match(then, /must be 19 digits that begin with 898104/)
      }
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 0)
    })

    test('ERROR-SIM-CREATE-01 answers 404 not_found when there is no such card, whatever the pass code', async (t) => {
      const { create } = await openSims(t, engine)
      for (const n of [1000, 5000]) {
        const answer = await create(n)
        assert.equal(answer.status, 404)
        assert.equal(answer.body.error_code, 'not_found')
      }
      assert.equal((await create(999)).status, 201)
    })

    test('ERROR-SIM-CREATE-02 answers 400 bad_request when the pass code is wrong or missing', async (t) => {
      const { create } = await openSims(t, engine)
      for (const Remark of [{ PassCode: 'pass2' }, { PassCode: '' }, {}, null, undefined]) {
        const answer = await create(1, { Remark })
        assert.equal(answer.status, 400)
        assert.equal(answer.body.error_code, 'bad_request')
      }
      assert.equal((await create(1)).status, 201)
    })

    test('answers 400 when the ICCID is missing', async (t) => {
      const { create } = await openSims(t, engine)
      for (const Status of [undefined, null, {}, { ICCID: null }]) {
        const answer = await create(1, { Status })
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, /Status\.ICCID is missing/)
      }
    })

    test('ERROR-SIM-CREATE-03 answers 409 conflict when the SIM is registered, here or elsewhere', async (t) => {
      const { create, ask } = await openSims(t, engine)
      await create(1)
      for (const token of ['acme-token', 'other-token']) {
        const again = await ask('POST', '/commonserviceitem', { token, body: draft(1) })
        assert.equal(again.status, 409)
        assert.equal(again.body.error_code, 'conflict')
      }
      // A wrong pass code is told first: it gives nothing away about a foreign SIM.
      assert.equal((await create(1, { Remark: { PassCode: 'no' } })).status, 400)
    })

    test('200 at once with one ICCID: one answers 201, the others 409', async (t) => {
      const { create, ask } = await openSims(t, engine)
      const answers = await Promise.all(Array.from({ length: 200 }, () => create(7)))
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.deepEqual([count(201), count(409)], [1, 199])
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 1)
    })

    test('after ten wrong pass codes within ten minutes answers 429, right or wrong, until they are over', async (t) => {
      const { create, clock, ask } = await openSims(t, engine)
      const wrong = { Remark: { PassCode: 'guess' } }
      for (let n = 0; n < WRONG_PASS_CODES_MAX; n += 1) {
        assert.equal((await create(1, wrong)).status, 400)
      }
      for (const more of [wrong, {}]) {
        const refused = await create(1, more)
        assert.equal(refused.status, 429)
        assert.equal(refused.body.error_code, 'too_many_request')
        assert.equal(refused.headers['retry-after'], '600')
      }
      // Another card, and another account, are not touched.
      assert.equal((await create(2)).status, 201)
      const foreign = await ask('POST', '/commonserviceitem', {
        token: 'other-token',
        body: draft(3),
      })
      assert.equal(foreign.status, 201)
      await clock.advanceTo(new Date(clock.now().getTime() + 600_000 - 1))
      assert.equal((await create(1)).status, 429)
      await clock.advanceTo(new Date(clock.now().getTime() + 1))
      assert.equal((await create(1)).status, 201)
    })

    test('wrong pass codes at once are counted as well: no more than ten are looked at', async (t) => {
      const { create } = await openSims(t, engine)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => create(1, { Remark: { PassCode: 'guess' } })),
      )
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      assert.deepEqual([count(400), count(429)], [10, 30])
    })
  })

  describe(`GET /commonserviceitem of class sim on ${engine.name}`, () => {
    test('adds the detail with Include, traffic as an empty array', async (t) => {
      const { ask, register } = await openSims(t, engine)
      const id = await register(1)
      const found = await ask(
        'GET',
        `/commonserviceitem${search({ Include: ['*', 'Status.sim'] })}`,
      )
      assert.deepEqual(found.body.CommonServiceItems[0].Status, {
        ICCID: iccidOf(1),
        sim: {
          iccid: iccidOf(1),
          imsi: [`44010${iccidOf(1).slice(-10)}`],
          session_status: 'DOWN',
          imei_lock: false,
          registered: true,
          activated: false,
          resource_id: id,
          registered_date: '2026-03-31T15:00:00+00:00',
          activated_date: null,
          deactivated_date: null,
          traffic_bytes_of_current_month: [],
        },
      })
      const brief = await ask('GET', '/commonserviceitem')
      assert.deepEqual(brief.body.CommonServiceItems[0].Status, { ICCID: iccidOf(1) })
    })

    test('is searched and sorted by what the detail shows', async (t) => {
      const { ask, register, ready, put, attach } = await openSims(t, engine)
      const idle = await register(1)
      const active = await ready(2)
      const live = await ready(3)
      await put(active, 'imeilock', { sim: { imei: '350000000000009' } })
      await attach(3)
      // Of another class: it has no such fields and is never among them.
      const project = { Name: 'p', Provider: { Class: 'iotplatform' } }
      await ask('POST', '/commonserviceitem', { body: { CommonServiceItem: project } })
      const ids = async (Filter: object) => {
        const found = await ask('GET', `/commonserviceitem${search({ Filter, Sort: ['ID'] })}`)
        const listed = found.body.CommonServiceItems.map(({ ID }: { ID: string }) => ID)
        assert.equal(found.body.Total, listed.length)
        return listed
      }
      assert.deepEqual(await ids({ 'Status.sim.activated': true }), [active, live])
      assert.deepEqual(await ids({ 'Status.sim.activated': false }), [idle])
      assert.deepEqual(await ids({ 'Status.sim.session_status': 'UP' }), [live])
      assert.deepEqual(await ids({ 'Status.sim.session_status': 'DOWN' }), [idle, active])
      assert.deepEqual(await ids({ 'Status.sim.session_status': 'U' }), [])
      assert.deepEqual(await ids({ 'Status.sim.simgroup_id': GATEWAY }), [active, live])
      assert.deepEqual(await ids({ 'Status.sim.imei_lock': true }), [active])
      const both = { 'Status.sim.activated': true, 'Status.sim.session_status': 'DOWN' }
      assert.deepEqual(await ids({ 'Provider.Class': 'sim', ...both }), [active])
      const wrong = search({ Filter: { 'Status.sim.activated': 'maybe' } })
      assert.equal((await ask('GET', `/commonserviceitem${wrong}`)).status, 400)
    })
  })

  describe(`DELETE /commonserviceitem of class sim on ${engine.name}`, () => {
    test('STATE-SIM-04 in any state frees card, gateway, address, routes and session', async (t) => {
      const cloud = await openSims(t, engine)
      const { ask, ready, put, attach, register, inGateways, networks, operator, clock } = cloud
      const id = await ready(1)
      await put(id, 'ip', { sim: { ip: '10.9.0.9' } })
      assert.equal((await attach(1)).accepted, true)
      const gone = await ask('DELETE', `/commonserviceitem/${id}`)
      assert.deepEqual([gone.status, gone.body], [200, { is_ok: true }])
      assert.deepEqual(networks.told, [`${id} left ${GATEWAY}`, `${id} deleted`])
      assert.equal((await operator('GET', '/sessions')).body.Total, 0)
      const list = await inGateways((sims) => sims.list(GATEWAY, 0, 10, clock.now()))
      assert.deepEqual(list, { total: 0, sims: [] })
      assert.equal((await ask('GET', `/commonserviceitem/${id}/sim/status`)).status, 404)
      // The card can be claimed again, in every state: registered, activated, deactivated.
      const second = await ready(1)
      assert.equal((await put(second, 'ip', { sim: { ip: '10.9.0.9' } })).status, 200)
      await put(second, 'deactivate')
      assert.equal((await ask('DELETE', `/commonserviceitem/${second}`)).status, 200)
      assert.equal((await ask('DELETE', `/commonserviceitem/${await register(1)}`)).status, 200)
    })
  })
}
