import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPERATOR_TOKEN, openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { profileArgs } from '../../testing/profiles.ts'
import { RequestLog } from './request-log.ts'

const esme = { CommonServiceItem: { Name: "it's", Provider: { Class: 'esme' } } }

for (const engine of engines) {
  describe(`the inspector on ${engine.name}`, () => {
    test('shows what was asked and told, newest first, and not the operator’s own', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      await ask('GET', '/auth-status', { token: null })
      const made = await ask('POST', '/commonserviceitem', { body: esme })
      const { requests } = (await operator('GET', '/requests')).body
      assert.equal(requests.length, 2)
      const [newest, oldest] = requests
      assert.deepEqual(
        [newest.operation, newest.account, newest.status, newest.method, newest.time],
        ['itemCreate', 'acme', 201, 'POST', '2026-03-31T15:00:00.000000Z'],
      )
      assert.equal(newest.path, '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem')
      assert.deepEqual([oldest.status, oldest.account], [401, null])
      const { request } = (await operator('GET', `/requests/${newest.serial}`)).body
      assert.deepEqual(request.request_body, esme)
      assert.deepEqual(request.answer_body, made.body)
      assert.equal(
        request.curl,
        String.raw`curl -X POST -u "$TOKEN:$SECRET" -d '{"CommonServiceItem":{"Name":"it'\''s","Provider":{"Class":"esme"}}}' 'http://localhost/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'`,
      )
      assert.equal((await operator('GET', '/requests/0')).status, 404)
    })

    test('shows what a client calls itself, when that is a name', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      for (const name of ['console', '', 'two words', 'x'.repeat(33), 'x'.repeat(32)]) {
        await ask('GET', '/auth-status', { headers: { 'x-kumoi-client': name } })
      }
      await ask('GET', '/auth-status')
      const { requests } = (await operator('GET', '/requests')).body
      assert.deepEqual(
        requests.map(({ client }: { client: string | null }) => client),
        [null, 'x'.repeat(32), null, null, null, 'console'],
      )
    })

    test('shows which rows were changed, and what was sent that nothing reads', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const body = { CommonServiceItem: { ...esme.CommonServiceItem, Nmae: 'misspelt' } }
      await ask('POST', '/commonserviceitem', { body })
      await ask('POST', '/commonserviceitem', { body: { CommonServiceItem: {} } })
      await ask('GET', '/commonserviceitem')
      const detail = async (index: number) => {
        const { requests } = (await operator('GET', '/requests')).body
        return (await operator('GET', `/requests/${requests[index].serial}`)).body.request
      }
      const made = await detail(2)
      assert.equal(made.rows_changed.item, 1)
      assert.deepEqual(made.unread_fields, ['CommonServiceItem.Nmae'])
      assert.deepEqual((await detail(1)).rows_changed, {}, 'a refusal changes nothing')
      assert.deepEqual((await detail(0)).rows_changed, {})
    })

    test('hides secrets, in the archive too', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      const { body } = await ask('POST', '/commonserviceitem', { body: esme })
      const sent = await ask('PUT', `/commonserviceitem/${body.CommonServiceItem.ID}/esme/2fa`, {
        body: {
          ESME: { destination: '819012345678', sender: 'A', otpOperation: 'input', otp: 'S3CRET' },
        },
      })
      assert.equal(sent.body.ESME.otp, 'S3CRET')
      const [{ serial }] = (await operator('GET', '/requests')).body.requests
      const detail = await operator('GET', `/requests/${serial}`)
      assert.equal(detail.body.request.request_body.ESME.otp, '(hidden)')
      const archive = await operator('GET', '/requests.har')
      assert.equal(archive.body.log.entries.length, 2)
      assert.equal(archive.body.log.entries[1].response.status, sent.status)
      assert.ok(!detail.text.includes('S3CRET') && !archive.text.includes('S3CRET'))
    })
  })
}

describe('unread_fields', () => {
  test('knows the members that a profile has other names for', async (t) => {
    const words = { chatConfig: 'talk_config', chatUrl: 'talk_url' }
    const { ask, operator } = await openCloud(t, { args: profileArgs(t, { words }) })
    const talk = { enabled: true, talk_url: 'https://chat.example.jp/hook', colour: 'red' }
    const traffic_monitoring_config = { traffic_quota_in_mb: 1, talk_config: talk, chat_config: {} }
    await ask('PUT', '/appliance/910000000001/mobilegateway/traffic_monitoring', {
      body: { traffic_monitoring_config },
    })
    const [{ serial }] = (await operator('GET', '/requests')).body.requests
    const { request } = (await operator('GET', `/requests/${serial}`)).body
    assert.deepEqual(request.unread_fields, [
      'traffic_monitoring_config.talk_config.colour',
      'traffic_monitoring_config.chat_config',
    ])
  })
})

describe('GET /events', () => {
  test('streams requests, goes on after the last event, and ends with the server', async (t) => {
    const { ask, cloud } = await openCloud(t)
    const port = await cloud.api.listenPlain(0)
    const follow = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}/_kumoi/v1/events`, {
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...headers },
      })
      assert.equal(answer.headers.get('content-type'), 'text/event-stream')
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      return async (count: number) => {
        while (text.split('event: request').length <= count) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
          if (done) break
          text += value
        }
        return text.match(/^id: \d+$/gm) ?? []
      }
    }
    const live = await follow()
    await ask('GET', '/auth-status')
    await ask('GET', '/auth-status')
    assert.deepEqual(await live(2), ['id: 1', 'id: 2'])
    const resumed = await follow({ 'last-event-id': '1' })
    assert.deepEqual(await resumed(1), ['id: 2'])
  })
})

describe('the events of a change of state', () => {
  test('tell whose change it was, a request’s or a job’s, and which rows', async (t) => {
    const { ask, operator, cloud, clock } = await openCloud(t)
    const port = await cloud.api.listenPlain(0)
    const answer = await fetch(`http://127.0.0.1:${port}/_kumoi/v1/events`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
    const made = await ask('POST', '/commonserviceitem', { body: esme })
    await operator('POST', '/faults', {
      body: { operation: 'itemUpdate', phase: 'after', effect: { status: 500 } },
    })
    const item = `/commonserviceitem/${made.body.CommonServiceItem.ID}`
    assert.equal((await ask('PUT', item, { body: esme })).status, 500)
    const path = `${item}/esme/2fa/otp`
    const message = { destination: '819012345678', sender: 'A', otpOperation: 'generate' }
    await ask('PUT', path, { body: { ESME: message } })
    await clock.advanceTo(new Date(clock.now().getTime() + 5000))
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"job":"sms')) text += (await reader?.read())?.value ?? ''
    const changes = [...text.matchAll(/event: change\ndata: (.*)/g)].map(([, data = '']) =>
      JSON.parse(data),
    )
    assert.match(changes[0].serial, /^[0-9a-f]{32}$/)
    assert.equal(changes[0].rows_changed.item, 1)
    assert.equal(changes[1].rows_changed.item, 1, 'answered with a fault after the commit')
    const byJob = changes.find(({ job }) => job?.startsWith('sms'))
    assert.equal(byJob.serial, undefined)
    assert.ok(Object.keys(byJob.rows_changed).length > 0)
  })

  test('tell what the operator changed, and nothing of what it only asked', async (t) => {
    const { cloud, operator } = await openCloud(t)
    const port = await cloud.api.listenPlain(0)
    const answer = await fetch(`http://127.0.0.1:${port}/_kumoi/v1/events`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
    await operator('GET', '/clock')
    const third = { code: 'third', name: 'Third', keys: [] }
    const world = { version: 1, accounts: [third] }
    assert.equal((await operator('POST', '/world', { body: world })).status, 200)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: change')) text += (await reader?.read())?.value ?? ''
    assert.match(
      text,
      /^: events follow\n\nid: \d+\nevent: change\ndata: .*"rows_changed":\{.*"account":1/,
    )
  })
})

describe('RequestLog', () => {
  const seen = (serial: string, bytes = 0) => ({
    serial,
    time: new Date(0),
    method: 'GET',
    path: '/',
    operation: 'x',
    contract: undefined,
    account: undefined,
    client: undefined,
    status: 200,
    durationMs: 1,
    changes: {},
    body: Buffer.alloc(bytes),
    answer: undefined,
  })

  test('keeps so many', () => {
    const log = new RequestLog(3)
    for (let n = 0; n <= 3; n += 1) log.add(seen(String(n)))
    assert.equal(log.list().length, 3)
    assert.equal(log.list().at(-1)?.serial, '1')
  })

  test('keeps none where none are to be kept, and they can still be followed', async () => {
    const log = new RequestLog(0)
    const stream = log.stream(undefined, ({ number }) => `event ${number}\n`)
    for (const serial of ['a', 'b']) log.add(seen(serial, 1024))
    assert.deepEqual(log.list(), [])
    log.endStreams()
    const text = (await stream.toArray()).join('')
    assert.match(text, /event 1\nevent 2\n$/)
  })

  test('keeps so many bytes', () => {
    const log = new RequestLog(2000)
    for (let n = 0; n < 9; n += 1) log.add(seen(String(n), 1024 * 1024))
    assert.equal(log.list().length, 8)
  })
})
