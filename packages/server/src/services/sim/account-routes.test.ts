import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { utcMicros } from '../../kernel/datetime.ts'
import { raw } from '../../storage/sql.ts'
import { engines } from '../../testing/engines.ts'
import { GATEWAY, IMEI, iccidOf, openSims } from '../../testing/sims.ts'
import { historySteps } from './history-rules.ts'
import { HistoryStore } from './history-store.ts'
import { Carriers, Devices } from './public.ts'

const at = (text: string) => new Date(`2026-04-${text}+09:00`)
const step = (time: string, uplink_bytes: number, downlink_bytes: number) => ({
  ...{ time, uplink_bytes, downlink_bytes },
})

for (const engine of engines) {
  describe(`the traffic of an account on ${engine.name}`, () => {
    test('is the sum of its SIMs over 24 hours by step, the running one included', async (t) => {
      const { ready, attach, traffic, operator, clock } = await openSims(t, engine)
      await clock.advanceTo(at('02T00:07:00'))
      for (const n of [1, 2, 9]) {
        await ready(n)
        await attach(n)
      }
      await traffic(1, 100, 10)
      await traffic(2, 7, 0)
      await clock.advanceTo(at('02T00:12:00'))
      await traffic(9, 1, 2)
      const { status, body } = await operator('GET', '/accounts/acme/traffic')
      assert.equal(status, 200)
      assert.deepEqual(body, {
        is_ok: true,
        from: '2026-03-31T15:15:00.000000Z',
        to: '2026-04-01T15:15:00.000000Z',
        running_since: '2026-04-01T15:10:00.000000Z',
        step_seconds: 300,
        steps: [
          step('2026-04-01T15:05:00.000000Z', 107, 10),
          step('2026-04-01T15:10:00.000000Z', 1, 2),
        ],
      })
      await clock.advanceTo(at('03T00:06:00'))
      assert.deepEqual((await operator('GET', '/accounts/acme/traffic?span=day')).body.steps, [
        step('2026-04-01T15:10:00.000000Z', 1, 2),
      ])
      assert.deepEqual((await operator('GET', '/accounts/other/traffic')).body.steps, [])
    })

    test('is the sum of days in Japan over 30 days, today included', async (t) => {
      const { ready, attach, traffic, operator, clock } = await openSims(t, engine)
      await ready(1)
      await clock.advanceTo(at('01T23:58:00'))
      await attach(1)
      await traffic(1, 5, 1)
      await clock.advanceTo(at('02T00:01:00'))
      await traffic(1, 7, 0)
      await clock.advanceTo(at('02T22:00:00'))
      await traffic(1, 1, 1)
      const month = async () => (await operator('GET', '/accounts/acme/traffic?span=month')).body
      const { from, to, running_since, step_seconds, steps } = await month()
      assert.deepEqual(
        [from, to, running_since, step_seconds],
        [
          '2026-03-03T15:00:00.000000Z',
          '2026-04-02T15:00:00.000000Z',
          '2026-04-01T15:00:00.000000Z',
          86_400,
        ],
      )
      assert.deepEqual(steps, [
        step('2026-03-31T15:00:00.000000Z', 5, 1),
        step('2026-04-01T15:00:00.000000Z', 8, 1),
      ])
    })

    test('counts reports once, several steps of a session, and is forgotten with those of SIMs', async (t) => {
      const { cloud, ready, operator, clock, database, networks } = await openSims(t, engine)
      await ready(1)
      const wake = (job: string) => cloud.jobs.wake(job)
      const devices = new Devices(database, networks, new Carriers(['carrier-a']), wake)
      await clock.advanceTo(at('02T12:00:00'))
      const device = { imei: IMEI, carrier: 'carrier-a' }
      const admission = await devices.attach(iccidOf(1), device, at('02T11:00:00'))
      assert.ok(admission.accepted)
      const { id } = admission.session
      const used = { uplinkBytes: 10, downlinkBytes: 0 }
      await devices.report(iccidOf(1), id, used, at('02T11:01:00'))
      await devices.report(iccidOf(1), id, used, at('02T11:02:00'))
      await devices.reportSteps(iccidOf(1), id, [
        { at: at('02T11:05:00').getTime(), uplinkBytes: 3, downlinkBytes: 4 },
        { at: at('02T11:10:00').getTime(), uplinkBytes: 0, downlinkBytes: 0 },
      ])
      assert.deepEqual((await operator('GET', '/accounts/acme/traffic')).body.steps, [
        step('2026-04-02T02:00:00.000000Z', 10, 0),
        step('2026-04-02T02:05:00.000000Z', 3, 4),
      ])
      await clock.advanceTo(new Date('2026-06-05T00:00:00+09:00'))
      const rows = await database.read((tx) => tx.all(raw('SELECT step FROM account_step')))
      assert.deepEqual(rows, [])
    })

    test('has the computed past of its SIMs, and not that of others', async (t) => {
      const { ready, operator, clock, database } = await openSims(t, engine)
      const simId = await ready(1)
      await clock.advanceTo(at('02T12:00:00'))
      const to = at('02T12:00:00').getTime()
      const past = {
        ...{ simId, iccid: iccidOf(1), seed: 'past', span: { from: to - 1_800_000, to } },
        network: { kind: 'gateway', id: GATEWAY } as const,
      }
      await database.write((tx) => new HistoryStore(tx).insert([past]))
      const expected = historySteps(past, past.span).filter(
        ({ uplinkBytes, downlinkBytes }) => uplinkBytes + downlinkBytes > 0,
      )
      assert.ok(expected.length > 0)
      const read = async (code: string, span: string) =>
        (await operator('GET', `/accounts/${code}/traffic?span=${span}`)).body.steps
      assert.deepEqual(
        await read('acme', 'day'),
        expected.map((one) =>
          step(utcMicros(new Date(one.at)), one.uplinkBytes, one.downlinkBytes),
        ),
      )
      const sum = (field: 'uplinkBytes' | 'downlinkBytes') =>
        expected.reduce((total, one) => total + one[field], 0)
      assert.deepEqual(await read('acme', 'month'), [
        step('2026-04-01T15:00:00.000000Z', sum('uplinkBytes'), sum('downlinkBytes')),
      ])
      assert.deepEqual(await read('other', 'day'), [])
    })

    test('is 404 for an account that is not there and 400 for another span', async (t) => {
      const { operator } = await openSims(t, engine)
      assert.equal((await operator('GET', '/accounts/nobody/traffic')).status, 404)
      assert.equal((await operator('GET', '/accounts/acme/traffic?span=year')).status, 400)
    })
  })

  describe(`the events of an account on ${engine.name}`, () => {
    test('are sessions and refusals of its SIMs by name, newest first', async (t) => {
      const { ready, attach, operator, put } = await openSims(t, engine)
      const id = await ready(1)
      await attach(1)
      await put(id, 'deactivate')
      await attach(1)
      // No SIM of anybody.
      await attach(500)
      const { events } = (await operator('GET', '/accounts/acme/events')).body
      assert.deepEqual(
        events.map(({ event, reason }: Record<string, unknown>) => [event, reason]),
        [
          ['refused', 'not_activated'],
          ['detached', null],
          ['attached', null],
        ],
      )
      assert.deepEqual([events[0].resource_id, events[0].iccid], [id, iccidOf(1)])
      assert.deepEqual((await operator('GET', '/accounts/other/events')).body.events, [])
      assert.equal((await operator('GET', '/accounts/nobody/events')).status, 404)
    })
  })
}
