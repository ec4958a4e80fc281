import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { search } from '../../testing/cloud.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { isMessage } from '../../testing/message-schema.ts'
import { Receiver } from '../../testing/receiver.ts'
import { iccidOf } from '../../testing/sims.ts'
import { ATTEMPTS_MAX, nextAttempt } from './delivery-rules.ts'

const PAYLOAD = [{ tag: '01', type: 'uint8', value: 7 }]

async function open(t: TestContext, engine: TestEngine, settings: object = {}, args?: string[]) {
  const iot = await openIot(t, { engine, ...(args && { args }) })
  const receiver = await Receiver.open(t)
  const project = await iot.createProject()
  await iot.connect(project, await iot.createSim(1))
  const adapter = await iot.createAdapter(project, 'outgoing-webhook', {
    url: receiver.url,
    ...settings,
  })
  const advance = (seconds: number) =>
    iot.clock.advanceTo(new Date(iot.clock.now().getTime() + seconds * 1000))
  const send = async () => {
    const sent = await iot.operator('POST', `/devices/${iccidOf(1)}/messages`, {
      body: { payload: PAYLOAD },
    })
    // Lets what is due now run.
    await advance(0)
    return sent.body.message
  }
  const outbox = async (filter: object = {}) =>
    (await iot.operator('GET', `/outbox/webhooks${search({ Filter: filter })}`)).body.webhooks
  const redeliver = async (id: string) => {
    const answer = await iot.operator('POST', `/outbox/webhooks/${id}/redeliver`)
    await advance(0)
    return answer
  }
  return { ...iot, receiver, project, adapter, advance, send, outbox, redeliver }
}

describe('nextAttempt', () => {
  const now = new Date(0)
  test('waits longer each time, up to an hour, and gives up', () => {
    const waits = Array.from({ length: ATTEMPTS_MAX }, (_, n) => nextAttempt(n + 1, now, 0.5))
    const seconds = waits.map((wait) => wait && wait.getTime() / 1000)
    assert.deepEqual(seconds, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, undefined])
  })
  test('is a fifth more or less by chance', () => {
    assert.equal(nextAttempt(1, now, 0)?.getTime(), 4000)
    assert.equal(nextAttempt(1, now, 1)?.getTime(), 6000)
  })
})

for (const engine of engines) {
  describe(`outgoing webhooks on ${engine.name}`, () => {
    test('every adapter of the project gets the message, signed by Standard Webhooks', async (t) => {
      const { receiver, project, createAdapter, send, outbox, clock } = await open(t, engine, {
        secret: 'S3cret',
      })
      const other = await Receiver.open(t)
      await createAdapter(project, 'outgoing-webhook', { url: other.url })
      const message = await send()
      const [got] = receiver.received
      assert.deepEqual(JSON.parse(got?.body ?? ''), message)
      assert.ok(isMessage(message))
      const at = String(Math.floor(clock.now().getTime() / 1000))
      assert.equal(got?.headers['content-type'], 'application/json')
      assert.equal(got?.headers['webhook-id'], message.id)
      assert.equal(got?.headers['webhook-timestamp'], at)
      const expected = createHmac('sha256', 'S3cret').update(`${message.id}.${at}.${got?.body}`)
      assert.equal(got?.headers['webhook-signature'], `v1,${expected.digest('base64')}`)
      assert.deepEqual(other.messages, [message])
      assert.equal(other.received[0]?.headers['webhook-signature'], undefined)
      const entries = await outbox()
      assert.deepEqual(
        entries.map(({ status }: { status: string }) => status),
        ['delivered', 'delivered'],
      )
    })

    test('what fails is tried again later, and each attempt is in the log', async (t) => {
      const { receiver, send, advance, outbox } = await open(t, engine)
      receiver.answer = (call) => [500, 0, 302, 204][call - 1] ?? 204
      const message = await send()
      assert.equal((await outbox())[0].status, 'waiting')
      await advance(6)
      await advance(12)
      await advance(24)
      assert.equal(receiver.received.length, 4)
      assert.deepEqual(
        new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size,
        1,
      )
      const [entry] = await outbox()
      assert.deepEqual(
        [entry.status, entry.attempts, entry.response_code, entry.reason, entry.message_id],
        ['delivered', 4, 204, null, message.id],
      )
      assert.deepEqual(
        entry.log.map((one: { outcome: string; response_code: number }) => [
          one.outcome,
          one.response_code,
        ]),
        [
          ['failed', 500],
          ['failed', null],
          ['failed', 302],
          ['sent', 204],
        ],
      )
    })

    test('one of them is read with the message that it carries', async (t) => {
      const { receiver, send, outbox, operator } = await open(t, engine)
      receiver.answer = () => 500
      await send()
      const message = await send()
      const [newest] = await outbox()
      const read = await operator('GET', `/outbox/webhooks/${newest.id}`)
      assert.deepEqual([read.status, read.body.webhook], [200, { ...newest, message }])
      assert.deepEqual([newest.status, newest.response_code], ['waiting', 500])
      assert.equal((await operator('GET', '/outbox/webhooks/999999')).status, 404)
    })

    test('what never succeeds becomes a dead letter, and can be delivered again', async (t) => {
      const { receiver, send, advance, outbox, redeliver } = await open(t, engine)
      receiver.answer = () => 503
      const message = await send()
      for (let n = 1; n < ATTEMPTS_MAX; n += 1) await advance(4400)
      const [dead] = await outbox({ status: 'dead' })
      assert.equal(dead.attempts, ATTEMPTS_MAX)
      assert.equal(dead.response_code, 503)
      assert.match(dead.reason, /503/)
      assert.equal(receiver.received.length, ATTEMPTS_MAX)
      await advance(100_000)
      assert.equal(receiver.received.length, ATTEMPTS_MAX)
      receiver.answer = () => 200
      assert.equal((await redeliver(dead.id)).status, 200)
      assert.deepEqual(receiver.messages, [message])
      assert.deepEqual(await outbox({ status: 'dead' }), [])
      assert.equal((await redeliver('999999')).status, 404)
      receiver.answer = () => 500
      await redeliver(dead.id)
      assert.equal((await redeliver(dead.id)).status, 409)
    })

    test('410 disables the adapter, until a redelivery succeeds', async (t) => {
      const { receiver, send, outbox, redeliver } = await open(t, engine)
      receiver.answer = () => 410
      const first = await send()
      const second = await send()
      assert.equal(receiver.received.length, 1)
      const [unsent, dead, ...others] = await outbox({ status: 'dead' })
      assert.deepEqual([dead.status, dead.response_code, others], ['dead', 410, []])
      assert.deepEqual([unsent.attempts, unsent.response_code, unsent.log], [0, null, []])
      assert.match(unsent.reason, /disabled, since its receiver has answered 410/)
      assert.notEqual(unsent.done_at, null)
      receiver.answer = () => 200
      await redeliver(dead.id)
      assert.deepEqual(receiver.messages, [first])
      const third = await send()
      assert.deepEqual(receiver.messages, [first, third])
      await redeliver(unsent.id)
      assert.deepEqual(receiver.messages, [first, third, second])
    })

    test('a receiver that cannot be reached is a reason, too', async (t) => {
      const { receiver, send, advance, outbox } = await open(t, engine)
      await receiver.die()
      const message = await send()
      assert.match((await outbox())[0].reason, /cannot be reached: ECONNREFUSED/)
      await receiver.start()
      await advance(6)
      assert.deepEqual(receiver.messages, [message])
    })

    test('addresses in our own network are refused where they are denied', async (t) => {
      const { receiver, send, outbox, project, createAdapter } = await open(t, engine, {}, [
        '--private-targets',
        'deny',
      ])
      const { port } = new URL(receiver.url)
      for (const host of [
        'localhost',
        '[::1]',
        '0x7f000001',
        '169.254.169.254',
        '[::ffff:127.0.0.1]',
      ]) {
        await createAdapter(project, 'outgoing-webhook', { url: `http://${host}:${port}/` })
      }
      await send()
      const entries = await outbox()
      assert.equal(entries.length, 6)
      for (const { status, reason, log } of entries) {
        assert.equal(status, 'dead')
        assert.match(reason, /own network/)
        assert.deepEqual([log.length, log[0].outcome], [1, 'refused'])
      }
      assert.deepEqual(receiver.received, [])
    })

    test('a deleted adapter receives nothing any more', async (t) => {
      const { receiver, vmgw, project, adapter, send, advance, outbox } = await open(t, engine)
      receiver.answer = () => 500
      await send()
      await vmgw('DELETE', project, `/services/${adapter.id}`)
      await advance(100)
      assert.equal(receiver.received.length, 1)
      assert.deepEqual(await outbox(), [])
    })
  })
}
