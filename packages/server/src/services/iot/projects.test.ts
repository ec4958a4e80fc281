import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'

for (const engine of engines) {
  describe(`projects on ${engine.name}`, () => {
    test('POST answers 201 with the project, STATE-PROJECT-01', async (t) => {
      const { ask } = await openIot(t, { engine })
      const wanted = {
        Name: 'sensors',
        ServiceClass: 'cloud/iotplatform/1',
        Provider: { Class: 'iotplatform' },
      }
      const { status, body } = await ask('POST', '/commonserviceitem', {
        body: { CommonServiceItem: wanted },
      })
      assert.equal(status, 201)
      const { ID, Status } = body.CommonServiceItem
      assert.deepEqual(body, {
        CommonServiceItem: {
          ID,
          Name: 'sensors',
          Description: null,
          Settings: null,
          SettingsHash: null,
          Status: { mgw_id: Status.mgw_id, zone: 'is1z', Services: [] },
          ServiceClass: 'cloud/iotplatform/vmgw/1',
          Availability: 'available',
          CreatedAt: '2026-04-01T00:00:00+09:00',
          ModifiedAt: '2026-04-01T00:00:00+09:00',
          Provider: {
            ID: 5130001,
            Class: 'iotplatform',
            Name: 'iotplatform',
            ServiceClass: 'cloud/iotplatform',
          },
          Icon: null,
          Tags: [],
        },
        Success: true,
        is_ok: true,
      })
      assert.match(Status.mgw_id, /^9[0-9]{11}$/)
      const { body: read } = await ask('GET', `/commonserviceitem/${ID}`, { zone: 'tk1a' })
      assert.deepEqual(read.CommonServiceItem, body.CommonServiceItem)
    })

    test('names have 1 to 64 characters, at creation and at a change, LIMIT-04', async (t) => {
      const { ask, createProject } = await openIot(t, { engine })
      const create = (Name: string | undefined) =>
        ask('POST', '/commonserviceitem', {
          body: { CommonServiceItem: { Name, Provider: { Class: 'iotplatform' } } },
        })
      assert.equal((await create('長'.repeat(64))).status, 201)
      for (const name of ['', '長'.repeat(65), undefined]) {
        assert.equal((await create(name)).status, 400, String(name))
      }
      const id = await createProject()
      const rename = (Name: string) =>
        ask('PUT', `/commonserviceitem/${id}`, { body: { CommonServiceItem: { Name } } })
      assert.equal((await rename('x'.repeat(64))).status, 200)
      assert.equal((await rename('x'.repeat(65))).status, 400)
    })

    test('the list shows gateway, zone and adapters of each', async (t) => {
      const { ask, createProject, createAdapter, createSim } = await openIot(t, { engine })
      const first = await createProject('one')
      const second = await createProject('two')
      await createSim(1)
      const { id } = await createAdapter(second, 'websocket')
      const query = { Filter: { 'Provider.Class': 'iotplatform' }, From: 0, Sort: ['-Name'] }
      const { body } = await ask('GET', `/commonserviceitem${search(query)}`)
      assert.equal(body.Total, 2)
      const [two, one] = body.CommonServiceItems
      assert.deepEqual([two.ID, one.ID], [second, first])
      assert.deepEqual(two.Status.Services, [id])
      assert.deepEqual(one.Status.Services, [])
      assert.equal(two.Status.zone, 'is1z')
      assert.notEqual(two.Status.mgw_id, one.Status.mgw_id)
    })

    test('DELETE answers discontinued, then reads are 404, STATE-PROJECT-02', async (t) => {
      const { ask, createProject } = await openIot(t, { engine })
      const id = await createProject()
      const { status, body } = await ask('DELETE', `/commonserviceitem/${id}`)
      assert.equal(status, 200)
      assert.equal(body.CommonServiceItem.Availability, 'discontinued')
      assert.equal(body.Success, true)
      assert.equal((await ask('GET', `/commonserviceitem/${id}`)).status, 404)
    })

    test('DELETE answers 409 while a SIM or an adapter is connected', async (t) => {
      const { ask, vmgw, createProject, createSim, createAdapter } = await openIot(t, { engine })
      const id = await createProject()
      const sim = await createSim(1)
      await vmgw('PUT', id, `/sims/${sim}`)
      const remove = () => ask('DELETE', `/commonserviceitem/${id}`)
      assert.equal((await remove()).status, 409)
      const adapter = await createAdapter(id, 'websocket')
      await vmgw('DELETE', id, `/sims/${sim}`)
      assert.equal((await remove()).status, 409)
      await vmgw('DELETE', id, `/services/${adapter.id}`)
      assert.equal((await remove()).status, 200)
    })
  })

  describe(`SIMs of a project on ${engine.name}`, () => {
    test('PUT connects, and again answers the same, STATE-PROJECT-SIM-01', async (t) => {
      const { ask, vmgw, createProject, createSim } = await openIot(t, { engine })
      const id = await createProject()
      const sim = await createSim(1)
      const { Status } = (await ask('GET', `/commonserviceitem/${id}`)).body.CommonServiceItem
      for (const _ of [1, 2]) {
        const { status, body } = await vmgw('PUT', id, `/sims/${sim}`)
        assert.equal(status, 200)
        const IoTPlatform = { mgw_id: Status.mgw_id, zone: 'is1z' }
        assert.deepEqual(body, { IoTPlatform, is_ok: true })
      }
      const [link] = (await vmgw('GET', id, '/sims')).body.IoTPlatform
      assert.deepEqual(link, { sim_id: sim, ip_address: null, device_id: link.device_id })
    })

    test('PUT ip assigns one address of the pool, STATE-PROJECT-SIM-02', async (t) => {
      const { vmgw, createProject, createSim } = await openIot(t, { engine })
      const id = await createProject()
      const sims = [await createSim(1), await createSim(2)]
      assert.equal((await vmgw('PUT', id, `/sims/${sims[0]}/ip`)).status, 404)
      for (const sim of sims) await vmgw('PUT', id, `/sims/${sim}`)
      const set = async (sim: string | undefined) =>
        (await vmgw('PUT', id, `/sims/${sim}/ip`)).body.IoTPlatform
      const [first, second] = [await set(sims[0]), await set(sims[1])]
      assert.deepEqual(Object.keys(first), ['sim_id', 'ip_address', 'device_id'])
      assert.match(first.ip_address, /^10\.(12[89]|1[3-9]\d|2\d\d)\./)
      assert.notEqual(first.ip_address, second.ip_address)
      assert.notEqual(first.device_id, second.device_id)
      assert.deepEqual(await set(sims[0]), first)
      const { body } = await vmgw('GET', id, '/sims')
      assert.deepEqual(body, { IoTPlatform: [first, second], is_ok: true })
    })

    test('address and device id come back after release and reconnection, STATE-PROJECT-SIM-03 STATE-PROJECT-SIM-04', async (t) => {
      const { vmgw, createProject, createSim, connect } = await openIot(t, { engine })
      const id = await createProject()
      const [sim, other] = [await createSim(1), await createSim(2)]
      const link = await connect(id, sim)
      assert.equal((await vmgw('DELETE', id, `/sims/${sim}`)).status, 409)
      const released = await vmgw('DELETE', id, `/sims/${sim}/ip`)
      assert.deepEqual(released.body, { IoTPlatform: link, is_ok: true })
      assert.equal((await vmgw('DELETE', id, `/sims/${sim}/ip`)).status, 404)
      const { body } = await vmgw('DELETE', id, `/sims/${sim}`)
      assert.deepEqual(Object.keys(body.IoTPlatform), ['sim_id', 'mgw_id', 'zone'])
      assert.equal(body.IoTPlatform.sim_id, sim)
      assert.equal((await vmgw('DELETE', id, `/sims/${sim}`)).status, 404)
      assert.deepEqual((await vmgw('GET', id, '/sims')).body.IoTPlatform, [])
      // Somebody else comes in between and does not get it.
      assert.notEqual((await connect(id, other)).ip_address, link.ip_address)
      assert.deepEqual(await connect(id, sim), link)
    })

    test('a SIM is in one project at a time', async (t) => {
      const { vmgw, createProject, createSim, connect } = await openIot(t, { engine })
      const [first, second] = [await createProject('one'), await createProject('two')]
      const sim = await createSim(1)
      const before = await connect(first, sim)
      assert.equal((await vmgw('PUT', second, `/sims/${sim}`)).status, 409)
      await vmgw('DELETE', first, `/sims/${sim}/ip`)
      await vmgw('DELETE', first, `/sims/${sim}`)
      assert.equal((await vmgw('PUT', second, `/sims/${sim}`)).status, 200)
      assert.equal((await vmgw('PUT', first, `/sims/${sim}`)).status, 409)
      const [there] = (await vmgw('GET', second, '/sims')).body.IoTPlatform
      assert.notEqual(there.device_id, before.device_id)
    })

    test("another account's project and SIM do not exist", async (t) => {
      const { ask, vmgw, createProject, createSim } = await openIot(t, { engine })
      const id = await createProject()
      const sim = await createSim(1)
      for (const [method, path] of [
        ['PUT', `/sims/${sim}`],
        ['GET', '/sims'],
        ['GET', '/services'],
        ['DELETE', `/sims/${sim}`],
      ] as const) {
        assert.equal((await vmgw(method, id, path, undefined, 'other-token')).status, 404, path)
      }
      const theirs = await ask('POST', '/commonserviceitem', {
        token: 'other-token',
        body: { CommonServiceItem: { Name: 'x', Provider: { Class: 'iotplatform' } } },
      })
      const project = theirs.body.CommonServiceItem.ID
      const put = await vmgw('PUT', project, `/sims/${sim}`, undefined, 'other-token')
      assert.equal(put.status, 404)
      for (const wrong of ['910000009999', 'nothing', id]) {
        assert.equal((await vmgw('PUT', id, `/sims/${wrong}`)).status, 404, wrong)
      }
      assert.equal((await vmgw('PUT', sim, `/sims/${sim}`)).status, 404)
    })

    test('two that connect at once leave the SIM in one project', async (t) => {
      const { vmgw, createProject, createSim } = await openIot(t, { engine })
      const projects = await Promise.all(['a', 'b', 'c', 'd'].map((name) => createProject(name)))
      const sim = await createSim(1)
      const answers = await Promise.all(projects.map((id) => vmgw('PUT', id, `/sims/${sim}`)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    })

    test('many that ask for an address at once get different ones', async (t) => {
      const { createProject, createSim, connect } = await openIot(t, { engine })
      const id = await createProject()
      const sims = await Promise.all(Array.from({ length: 8 }, (_, n) => createSim(n)))
      const links = await Promise.all(sims.map((sim) => connect(id, sim)))
      assert.equal(new Set(links.map(({ ip_address }) => ip_address)).size, sims.length)
    })
  })

  describe(`devices in a project on ${engine.name}`, () => {
    test('attach to it, and have the address that the SIM was given', async (t) => {
      const { vmgw, createProject, createSim, attach, operator } = await openIot(t, { engine })
      const id = await createProject()
      const sim = await createSim(1)
      assert.equal((await attach(1)).reason, 'no_network')
      await vmgw('PUT', id, `/sims/${sim}`)
      assert.equal((await attach(1)).accepted, true)
      const { ip_address } = (await vmgw('PUT', id, `/sims/${sim}/ip`)).body.IoTPlatform
      const sessionIp = async () => (await operator('GET', '/sessions')).body.sessions[0]?.ip
      assert.equal(await sessionIp(), ip_address)
      assert.equal((await attach(1)).ip, ip_address)
      await vmgw('DELETE', id, `/sims/${sim}/ip`)
      assert.notEqual(await sessionIp(), ip_address)
      await vmgw('DELETE', id, `/sims/${sim}`)
      assert.equal(await sessionIp(), undefined)
    })

    test('a deleted SIM leaves its project, which forgets it', async (t) => {
      const { ask, vmgw, createProject, createSim, connect } = await openIot(t, { engine })
      const id = await createProject()
      const sim = await createSim(1)
      const link = await connect(id, sim)
      await ask('DELETE', `/commonserviceitem/${sim}`)
      assert.deepEqual((await vmgw('GET', id, '/sims')).body.IoTPlatform, [])
      const again = await createSim(1)
      assert.notEqual((await connect(id, again)).device_id, link.device_id)
      assert.equal((await ask('DELETE', `/commonserviceitem/${again}`)).status, 200)
      assert.equal((await ask('DELETE', `/commonserviceitem/${id}`)).status, 200)
    })
  })
}
