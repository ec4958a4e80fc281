/** The header of a profile that signs the body alone, beside Standard Webhooks. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { oneKey } from '../../kernel/encryption-key.ts'
import { SeededRandom } from '../../kernel/random.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { openIot } from '../../testing/iot.ts'
import { iccidOf } from '../../testing/sims.ts'
import { AdapterStore } from './adapter-store.ts'
import { incomingHandlers } from './incoming-routes.ts'
import { ProjectQueue } from './project-queue.ts'
import { Signals } from './signals.ts'
import { hashOf } from './tokens.ts'
import { webhookJob } from './webhook-job.ts'

const HEADER = 'x-test-signature'
const PAYLOAD = [{ tag: '00', type: 'bool', value: true }]
/** As the cloud of a test has it. */
const box = new SecretBox(oneKey(Buffer.alloc(32, 7)))

const sha1 = (body: Buffer | string) => createHmac('sha1', 'S3cret').update(body).digest('hex')

async function open(t: Parameters<typeof openIot>[0]) {
  const iot = await openIot(t)
  const project = await iot.createProject()
  const { device_id } = await iot.connect(project, await iot.createSim(1))
  return { ...iot, project, device_id }
}

describe('a header that signs the body alone', () => {
  test('goes with outgoing webhooks besides the others', async (t) => {
    const { cloud, database, clock, operator, project, createAdapter } = await open(t)
    await cloud.jobs.stop()
    const url = 'https://hooks.example.jp/'
    await createAdapter(project, 'outgoing-webhook', { url, secret: 'S3cret' })
    await operator('POST', `/devices/${iccidOf(1)}/messages`, { body: { payload: PAYLOAD } })
    const sent: { body: Buffer; headers: Readonly<Record<string, string>> }[] = []
    const job = webhookJob({
      ...{ box, clock, random: new SeededRandom('x'), bodyHeader: HEADER },
      post: async (_url, body, headers) => {
        sent.push({ body, headers })
        return { outcome: 'sent', status: 200, reason: undefined }
      },
    })
    assert.equal(await job.run(database, clock.now()), '1 webhooks tried')
    const [first] = sent
    assert.ok(first)
    assert.equal(first.headers[HEADER], sha1(first.body))
    assert.match(first.headers['webhook-signature'] ?? '', /^v1,/)
  })

  test('lets incoming calls in, and a wrong one not', async (t) => {
    const { database, clock, project, device_id, createAdapter } = await open(t)
    const { token } = await createAdapter(project, 'incoming-webhook', { secret: 'S3cret' })
    const holder = await database.read((tx) => new AdapterStore(tx, box).findByToken(hashOf(token)))
    assert.ok(holder)
    const handlers = incomingHandlers(HEADER, {
      projectQueue: new ProjectQueue(database),
      signals: new Signals(),
    })
    const body = Buffer.from(JSON.stringify({ device_id, payload: PAYLOAD }))
    const call = (signature: string | undefined) =>
      handlers.incomingWebhookCall(
        { params: { token }, query: undefined, body },
        {
          ...{ database, holder, now: clock.now(), origin: '', asNumbers: false },
          header: (name) => (name === HEADER ? signature : undefined),
        },
      )
    assert.equal((await call(sha1(body))).type, 'notify')
    await assert.rejects(call(sha1('other')), /wrong/)
    await assert.rejects(call(undefined), /missing/)
  })
})
