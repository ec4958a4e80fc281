import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { INTERFACE_WORDS } from '../../kernel/words.ts'
import { openCloud, search, type TestCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import type { ItemKind } from '../items/public.ts'
import { smsKind } from './kind.ts'
import type { Transport } from './public.ts'

const ITEM = {
  CommonServiceItem: {
    Name: 'codes',
    Description: 'of the shop',
    Tags: ['login'],
    Icon: {},
    Provider: { Class: 'esme' },
  },
}
const TO = { destination: '819012345678', sender: 'Acme' }
const generate = (more: object = {}) => ({ ESME: { ...TO, otpOperation: 'generate', ...more } })
const input = (more: object = {}) => ({
  ESME: { ...TO, otpOperation: 'input', otp: 'A1b2C3', ...more },
})

/** A cloud with one item; the paths are those below it. */
async function open(t: TestContext, options: Parameters<typeof openCloud>[1] = {}) {
  const cloud = await openCloud(t, options)
  const made = await cloud.ask('POST', '/commonserviceitem', { body: ITEM })
  const id: string = made.body.CommonServiceItem.ID
  const at = `/commonserviceitem/${id}`
  return { ...cloud, id, at, made, ...calls(cloud, at) }
}

function calls({ ask, clock, operator }: TestCloud, at: string) {
  return {
    send: (more: object = {}) => ask('PUT', `${at}/esme/2fa/otp`, { body: generate(more) }),
    logs: async (query: object = {}) =>
      (await ask('GET', `${at}/esme/logs${search(query)}`)).body.ESME.logs,
    pass: (seconds: number) => clock.advanceTo(new Date(clock.now().getTime() + seconds * 1000)),
    outbox: async (query: object = {}) =>
      (await operator('GET', `/outbox/sms${search(query)}`)).body.messages,
    setWorld: (settings: object) => operator('POST', '/world', { body: { version: 1, settings } }),
  }
}

/** Stands at the port for a network that takes everything and leaves the machine. */
const farAway: Transport = {
  ...{ name: 'http', address: 'http://127.0.0.1:9/' },
  leavesMachine: true,
  recognisesRepeats: true,
  submit: async ({ messageId }) => ({ answer: 'accepted', reference: messageId }),
  check: async () => ({ state: 'ready', detail: '' }),
}

for (const engine of engines) {
  describe(`items of class esme on ${engine.name}`, () => {
    test('STATE-SMS-01 are available once created, in the form of the interface', async (t) => {
      const { ask, made, id, at } = await open(t, { engine })
      assert.equal(made.status, 201)
      const item = {
        ID: id,
        Name: 'codes',
        Description: 'of the shop',
        Settings: null,
        SettingsHash: null,
        Status: null,
        ServiceClass: 'cloud/esme/1',
        Availability: 'available',
        CreatedAt: '2026-04-01T00:00:00+09:00',
        ModifiedAt: '2026-04-01T00:00:00+09:00',
        Provider: { ID: 3, Class: 'esme', Name: 'esme', ServiceClass: 'cloud/esme' },
        Icon: null,
        Tags: ['login'],
      }
      assert.deepEqual(made.body, { CommonServiceItem: item, Success: true, is_ok: true })
      assert.deepEqual((await ask('GET', at)).body, { CommonServiceItem: item, is_ok: true })
      const list = await ask(
        'GET',
        `/commonserviceitem${search({ Filter: { 'Provider.Class': 'esme' } })}`,
      )
      assert.deepEqual(list.body.CommonServiceItems, [{ ...item, Index: 0 }])
      const body = { CommonServiceItem: { Name: 'other' } }
      assert.equal((await ask('PUT', at, { body })).body.CommonServiceItem.Name, 'other')
    })

    test('may have no name', async (t) => {
      const { ask } = await open(t, { engine })
      const body = { CommonServiceItem: { Provider: { Class: 'esme' } } }
      assert.equal((await ask('POST', '/commonserviceitem', { body })).status, 201)
    })

    test('STATE-SMS-02 are discontinued by DELETE, with the creation body or without', async (t) => {
      for (const body of [ITEM, undefined]) {
        const { ask, at } = await open(t, { engine })
        const gone = await ask('DELETE', at, { body })
        assert.equal(gone.status, 200)
        assert.equal(gone.body.CommonServiceItem.Availability, 'discontinued')
        assert.equal(gone.body.Success, true)
        for (const [method, path] of [
          ['GET', at],
          ['DELETE', at],
          ['GET', `${at}/esme/logs`],
          ['PUT', `${at}/esme/2fa/otp`],
        ] as const) {
          const answer = await ask(method, path, { body: generate() })
          assert.equal(answer.status, 404, `${method} ${path}`)
        }
      }
    })

    test('leave messages under way to be delivered', async (t) => {
      const { ask, at, send, pass, outbox } = await open(t, { engine })
      await send()
      await ask('DELETE', at)
      await pass(2)
      assert.equal((await outbox())[0].status, 'Delivered')
    })
  })

  describe(`PUT …/esme/2fa/otp on ${engine.name}`, () => {
    test('answers with six digits, and the log shows the message delivered in time', async (t) => {
      const { send, logs, pass } = await open(t, { engine })
      const sent = await send()
      assert.equal(sent.status, 200)
      const { messageId, otp } = sent.body.ESME
      assert.match(messageId, /^[0-9a-f]{32}$/)
      assert.match(otp, /^[0-9]{6}$/)
      assert.deepEqual(sent.body, { ESME: { messageId, otp, status: 'Accepted' }, is_ok: true })
      const entry = { messageId, otp, destination: '819012345678', retryCount: 0 }
      const sentAt = '2026-03-31T15:00:00.000000Z'
      await pass(1)
      assert.deepEqual(await logs(), [{ ...entry, status: 'Accepted', sentAt, doneAt: null }])
      await pass(1)
      const doneAt = '2026-03-31T15:00:02.000000Z'
      assert.deepEqual(await logs(), [{ ...entry, status: 'Delivered', sentAt, doneAt }])
    })

    test('writes the text of the world’s language, and the Web OTP line', async (t) => {
      const { send, outbox, setWorld } = await open(t, { engine })
      const first = (await send()).body.ESME
      await setWorld({ sms_language: 'en' })
      const second = (await send({ domain_name: '日本語.jp', sender: 'Acme [x]' })).body.ESME
      const [newest, oldest] = await outbox()
      assert.deepEqual(oldest, {
        messageId: first.messageId,
        destination: '819012345678',
        text: `Acmeの認証コードは ${first.otp} です。`,
        segments: 1,
        encoding: 'UCS-2',
        otp: first.otp,
        status: 'Accepted',
        sentAt: '2026-03-31T15:00:00.000000Z',
        doneAt: null,
        retryCount: 0,
        ...{ transport: 'outbox', reference: null, uncertain: false, reports: [] },
      })
      assert.equal(
        newest.text,
        `Your Acme [x] code is ${second.otp}.\n@xn--wgv71a119e.jp #${second.otp}`,
      )
      assert.equal(newest.encoding, 'GSM 7-bit')
    })

    test('answers 400 bad_request for a broken field, and sends nothing', async (t) => {
      const { ask, at, logs } = await open(t, { engine })
      const wrong: object[] = [
        { destination: '123456' },
        { destination: '1234567890123456' },
        { destination: '09012345678' },
        { destination: '+819012345678' },
        { destination: 819012345678 },
        { destination: undefined },
        { sender: '' },
        { sender: 'a'.repeat(65) },
        { sender: 'a\n@evil.example #1' },
        { sender: undefined },
        { domain_name: 'example.jp/x' },
        { domain_name: 'a b' },
        { domain_name: '192.0.2.1' },
        { domain_name: 1 },
        { otpOperation: 'input' },
        { otpOperation: undefined },
      ]
      for (const more of wrong) {
        const answer = await ask('PUT', `${at}/esme/2fa/otp`, { body: generate(more) })
        assert.equal(answer.status, 400, JSON.stringify(more))
        assert.equal(answer.body.error_code, 'bad_request')
      }
      assert.deepEqual(await logs(), [])
    })

    test('takes a sender and a number at their limits, and an empty domain_name for none', async (t) => {
      const { send } = await open(t, { engine })
      for (const more of [
        { sender: '社'.repeat(64) },
        { destination: '1234567' },
        { destination: '123456789012345' },
        { domain_name: '' },
        { domain_name: null },
      ]) {
        assert.equal((await send(more)).status, 200, JSON.stringify(more))
      }
    })

    test('answers 404 not_found for what is no short message service of the account', async (t) => {
      const { ask, at } = await open(t, { engine })
      const body = generate()
      for (const [path, token] of [
        [at, 'other-token'],
        ['/commonserviceitem/900000000000', 'acme-token'],
        ['/commonserviceitem/abc', 'acme-token'],
      ] as const) {
        const answer = await ask('PUT', `${path}/esme/2fa/otp`, { body, token })
        assert.equal(answer.status, 404, path)
        assert.equal((await ask('GET', `${path}/esme/logs`, { token })).status, 404)
      }
    })

    test('answers 404 not_found for an item of another kind', async (t) => {
      const widgets: ItemKind = { ...smsKind(INTERFACE_WORDS), class: 'widget' }
      const { ask } = await open(t, { engine, kinds: [widgets] })
      const widget = { CommonServiceItem: { Provider: { Class: 'widget' } } }
      const made = await ask('POST', '/commonserviceitem', { body: widget })
      const at = `/commonserviceitem/${made.body.CommonServiceItem.ID}/esme`
      assert.equal((await ask('PUT', `${at}/2fa/otp`, { body: generate() })).status, 404)
      assert.equal((await ask('PUT', `${at}/2fa`, { body: input() })).status, 404)
      assert.equal((await ask('GET', `${at}/logs`)).status, 404)
    })

    test('needs a key that may create; the logs need one that may view', async (t) => {
      const { ask, at } = await open(t, { engine })
      const token = 'acme-arrange'
      for (const path of ['/esme/2fa/otp', '/esme/2fa']) {
        const answer = await ask('PUT', `${at}${path}`, { body: generate(), token })
        assert.equal(answer.status, 403)
      }
      assert.equal((await ask('GET', `${at}/esme/logs`, { token: 'acme-view' })).status, 200)
    })
  })

  describe(`PUT …/esme/2fa on ${engine.name}`, () => {
    test('sends the password that it is given', async (t) => {
      const { ask, at, outbox } = await open(t, { engine })
      const sent = await ask('PUT', `${at}/esme/2fa`, { body: input() })
      assert.equal(sent.status, 200)
      assert.equal(sent.body.ESME.otp, 'A1b2C3')
      assert.equal(sent.body.ESME.status, 'Accepted')
      assert.equal((await outbox())[0].text, 'Acmeの認証コードは A1b2C3 です。')
    })

    test('answers 400 bad_request for a password that breaks its rule or is missing', async (t) => {
      const { ask, at } = await open(t, { engine })
      const wrong = ['', 'x'.repeat(17), 'a b', '12#4', 'é', 123456, undefined].map((otp) => ({
        otp,
      }))
      for (const more of [...wrong, { otpOperation: 'generate' }]) {
        const answer = await ask('PUT', `${at}/esme/2fa`, { body: input(more) })
        assert.equal(answer.status, 400, JSON.stringify(more))
      }
      const longest = await ask('PUT', `${at}/esme/2fa`, { body: input({ otp: 'x'.repeat(16) }) })
      assert.equal(longest.status, 200)
    })
  })

  describe(`GET …/esme/logs on ${engine.name}`, () => {
    test('answers newest first, 100 unless more are asked for', async (t) => {
      const { send, logs, pass, ask, at } = await open(t, { engine })
      for (let n = 0; n < 101; n += 1) await send({ destination: String(81_900_000_1000 + n) })
      await pass(60)
      await send({ destination: '818000000000' })
      const some = await logs()
      assert.equal(some.length, 100)
      const numbers = some.map(({ destination }: { destination: string }) => destination)
      assert.deepEqual(numbers.slice(0, 3), ['818000000000', '819000001100', '819000001099'])
      assert.equal((await ask('GET', `${at}/esme/logs`)).body.ESME.Count, 100)
      assert.equal((await logs({ Count: 0 })).length, 102)
      assert.equal((await logs({ Count: 101 })).length, 101)
      assert.deepEqual((await logs({ From: 101 })).length, 1)
    })

    test('takes the search object', async (t) => {
      const { send, logs, pass } = await open(t, { engine })
      await send()
      await pass(10)
      await send({ destination: '819000000004' })
      const found = async (query: object) =>
        (await logs(query)).map(({ destination }: { destination: string }) => destination)
      assert.deepEqual(await found({ Filter: { status: 'Delivered' } }), ['819012345678'])
      assert.deepEqual(await found({ Filter: { destination: ['819000000004'] } }), ['819000000004'])
      assert.deepEqual(await found({ Filter: { 'sentAt>': '2026-03-31T15:00:05Z' } }), [
        '819000000004',
      ])
      assert.deepEqual(await found({ Filter: { retryCount: 1 } }), [])
      assert.deepEqual(await found({ Sort: ['sentAt'] }), ['819012345678', '819000000004'])
      assert.deepEqual(await logs({ Include: ['status'], Count: 1 }), [{ status: 'Accepted' }])
    })

    test('answers 400 bad_request for a broken search object', async (t) => {
      const { ask, at } = await open(t, { engine })
      for (const query of ['?{broken', search({ Filter: { otp: '1' } }), search({ Sort: ['x'] })]) {
        assert.equal((await ask('GET', `${at}/esme/logs${query}`)).status, 400, query)
      }
    })

    test('shows the messages of one item alone', async (t) => {
      const { ask, send, logs } = await open(t, { engine })
      await send()
      const other = (await ask('POST', '/commonserviceitem', { body: ITEM })).body.CommonServiceItem
      const empty = await ask('GET', `/commonserviceitem/${other.ID}/esme/logs`)
      assert.deepEqual(empty.body, { ESME: { logs: [], Count: 0 }, is_ok: true })
      assert.equal((await logs()).length, 1)
    })
  })

  describe(`limits of sending on ${engine.name}`, () => {
    test('do not hold while messages stay on the machine', async (t) => {
      const { send, setWorld } = await open(t, { engine })
      await setWorld({ sms_per_day: 1 })
      for (let n = 0; n < 7; n += 1) assert.equal((await send()).status, 200)
    })

    test('answer 429 too_many_request for the sixth to a destination in 10 minutes', async (t) => {
      const { send, pass, logs } = await open(t, { engine, sms: farAway })
      for (let n = 0; n < 5; n += 1) {
        assert.equal((await send()).status, 200)
        await pass(60)
      }
      const sixth = await send()
      assert.equal(sixth.status, 429)
      assert.equal(sixth.body.error_code, 'too_many_request')
      assert.equal(sixth.headers['retry-after'], '300')
      assert.equal((await send({ destination: '818012345678' })).status, 200)
      await pass(299)
      assert.equal((await send()).status, 429)
      await pass(1)
      assert.equal((await send()).status, 200)
      assert.equal((await logs()).length, 7)
    })

    test('answer 429 too_many_request past the daily cap of the account, until Japan’s midnight', async (t) => {
      const { send, pass, setWorld } = await open(t, { engine, sms: farAway })
      await setWorld({ sms_per_day: 2 })
      assert.equal((await send({ destination: '818012345671' })).status, 200)
      await pass(3600)
      assert.equal((await send({ destination: '818012345672' })).status, 200)
      const third = await send({ destination: '818012345673' })
      assert.equal(third.status, 429)
      assert.equal(third.headers['retry-after'], String(23 * 3600))
      await pass(23 * 3600)
      assert.equal((await send({ destination: '818012345673' })).status, 200)
    })

    test('let no more through when many come at once', async (t) => {
      const { send } = await open(t, { engine, sms: farAway })
      const answers = await Promise.all(Array.from({ length: 12 }, () => send()))
      const good = answers.filter(({ status }) => status === 200)
      assert.equal(good.length, 5)
      for (const { status } of answers) assert.ok(status === 200 || status === 429, String(status))
    })
  })

  describe(`--policy strict on ${engine.name}`, () => {
    test('answers 400 bad_request for what is no mobile number of an allowed country', async (t) => {
      const { send, setWorld } = await open(t, { engine, args: ['--policy', 'strict'] })
      assert.equal((await send()).status, 200)
      assert.equal((await send({ destination: '81312345678' })).status, 400)
      assert.equal((await send({ destination: '12025550123' })).status, 400)
      await setWorld({ sms_countries: ['81', '1'] })
      assert.equal((await send({ destination: '12025550123' })).status, 200)
    })
  })
}
