import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { iccidOf } from '../../testing/sims.ts'
import { smallDemoWorld } from '../operator/demo-world.ts'

const sims = [1, 2].map((n) => ({
  account: 'acme',
  activated: true,
  CommonServiceItem: { Status: { ICCID: iccidOf(n) } },
}))
const gateway = { account: 'acme', zone: 'is1b', Appliance: { Name: 'gate' }, sims: [iccidOf(1)] }
const world = {
  version: 1,
  sim_cards: [{ iccid_from: iccidOf(0), count: 10, passcode: 'pass{n}' }],
  sims,
  gateways: [gateway],
}

for (const engine of engines) {
  describe(`gateways of a world on ${engine.name}`, () => {
    test('are up at once with their SIMs, and stay as they are a second time', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const apply = (body: object) => operator('POST', '/world', { body })
      assert.equal((await apply(world)).body.changes.gateways.created, 1)
      const list = async () => (await ask('GET', '/appliance', { zone: 'is1b' })).body.Appliances
      const [made] = await list()
      assert.deepEqual([made.Availability, made.Instance.Status], ['available', 'up'])
      const path = `/appliance/${made.ID}/mobilegateway/sims`
      const inside = (await ask('GET', path, { zone: 'is1b' })).body
      assert.deepEqual(
        inside.sim.map((sim: { iccid: string }) => sim.iccid),
        [iccidOf(1)],
      )
      await ask('DELETE', `${path}/${inside.sim[0].resource_id}`, { zone: 'is1b' })
      assert.equal((await apply(world)).body.changes.gateways.unchanged, 1)
      assert.equal((await ask('GET', path, { zone: 'is1b' })).body.Total, 0)
      assert.equal((await list()).length, 1)
    })

    test('answer 400 that names the place for a SIM that cannot be in it', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const cases: [object, RegExp][] = [
        [{ ...gateway, sims: [iccidOf(5)] }, /gateways\[0\]\.sims\[0\] is no SIM of this account/],
        [{ ...gateway, account: 'other' }, /gateways\[0\]\.sims\[0\] is no SIM of this account/],
        [{ ...gateway, account: 'nobody' }, /gateways\[0\]\.account nobody does not exist/],
        [{ ...gateway, zone: 'nowhere' }, /gateways\[0\]\.zone must be one of/],
      ]
      for (const [wrong, message] of cases) {
        const answer = await operator('POST', '/world', { body: { ...world, gateways: [wrong] } })
        assert.equal(answer.status, 400)
        assert.match(answer.body.error_msg, message)
      }
    })
  })

  describe(`the demo world on ${engine.name}`, () => {
    test('has a fleet that lives by itself', async (t) => {
      const { operator, clock } = await openCloud(t, { engine })
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal(
        (await operator('POST', '/world', { body: smallDemoWorld(clock.now()) })).status,
        200,
      )
      await clock.advanceTo(new Date(clock.now().getTime() + 300_000))
      const { sessions } = (await operator('GET', '/sessions')).body
      // Two in the gateway and one in the project; the fourth SIM is in neither.
      assert.equal(sessions.length, 3)
      for (const session of sessions) assert.ok(session.uplink_bytes > 0)
    })
  })
}
