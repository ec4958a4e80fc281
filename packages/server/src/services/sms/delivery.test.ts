/** Every transition of a message's status, on the virtual clock, and what crashes do to it. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { oneKey } from '../../kernel/encryption-key.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { secondsAfter as after } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { raw } from '../../storage/sql.ts'
import { openCloud, search } from '../../testing/cloud.ts'
import { engines, TEST_NOW, type TestEngine } from '../../testing/engines.ts'
import { ContentBox } from './content.ts'
import { CLAIM_SECONDS, recordReport, submitting } from './delivery.ts'
import { EmbeddedNetwork } from './network.ts'
import { MAGIC } from './network-rules.ts'
import { VALIDITY_SECONDS } from './rules.ts'
import type { Report, Submission, SubmitAnswer, Transport } from './transport.ts'

/** Stands at the port for a real network: remembers what it was handed and answers as told. */
class FakeNetwork implements Transport {
  readonly name = 'http'
  readonly address = 'http://127.0.0.1:9/'
  readonly leavesMachine = true
  readonly recognisesRepeats: boolean
  readonly submitted: Submission[] = []
  readonly #answer: (message: Submission, network: FakeNetwork) => Promise<SubmitAnswer>
  report: (report: Report) => Promise<unknown> = async () => undefined

  constructor(answer = accept, recognisesRepeats = true) {
    this.#answer = answer
    this.recognisesRepeats = recognisesRepeats
  }

  submit(message: Submission): Promise<SubmitAnswer> {
    this.submitted.push(message)
    return this.#answer(message, this)
  }

  async check() {
    return { state: 'ready', detail: '' } as const
  }
}

async function accept({ messageId }: Submission, _network: FakeNetwork): Promise<SubmitAnswer> {
  return { answer: 'accepted', reference: `ref-${messageId}` }
}

async function open(
  t: TestContext,
  engine: TestEngine,
  sms?: Transport,
  mode: 'dev' | 'operate' = 'dev',
) {
  const port = sms === undefined ? {} : { sms }
  const cloud = await openCloud(t, { engine, config: { mode }, ...port })
  const { ask, clock, operator, database } = cloud
  if (sms instanceof FakeNetwork) {
    sms.report = (report) => database.write((tx) => recordReport(tx, report, clock.now()))
  }
  const body = { CommonServiceItem: { Provider: { Class: 'esme' } } }
  const { ID } = (await ask('POST', '/commonserviceitem', { body })).body.CommonServiceItem
  const at = `/commonserviceitem/${ID}/esme`
  return {
    ...cloud,
    async send(destination = '819012345678'): Promise<string> {
      const ESME = { destination, sender: 'Acme', otpOperation: 'generate' }
      return (await ask('PUT', `${at}/2fa/otp`, { body: { ESME } })).body.ESME.messageId
    },
    /** Moves the clock to so many seconds after the start of the test. */
    to: (seconds: number) => clock.advanceTo(after(TEST_NOW, seconds)),
    /** Status, seconds from the start to the end, and retries of the newest message. */
    async state() {
      const { logs } = (await ask('GET', `${at}/logs${search({ Count: 1 })}`)).body.ESME
      const [{ status, doneAt, retryCount }] = logs
      const seconds = doneAt === null ? null : (Date.parse(doneAt) - TEST_NOW.getTime()) / 1000
      return [status, seconds, retryCount]
    },
    logs: async () => (await ask('GET', `${at}/logs`)).body.ESME.logs,
    setWorld: (settings: object) => operator('POST', '/world', { body: { version: 1, settings } }),
  }
}

for (const engine of engines) {
  describe(`a message on the embedded network on ${engine.name}`, () => {
    test('is Delivered or Failed after the time that the settings say', async (t) => {
      const { send, to, state, setWorld } = await open(t, engine)
      await setWorld({ sms_delivery_seconds: 30 })
      await send()
      await to(29)
      assert.deepEqual(await state(), ['Accepted', null, 0])
      await to(30)
      assert.deepEqual(await state(), ['Delivered', 30, 0])
      await setWorld({ sms_network: 'fail', sms_delivery_seconds: 0 })
      await send()
      await to(30)
      assert.deepEqual(await state(), ['Failed', 30, 0])
    })

    test('is Failed when nobody has reported within 10 minutes, and stays so', async (t) => {
      const { send, to, state, setWorld, operator } = await open(t, engine)
      await setWorld({ sms_network: 'hold' })
      const id = await send()
      await to(VALIDITY_SECONDS - 1)
      assert.deepEqual(await state(), ['Accepted', null, 0])
      await to(VALIDITY_SECONDS)
      assert.deepEqual(await state(), ['Failed', 600, 0])
      assert.equal((await operator('POST', `/outbox/sms/${id}/deliver`)).status, 409)
      assert.deepEqual(await state(), ['Failed', 600, 0])
    })

    test('has the fate of its magic destination', async (t) => {
      const fates: [string, number, unknown[]][] = [
        [MAGIC.refused, 0, ['Failed', 0, 0]],
        [MAGIC.failed, 2, ['Failed', 2, 0]],
        [MAGIC.expired, 600, ['Failed', 600, 0]],
        [MAGIC.neverReported, 600, ['Failed', 600, 0]],
        [MAGIC.throttled, 12, ['Delivered', 12, 2]],
        [MAGIC.alwaysThrottled, 600, ['Failed', 600, 14]],
        [MAGIC.early, 0, ['Delivered', 0, 0]],
      ]
      for (const [destination, seconds, end] of fates) {
        const { send, to, state } = await open(t, engine)
        await send(destination)
        if (seconds > 0) {
          await to(seconds - 1)
          assert.equal((await state())[0], 'Accepted', destination)
        }
        await to(seconds)
        assert.deepEqual(await state(), end, destination)
      }
    })

    test('has no such fate in --mode operate', async (t) => {
      const { send, to, state } = await open(t, engine, undefined, 'operate')
      for (const [index, destination] of Object.values(MAGIC).entries()) {
        await send(destination)
        await to(2 * index + 2)
        assert.deepEqual(await state(), ['Delivered', 2 * index + 2, 0], destination)
      }
    })

    test('is ended by the operator, once', async (t) => {
      const { send, to, state, operator, setWorld } = await open(t, engine)
      await setWorld({ sms_network: 'hold' })
      const delivered = await send()
      await to(5)
      const answer = await operator('POST', `/outbox/sms/${delivered}/deliver`)
      assert.equal(answer.status, 200)
      assert.equal(answer.body.message.status, 'Delivered')
      assert.equal(answer.body.message.messageId, delivered)
      assert.deepEqual(await state(), ['Delivered', 5, 0])
      for (const end of ['deliver', 'fail']) {
        const again = await operator('POST', `/outbox/sms/${delivered}/${end}`)
        assert.equal(again.status, 409)
        assert.equal(again.body.error_code, 'conflict')
      }
      const failed = await send()
      await operator('POST', `/outbox/sms/${failed}/fail`)
      assert.deepEqual(await state(), ['Failed', 5, 0])
      await to(700)
      assert.deepEqual(await state(), ['Failed', 5, 0])
    })

    test('is not found under a wrong id, and asks for the operator’s token', async (t) => {
      const { operator, send } = await open(t, engine)
      const id = await send()
      assert.equal((await operator('POST', '/outbox/sms/nothing/deliver')).status, 404)
      assert.equal((await operator('POST', '/outbox/sms/nothing/fail')).status, 404)
      const headers = { authorization: 'Bearer wrong' }
      for (const [method, path] of [
        ['GET', '/outbox/sms'],
        ['POST', `/outbox/sms/${id}/deliver`],
        ['POST', `/outbox/sms/${id}/fail`],
      ] as const) {
        assert.equal((await operator(method, path, { headers })).status, 401)
      }
      assert.equal((await operator('GET', '/outbox/sms?{broken')).status, 400)
    })

    test('loses password and text after the retention time, in the database too', async (t) => {
      const { send, to, logs, operator, setWorld, database } = await open(t, engine)
      await setWorld({ sms_otp_retention_hours: 2 })
      await send()
      await to(7199)
      assert.match((await logs())[0].otp, /^[0-9]{6}$/)
      await to(7200)
      const [entry] = await logs()
      assert.deepEqual([entry.otp, entry.status], ['', 'Delivered'])
      const [shown] = (await operator('GET', '/outbox/sms')).body.messages
      assert.deepEqual([shown.otp, shown.text], ['', ''])
      const rows = await database.read((tx) => tx.all(raw('SELECT sealed FROM sms_message')))
      assert.deepEqual(
        rows.map((row) => ({ ...Object(row) })),
        [{ sealed: null }],
      )
    })

    test('has neither password nor text in the clear in any table', async (t) => {
      const { send, logs, database } = await open(t, engine)
      await send()
      const [{ otp }] = await logs()
      const tables = ['sms_message', 'sms_network_message', 'sms_report', 'outbox', 'job']
      for (const table of tables) {
        const rows = await database.read((tx) => tx.all(raw(`SELECT * FROM ${table}`)))
        const text = JSON.stringify(rows)
        assert.ok(!text.includes(`"${otp}"`) && !text.includes('認証コード'), table)
      }
    })
  })

  describe(`the transport port on ${engine.name}`, () => {
    test('is handed the message with its validity, and reports by its own reference', async (t) => {
      const network = new FakeNetwork()
      const { send, to, state } = await open(t, engine, network)
      const id = await send()
      await to(0)
      const [message] = network.submitted
      assert.deepEqual(
        [message?.messageId, message?.destination, message?.retryCount, message?.segments],
        [id, '819012345678', 0, 1],
      )
      assert.deepEqual(message?.validUntil, after(TEST_NOW, VALIDITY_SECONDS))
      await network.report({ reference: `ref-${id}`, outcome: 'Delivered', at: after(TEST_NOW, 7) })
      assert.deepEqual(await state(), ['Delivered', 7, 0])
      // A second report changes nothing.
      await network.report({ reference: `ref-${id}`, outcome: 'Failed', at: after(TEST_NOW, 8) })
      assert.deepEqual(await state(), ['Delivered', 7, 0])
      await to(3600)
      assert.equal(network.submitted.length, 1)
    })

    test('may report before it answers the submit', async (t) => {
      const network = new FakeNetwork(async ({ messageId }, { report }) => {
        const reference = `early-${messageId}`
        await report({ reference, outcome: 'Delivered', at: TEST_NOW })
        return { answer: 'accepted', reference }
      })
      const { send, to, state } = await open(t, engine, network)
      await send()
      await to(0)
      assert.deepEqual(await state(), ['Delivered', 0, 0])
    })

    test('is asked later and later while it throttles, and counted', async (t) => {
      const network: FakeNetwork = new FakeNetwork(async (message) =>
        message.retryCount < 3 ? { answer: 'throttled' } : accept(message, network),
      )
      const { send, to, state } = await open(t, engine, network)
      const id = await send()
      await to(6)
      assert.deepEqual(await state(), ['Accepted', null, 3])
      assert.equal(network.submitted.length, 3)
      await to(7)
      assert.deepEqual(
        network.submitted.map(({ retryCount }) => retryCount),
        [0, 1, 2, 3],
      )
      await network.report({ reference: `ref-${id}`, outcome: 'Delivered', at: after(TEST_NOW, 9) })
      assert.deepEqual(await state(), ['Delivered', 9, 3])
    })

    test('that throttles for longer than the validity is not asked again', async (t) => {
      const network = new FakeNetwork(async () => ({ answer: 'throttled', retryAfterSeconds: 600 }))
      const { send, to, state } = await open(t, engine, network)
      await send()
      await to(3600)
      assert.deepEqual(await state(), ['Failed', 600, 0])
      assert.equal(network.submitted.length, 1)
    })

    test('that refuses ends the message', async (t) => {
      const network = new FakeNetwork(async () => ({ answer: 'refused' }))
      const { send, to, state } = await open(t, engine, network)
      await send()
      await to(0)
      assert.deepEqual(await state(), ['Failed', 0, 0])
    })

    test('leaves its messages to its own reports, not to the operator', async (t) => {
      const { send, to, state, operator } = await open(t, engine, new FakeNetwork())
      const id = await send()
      await to(0)
      assert.equal((await operator('POST', `/outbox/sms/${id}/deliver`)).status, 409)
      assert.deepEqual(await state(), ['Accepted', null, 0])
    })
  })

  describe(`a crash between submit and settle on ${engine.name}`, () => {
    const box = new ContentBox(new SecretBox(oneKey(Buffer.alloc(32, 7))))

    /** The process that dies: it submits, and nothing that it does afterwards reaches the database. */
    async function dieAfterSubmit(database: Database, network: Transport): Promise<void> {
      let died = false
      const dying: Transport = {
        ...{ name: network.name, address: undefined, leavesMachine: true },
        recognisesRepeats: network.recognisesRepeats,
        check: () => network.check(),
        async submit(message, now) {
          const answer = await network.submit(message, now)
          died = true
          return answer
        },
      }
      const mortal: Database = {
        engine: database.engine,
        read: (work) => database.read(work),
        write: (work) => (died ? Promise.reject(new Error('killed')) : database.write(work)),
        exclusive: (work) => database.exclusive(work),
        close: async () => undefined,
      }
      await assert.rejects(submitting(dying, box).run(mortal, TEST_NOW), /killed/)
    }

    /** A send whose own job has not come to it yet. */
    async function sendUnseen(cloud: Awaited<ReturnType<typeof open>>): Promise<string> {
      await cloud.cloud.jobs.stop()
      return cloud.send()
    }

    test('loses nothing: a network that recognises repeats is asked again and knows it', async (t) => {
      const known = new Set<string>()
      const network = new FakeNetwork(async (message, self) => {
        known.add(message.messageId)
        return accept(message, self)
      })
      const cloud = await open(t, engine, network)
      const id = await sendUnseen(cloud)
      await dieAfterSubmit(cloud.database, network)
      const alive = submitting(network, box)
      const soon = after(TEST_NOW, CLAIM_SECONDS - 1)
      assert.equal(await alive.run(cloud.database, soon), '0 submitted')
      assert.equal(await alive.run(cloud.database, after(soon, 1)), '1 submitted')
      assert.equal(await alive.run(cloud.database, after(soon, 3600)), '0 submitted')
      assert.deepEqual([...known], [id])
      assert.deepEqual(
        network.submitted.map(({ messageId }) => messageId),
        [id, id],
      )
      await network.report({ reference: `ref-${id}`, outcome: 'Delivered', at: after(soon, 2) })
      assert.deepEqual(await cloud.state(), ['Delivered', CLAIM_SECONDS + 1, 0])
    })

    test('sends nothing twice: a network that does not is not asked again', async (t) => {
      const network = new FakeNetwork(accept, false)
      const cloud = await open(t, engine, network)
      const id = await sendUnseen(cloud)
      await dieAfterSubmit(cloud.database, network)
      const alive = submitting(network, box)
      await alive.run(cloud.database, after(TEST_NOW, CLAIM_SECONDS))
      await alive.run(cloud.database, after(TEST_NOW, 2 * CLAIM_SECONDS))
      assert.deepEqual(
        network.submitted.map(({ messageId }) => messageId),
        [id],
      )
    })

    test('is carried on by the embedded network with one message, not two', async (t) => {
      const first = await open(t, engine)
      const network = new EmbeddedNetwork(first.database, true)
      await sendUnseen(first)
      await dieAfterSubmit(first.database, network)
      // The report comes first, then the message is submitted once more.
      await network.reporting.run(first.database, after(TEST_NOW, 5))
      await submitting(network, box).run(first.database, after(TEST_NOW, CLAIM_SECONDS))
      assert.deepEqual(await first.state(), ['Delivered', 2, 0])
      const rows = await first.database.read((tx) =>
        tx.all(raw('SELECT * FROM sms_network_message')),
      )
      assert.equal(rows.length, 1)
      assert.equal(await network.reporting.run(first.database, after(TEST_NOW, 60)), '0 reported')
    })

    test('after a submit that throws, asks again only a network that recognises repeats', async (t) => {
      for (const [recognises, submits] of [
        [true, 2],
        [false, 1],
      ] as const) {
        let failures = 1
        const network = new FakeNetwork(async (message, self) => {
          if (failures-- > 0) throw new Error('the connection broke')
          return accept(message, self)
        }, recognises)
        const { send, to } = await open(t, engine, network)
        await send()
        await to(60)
        assert.equal(network.submitted.length, submits)
      }
    })
  })
}
