import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { isMessage } from '../../testing/message-schema.ts'
import { iccidOf } from '../../testing/sims.ts'
import { signBody, signWebhook } from './signature-rules.ts'

const PAYLOAD = [{ tag: '01', type: 'uint64', value: '18446744073709551615' }]

async function open(t: TestContext, engine: TestEngine) {
  const iot = await openIot(t, { engine })
  const project = await iot.createProject()
  const sim = await iot.createSim(1)
  const { device_id } = await iot.connect(project, sim)
  const send = (body: unknown, n = 1) =>
    iot.operator('POST', `/devices/${iccidOf(n)}/messages`, { body })
  const fetch = (query = '', n = 1) =>
    iot.operator('GET', `/devices/${iccidOf(n)}/messages${query}`)
  return { ...iot, project, sim, device_id, send, fetch }
}

for (const engine of engines) {
  describe(`messages of devices on ${engine.name}`, () => {
    test('the operator sends as a device; the answer is the message in its form', async (t) => {
      const { send, project, device_id } = await open(t, engine)
      const raw = '{"payload":[{"tag":"0a","type":"int64","value":-9223372036854775807}]}'
      const { status, body, text } = await send(raw)
      assert.equal(status, 202)
      assert.deepEqual(body.message, {
        id: `${project}-1`,
        device_id,
        type: 'object',
        datetime: '2026-03-31T15:00:00.000000Z',
        payload: [{ tag: '0A', type: 'int64', value: '-9223372036854775807' }],
      })
      assert.ok(text.includes('"-9223372036854775807"'))
      assert.ok(isMessage(body.message))
      const dated = await send({ datetime: '2026-04-01T01:02:03.456+09:00', payload: PAYLOAD })
      assert.equal(dated.body.message.id, `${project}-2`)
      assert.equal(dated.body.message.datetime, '2026-03-31T16:02:03.456000Z')
    })

    test('a device without a project, without activation or without a card is refused', async (t) => {
      const { ask, send, fetch, createSim, vmgw, project, sim } = await open(t, engine)
      await createSim(2)
      assert.equal((await send({ payload: PAYLOAD }, 2)).status, 409)
      assert.equal((await fetch('', 2)).status, 409)
      assert.equal((await send({ payload: PAYLOAD }, 3)).status, 404)
      assert.equal((await fetch('', 3)).status, 404)
      assert.equal((await send({ payload: [] })).status, 400)
      const large = await send(' '.repeat(64 * 1024 + 1))
      assert.deepEqual([large.status, large.body.error_code], [413, 'request_too_large'])
      assert.equal((await send({ payload: PAYLOAD, device_id: 'other' })).status, 400)
      await ask('PUT', `/commonserviceitem/${sim}/sim/deactivate`)
      assert.equal((await send({ payload: PAYLOAD })).status, 409)
      assert.equal((await fetch()).status, 409)
      await ask('PUT', `/commonserviceitem/${sim}/sim/activate`)
      assert.equal((await send({ payload: PAYLOAD })).status, 202)
      assert.equal((await fetch()).status, 200)
      await vmgw('DELETE', project, `/sims/${sim}/ip`)
      await vmgw('DELETE', project, `/sims/${sim}`)
      assert.equal((await send({ payload: PAYLOAD })).status, 409)
    })

    test('a real device sends and fetches with the secret of its card', async (t) => {
      const { operator, inject, ask, sim, device_id, project, createAdapter } = await open(
        t,
        engine,
      )
      const secret = async () =>
        (await operator('POST', `/devices/${iccidOf(1)}/secret`)).body.secret
      assert.equal((await operator('POST', `/devices/${iccidOf(9)}/secret`)).status, 404)
      const first = await secret()
      const call = (method: string, key: string, body?: object, query = '') =>
        inject(method, `/iot/v1/messages${query}`, {
          headers: { authorization: `Bearer ${key}` },
          body,
        })
      const sent = await call('POST', first, { payload: PAYLOAD })
      assert.equal(sent.status, 202)
      assert.equal(sent.body.message.device_id, device_id)
      const hook = await createAdapter(project, 'incoming-webhook')
      const path = new URL(hook.url).pathname
      await inject('POST', path, { body: { device_id, payload: PAYLOAD } })
      const { messages } = (await call('GET', first)).body
      assert.deepEqual(messages[0].payload, PAYLOAD)
      const after = await call('GET', first, undefined, `?since=${messages[0].id}`)
      assert.deepEqual(after.body.messages, [])
      // A new secret voids the old one, and the SIM's end voids both.
      const second = await secret()
      assert.equal((await call('GET', first)).status, 401)
      assert.equal((await call('GET', second)).status, 200)
      await ask('DELETE', `/commonserviceitem/${sim}`)
      assert.equal((await call('GET', second)).status, 401)
    })

    test('a SIM that is deleted while its device sends or fetches is as gone as before', async (t) => {
      const { operator, inject, ask, createSim } = await open(t, engine)
      for (const [n, method] of [
        [2, 'POST'],
        [3, 'GET'],
      ] as const) {
        const sim = await createSim(n)
        const { body } = await operator('POST', `/devices/${iccidOf(n)}/secret`)
        const headers = { authorization: `Bearer ${body.secret}` }
        const sent = method === 'POST' ? { body: JSON.stringify({ payload: PAYLOAD }) } : {}
        const [answer, deleted] = await Promise.all([
          inject(method, '/iot/v1/messages', { headers, ...sent }),
          ask('DELETE', `/commonserviceitem/${sim}`),
        ])
        assert.equal(deleted.status, 200)
        // 409: before, when it was in no project.
        assert.ok([401, 409].includes(answer.status), `${answer.status}: ${answer.text}`)
      }
    })

    test('messages are kept for so long, and then forgotten', async (t) => {
      const { operator, inject, fetch, clock, device_id, project, createAdapter } = await open(
        t,
        engine,
      )
      await operator('POST', '/world', { body: { version: 1, settings: { iot_message_hours: 2 } } })
      const { url } = await createAdapter(project, 'incoming-webhook')
      const write = () =>
        inject('POST', new URL(url).pathname, { body: { device_id, payload: PAYLOAD } })
      await write()
      await clock.advanceTo(new Date(clock.now().getTime() + 5_400_000))
      await write()
      assert.equal((await fetch()).body.messages.length, 2)
      await clock.advanceTo(new Date(clock.now().getTime() + 5_401_000))
      const { messages } = (await fetch()).body
      assert.deepEqual(
        messages.map(({ id }: { id: string }) => id),
        [`${project}-2`],
      )
      assert.equal((await fetch('?since=x')).status, 400)
      assert.equal((await fetch('?since=910000009999-1')).status, 400)
    })
  })

  describe(`incoming webhooks on ${engine.name}`, () => {
    async function openHook(t: TestContext, settings: object = {}) {
      const iot = await open(t, engine)
      const { url } = await iot.createAdapter(iot.project, 'incoming-webhook', settings)
      const path = new URL(url).pathname
      const call = (body: unknown, headers: Record<string, string> = {}) =>
        iot.inject('POST', path, { body, headers })
      return { ...iot, path, call }
    }

    test('without a secret, a call reaches the device and is answered by a notify', async (t) => {
      const { call, fetch, device_id, project } = await openHook(t)
      const { status, body } = await call({ device_id, payload: PAYLOAD, ref: 'r1' })
      assert.equal(status, 202)
      const { is_ok, ...notify } = body
      assert.equal(is_ok, true)
      assert.ok(isMessage(notify), JSON.stringify(notify))
      assert.deepEqual([notify.id, notify.type, notify.ref], [`${project}-1`, 'notify', 'r1'])
      const [message] = (await fetch()).body.messages
      assert.ok(isMessage(message))
      assert.deepEqual([message.id, message.payload], [notify.id, PAYLOAD])
    })

    test('a call for no device of the project is refused', async (t) => {
      const { call, inject, device_id, vmgw, project, sim } = await openHook(t)
      assert.equal((await call({ payload: PAYLOAD })).status, 400)
      assert.equal((await call({ device_id: 'x', payload: PAYLOAD })).status, 404)
      const wrong = await inject('POST', '/iot/v1/incoming/nothing', { body: {} })
      assert.equal(wrong.status, 401)
      await vmgw('DELETE', project, `/sims/${sim}/ip`)
      await vmgw('DELETE', project, `/sims/${sim}`)
      assert.equal((await call({ device_id, payload: PAYLOAD })).status, 404)
    })

    test('with a secret, an unsigned or wrongly signed call is 401 before anything is parsed', async (t) => {
      const { call, fetch, clock, device_id } = await openHook(t, { secret: 'S3cret' })
      const text = JSON.stringify({ device_id, payload: PAYLOAD })
      const seconds = Math.floor(clock.now().getTime() / 1000)
      const signed = (body: string, id = 'id-1', at = seconds, secret = 'S3cret') => ({
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': signWebhook(secret, id, at, Buffer.from(body)),
      })
      assert.equal((await call(text)).status, 401)
      // Not JSON at all, and still 401: nobody looks into it.
      assert.equal((await call('{{{')).status, 401)
      assert.equal((await call('{{{', signed(text))).status, 401)
      assert.equal((await call(`${text} `, signed(text))).status, 401)
      assert.equal((await call(text, signed(text, 'id-1', seconds, 'other'))).status, 401)
      assert.equal((await call(text, { ...signed(text), 'webhook-id': 'id-2' })).status, 401)
      for (const age of [301, -301]) {
        assert.equal((await call(text, signed(text, 'old', seconds - age))).status, 401, `${age}`)
      }
      assert.equal((await call('{{{', signed('{{{'))).status, 400)
      assert.equal(
        (await call(text, { 'x-other': signBody('S3cret', Buffer.from(text)) })).status,
        401,
      )
      assert.equal((await fetch()).body.messages.length, 0)
      const good = signed(text)
      const several = { ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature']}` }
      assert.equal((await call(text, several)).status, 202)
      assert.equal((await call(text, signed(text, 'edge', seconds - 300))).status, 202)
      assert.equal((await fetch()).body.messages.length, 2)
    })

    test('a signed call that comes again is answered the same and adds nothing', async (t) => {
      const { call, fetch, clock, device_id } = await openHook(t, { secret: 'S3cret' })
      const text = JSON.stringify({ device_id, payload: PAYLOAD })
      const at = Math.floor(clock.now().getTime() / 1000)
      const headers = {
        'webhook-id': 'once',
        'webhook-timestamp': String(at),
        'webhook-signature': signWebhook('S3cret', 'once', at, Buffer.from(text)),
      }
      const answers = await Promise.all([1, 2, 3].map(() => call(text, headers)))
      assert.deepEqual(new Set(answers.map(({ text: answer }) => answer)).size, 1)
      await clock.advanceTo(new Date(clock.now().getTime() + 299_000))
      assert.equal((await call(text, headers)).text, answers[0]?.text)
      assert.equal((await fetch()).body.messages.length, 1)
      await clock.advanceTo(new Date(clock.now().getTime() + 2_000))
      assert.equal((await call(text, headers)).status, 401)
    })
  })
}
