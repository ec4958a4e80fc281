/** The job alone, with a receiver and a real time that the test controls. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { FrozenClock } from '../../kernel/clock.ts'
import { oneKey } from '../../kernel/encryption-key.ts'
import { SeededRandom } from '../../kernel/random.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { Outbox } from '../../storage/outbox.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { iccidOf } from '../../testing/sims.ts'
import { WEBHOOK } from './deliveries.ts'
import { type Posted, webhookJob } from './webhook-job.ts'

/** As the cloud of a test has it. */
const box = new SecretBox(oneKey(Buffer.alloc(32, 7)))
const SENT: Posted = { outcome: 'sent', status: 200, reason: undefined }
const PAYLOAD = [{ tag: '00', type: 'bool', value: true }]

async function open(t: TestContext, engine: TestEngine, messages: number) {
  const iot = await openIot(t, { engine })
  await iot.cloud.jobs.stop()
  const project = await iot.createProject()
  await iot.connect(project, await iot.createSim(1))
  await iot.createAdapter(project, 'outgoing-webhook', { url: 'https://hooks.example.jp/' })
  for (let n = 0; n < messages; n += 1) {
    await iot.operator('POST', `/devices/${iccidOf(1)}/messages`, { body: { payload: PAYLOAD } })
  }
  const now = iot.clock.now()
  const time = { ms: 0 }
  /** As another process runs it, some seconds later. */
  const job = (post: () => Promise<Posted>, seconds = 0) =>
    webhookJob({
      ...{ box, post, random: new SeededRandom('x'), bodyHeader: undefined },
      clock: new FrozenClock(new Date(now.getTime() + seconds * 1000)),
      stopwatch: () => {
        const start = time.ms
        return () => time.ms - start
      },
    })
  const run = (post: () => Promise<Posted>, seconds?: number, signal?: AbortSignal) =>
    job(post, seconds).run(iot.database, now, signal)
  const nextDue = () => iot.database.read((tx) => new Outbox(tx, WEBHOOK).nextDue(now))
  const listed = async () => (await iot.operator('GET', '/outbox/webhooks')).body.webhooks
  return { now, time, run, nextDue, listed }
}

for (const engine of engines) {
  describe(`the webhook job on ${engine.name}`, () => {
    test('begins no request when its claim is about to expire, and is due again at once', async (t) => {
      const { now, time, run, nextDue } = await open(t, engine, 30)
      // None ends before all have begun: one that ended sooner would take another while there is time.
      const slow = (count: number) => {
        const allBegun = Promise.withResolvers<void>()
        let begun = 0
        return async () => {
          time.ms += 1000
          begun += 1
          if (begun === count) allBegun.resolve()
          await allBegun.promise
          return SENT
        }
      }
      assert.equal(await run(slow(20)), '20 webhooks tried')
      assert.deepEqual(await nextDue(), now)
      assert.equal(await run(slow(10)), '10 webhooks tried')
      assert.equal(await nextDue(), undefined)
    })

    test('begins no request when its lease is lost', async (t) => {
      const { now, run, nextDue } = await open(t, engine, 30)
      const lost = new AbortController()
      const post = async () => {
        lost.abort()
        return SENT
      }
      assert.equal(await run(post, 0, lost.signal), '20 webhooks tried')
      assert.deepEqual(await nextDue(), now)
    })

    test('stores nothing when another process has claimed and sent it meanwhile', async (t) => {
      const { run, listed } = await open(t, engine, 1)
      const late = async () => {
        assert.equal(await run(async () => SENT, 31), '1 webhooks tried')
        return { outcome: 'failed', status: 500, reason: 'late' } as const
      }
      await run(late)
      const [webhook] = await listed()
      assert.deepEqual([webhook.status, webhook.attempts, webhook.log.length], ['delivered', 1, 1])
    })

    test('waits for all that were begun when one of them cannot be stored', async (t) => {
      const { run, listed } = await open(t, engine, 3)
      const others = Promise.withResolvers<Posted>()
      let calls = 0
      const post = async () => {
        calls += 1
        if (calls > 1) return others.promise
        throw new Error('broken')
      }
      let isOver = false
      const ended = run(post).finally(() => {
        isOver = true
      })
      const rejected = assert.rejects(ended, /broken/)
      while (calls < 3) await turnOfTheLoop()
      for (let turn = 0; turn < 10; turn += 1) await turnOfTheLoop()
      assert.equal(isOver, false)
      others.resolve(SENT)
      await rejected
      const webhooks: { status: string }[] = await listed()
      assert.deepEqual(webhooks.map(({ status }) => status).sort(), [
        'delivered',
        'delivered',
        'waiting',
      ])
    })
  })
}
