import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { secondsAfter } from '../../kernel/units.ts'
import { Outbox } from '../../storage/outbox.ts'
import { search } from '../../testing/cloud.ts'
import { ELEMENT_SECRET, openElements, ScriptedSender } from '../../testing/elements.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { topicOf } from './queue.ts'
import { type Answer, RETRY_SECONDS, UNAVAILABLE_SECONDS } from './rules.ts'
import { PACKETS_MAX } from './sender.ts'

type Elements = Awaited<ReturnType<typeof openElements>>
interface Ids {
  readonly gatewayId: string
  readonly sims: readonly string[]
}
interface Wire {
  readonly element: string
  readonly state: string
  readonly error_cause: string | null
  readonly answered_at: string | null
}

/** What ends a session at its element, and the cause that is kept. */
const ENDS: readonly [string, string, (cloud: Elements, ids: Ids) => Promise<unknown>][] = [
  ['deactivation', 'not_activated', ({ ask }, { sims }) => ask('PUT', at(sims, 'deactivate'))],
  [
    ...(['a lock to another device', 'imei_locked'] as const),
    ({ ask }, { sims }) => ask('PUT', at(sims, 'imeilock'), { body: { sim: { imei: '1' } } }),
  ],
  [
    ...(['a carrier that is forbidden', 'carrier_not_allowed'] as const),
    ({ ask }, { sims }) => {
      const network_operator_config = [{ name: 'carrier-b', allow: true }]
      return ask('PUT', at(sims, 'network_operator_config'), { body: { network_operator_config } })
    },
  ],
  ['a reconnection', 'reconnect', ({ ask }, { sims }) => ask('PUT', at(sims, 'reconnect'))],
  [
    ...(['the deletion of the SIM', 'sim_deleted'] as const),
    ({ ask }, { sims }) => ask('DELETE', `/commonserviceitem/${sims[0]}`),
  ],
  [
    ...(['a gateway that goes down', 'gateway_down'] as const),
    ({ ask }, { gatewayId }) => ask('DELETE', `/appliance/${gatewayId}/power`),
  ],
  [
    'removal from the gateway',
    'no_network',
    ({ remove }, ids) => remove(ids.gatewayId, ids.sims[0] ?? ''),
  ],
  [
    ...(['an attach at another element', 'attached_again'] as const),
    ({ attachAt }) => attachAt(1, 'session-2', 'pgw-2'),
  ],
]
const at = (sims: readonly string[], verb: string) => `/commonserviceitem/${sims[0]}/sim/${verb}`

/** SIMs of the numbers from 1 on, each in a session at the first element. */
async function open(t: TestContext, engine: TestEngine, count = 1) {
  const sender = new ScriptedSender()
  const cloud = await openElements(t, engine, sender)
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const { database, clock } = cloud
  return {
    ...{ ...cloud, sender, ...(await cloud.withSessions(...numbers)) },
    /** Claims, for so long, what is due as soon as it can be sent; answers with how many. */
    async claimed(element: string, seconds: number): Promise<number> {
      const due = secondsAfter(clock.now(), UNAVAILABLE_SECONDS.least)
      const until = secondsAfter(clock.now(), seconds)
      const claims = await database.write((tx) =>
        new Outbox(tx, topicOf(element)).claim(due, until, PACKETS_MAX),
      )
      return claims.length
    },
  }
}

for (const engine of engines) {
  describe(`requests to elements on ${engine.name}`, () => {
    for (const [what, cause, end] of ENDS) {
      test(`ask to end a session after ${what}`, async (t) => {
        const cloud = await open(t, engine)
        await end(cloud, cloud)
        await cloud.wait(0)
        const [request, ...more] = await cloud.requests()
        assert.deepEqual(more, [])
        assert.deepEqual(
          [request.kind, request.element, request.state, request.attempts],
          ['disconnect', 'pgw-1', 'ack', 1],
        )
        assert.equal(request.cause, cause)
        assert.deepEqual(
          cloud.sender.sent.map(({ kind, acctSessionId, target }) => ({
            ...{ kind, acctSessionId, ...target },
          })),
          [
            {
              ...{ kind: 'disconnect', acctSessionId: 'session-1' },
              ...{ host: '127.0.0.1', port: 3799, secret: ELEMENT_SECRET },
            },
          ],
        )
      })
    }

    test('are none when the element itself has ended the session, or there is no element', async (t) => {
      const { ask, sim, add, attach, wait, requests, endAt, gatewayId } = await open(t, engine)
      const device = await sim(2)
      await add(gatewayId, device)
      await attach(2)
      await ask('PUT', at([device], 'deactivate'))
      await endAt(1, 'stop')
      await wait(0)
      assert.deepEqual(await requests(), [])
    })

    test('are none for an attach that takes the place of one without a name', async (t) => {
      const { attachAt, wait, requests } = await open(t, engine)
      await attachAt(1, '')
      await attachAt(1, '')
      await attachAt(1, 'session-3')
      await wait(0)
      assert.equal((await requests()).length, 1, 'for session-1 alone')
    })

    test('keep what the element answers, also where it knows no such session', async (t) => {
      const { ask, sims, sender, wait, requests } = await open(t, engine, 3)
      const answers: Record<string, Answer> = {
        'session-1': { answer: 'nak', errorCause: 'Administratively-Prohibited' },
        'session-2': { answer: 'nak', errorCause: 'Session-Context-Not-Found' },
        'session-3': { answer: 'ack' },
      }
      sender.answer = ({ acctSessionId }) => answers[acctSessionId] ?? { answer: 'ack' }
      for (const sim of sims) await ask('PUT', at([sim], 'deactivate'))
      await wait(3600)
      assert.deepEqual(
        (await requests()).map((one: Wire) => [
          one.state,
          one.error_cause,
          one.answered_at !== null,
        ]),
        [
          ['nak', 'Administratively-Prohibited', true],
          ['ack', 'Session-Context-Not-Found', true],
          ['ack', null, true],
        ],
      )
      assert.equal(sender.sent.length, 3, 'none is asked twice')
    })

    test('are sent again while nobody answers, and given up at last', async (t) => {
      const { ask, sims, sender, wait, requests } = await open(t, engine)
      sender.answer = () => ({ answer: 'none', reason: 'no answer in time' })
      await ask('PUT', at(sims, 'deactivate'))
      await wait(0)
      for (const [index, seconds] of RETRY_SECONDS.entries()) {
        const [request] = await requests()
        assert.deepEqual([request.state, request.attempts], ['waiting', index + 1])
        assert.equal(request.reason, 'no answer in time')
        await wait(seconds - 0.001)
        assert.equal(sender.sent.length, index + 1)
        await wait(0.001)
      }
      const [request] = await requests()
      const tries = RETRY_SECONDS.length + 1
      assert.deepEqual([request.state, request.attempts], ['no_answer', tries])
      await wait(86_400)
      assert.equal(sender.sent.length, tries)
    })

    test('go to one element while another is silent', async (t) => {
      const { ask, sims, sender, wait, requests, attachAt } = await open(t, engine, 2)
      await attachAt(2, 'session-b', 'pgw-2')
      await wait(0)
      sender.answer = ({ acctSessionId }) =>
        acctSessionId === 'session-1' ? { answer: 'none', reason: 'silence' } : { answer: 'ack' }
      await ask('PUT', at(sims, 'deactivate'))
      await wait(0)
      await ask('PUT', at(sims.slice(1), 'deactivate'))
      await wait(0)
      const states = (await requests({ cause: ['not_activated'] })).map((one: Wire) => [
        one.element,
        one.state,
      ])
      assert.deepEqual(states, [
        ['pgw-1', 'waiting'],
        ['pgw-2', 'ack'],
      ])
    })

    test('go to one element while the answer of another is waited for', async (t) => {
      const { ask, sims, sender, wait, requests, attachAt } = await open(t, engine, 2)
      await attachAt(2, 'session-b', 'pgw-2')
      await wait(0)
      const first = Promise.withResolvers<void>()
      const second = Promise.withResolvers<void>()
      sender.hold = ({ host }) => {
        if (host === '127.0.0.1') return first.promise
        second.resolve()
        return Promise.resolve()
      }
      await ask('PUT', at(sims, 'deactivate'))
      await ask('PUT', at(sims.slice(1), 'deactivate'))
      await second.promise
      assert.deepEqual((await requests({ element: ['pgw-1'], state: ['waiting'] })).length, 1)
      first.resolve()
      await wait(0)
      assert.equal((await requests({ state: ['ack'] })).length, 3)
    })

    test('wait without being counted while nothing can be sent, and say why', async (t) => {
      const { ask, sims, sender, wait, requests, operator } = await open(t, engine)
      sender.problem = 'radclient is not installed'
      await ask('PUT', at(sims, 'deactivate'))
      await wait(10 * UNAVAILABLE_SECONDS.least)
      const [request] = await requests()
      assert.deepEqual([request.state, request.attempts], ['waiting', 0])
      assert.equal(request.reason, 'radclient is not installed')
      const check = await operator('POST', '/element-requests/check')
      assert.deepEqual(
        [check.body.ok, check.body.detail, check.body.waiting],
        [false, 'radclient is not installed', 1],
      )
      sender.problem = undefined
      await wait(UNAVAILABLE_SECONDS.most)
      assert.deepEqual([(await requests())[0].state, sender.sent.length], ['ack', 1])
    })

    test('are sent again by another process when the one that claimed them is gone', async (t) => {
      const { ask, sims, sender, wait, requests, claimed } = await open(t, engine)
      sender.problem = 'not yet'
      await ask('PUT', at(sims, 'deactivate'))
      await wait(0)
      // As by a process that dies before it hears the answer.
      assert.equal(await claimed('pgw-1', 45), 1)
      sender.problem = undefined
      await wait(44)
      assert.equal(sender.sent.length, 0, 'it is claimed')
      await wait(1)
      const [request] = await requests()
      assert.deepEqual([request.state, request.attempts, sender.sent.length], ['ack', 2, 1])
    })

    test('are more than one batch when many sessions end at once', async (t) => {
      const count = PACKETS_MAX + 2
      const { ask, gatewayId, sender, wait, requests } = await open(t, engine, count)
      await ask('DELETE', `/appliance/${gatewayId}/power`)
      await wait(0)
      assert.deepEqual([sender.sent.length, sender.batches], [count, [PACKETS_MAX, 2]])
      assert.equal((await requests({ state: ['ack'] })).length, count)
    })

    test('end when their element is no longer known', async (t) => {
      const { operator, sender, wait, requests } = await open(t, engine)
      sender.problem = 'not yet'
      assert.equal((await operator('DELETE', '/network-elements/pgw-1')).status, 200)
      sender.problem = undefined
      await wait(UNAVAILABLE_SECONDS.most)
      const [request] = await requests()
      assert.deepEqual([request.cause, request.state], ['element_deleted', 'no_answer'])
      assert.equal(request.reason, 'the network element is no longer known')
      assert.equal(sender.sent.length, 0)
    })

    test('are forgotten after as many days as the session log, unless they wait', async (t) => {
      const { ask, sims, sender, wait, requests, operator, claimed } = await open(t, engine, 2)
      await operator('POST', '/world', { body: { version: 1, settings: { session_log_days: 2 } } })
      await ask('PUT', at(sims, 'deactivate'))
      await wait(0)
      sender.problem = 'not yet'
      await ask('PUT', at(sims.slice(1), 'deactivate'))
      await wait(0)
      assert.equal(await claimed('pgw-1', 10 * 86_400), 1)
      await wait(86_400)
      assert.equal((await requests()).length, 2)
      await wait(2 * 86_400)
      const states = (await requests()).map((one: Wire) => one.state)
      assert.deepEqual(states, ['waiting'])
    })

    test("are found by element, state and SIM, and are the operator's alone", async (t) => {
      const { ask, sims, wait, requests, inject, operator } = await open(t, engine, 2)
      for (const sim of sims) await ask('PUT', at([sim], 'deactivate'))
      await wait(0)
      assert.equal((await requests({ element: ['pgw-1'] })).length, 2)
      assert.equal((await requests({ element: ['pgw-2'] })).length, 0)
      assert.equal((await requests({ resource_id: [sims[1]] })).length, 1)
      assert.equal((await inject('GET', '/_kumoi/v1/element-requests')).status, 401)
      assert.equal(
        (await operator('GET', `/element-requests${search({ Filter: { x: 1 } })}`)).status,
        400,
      )
      const text = (await operator('GET', '/element-requests')).text
      assert.ok(!text.includes(ELEMENT_SECRET))
    })
  })
}
