/** A sensor attaches and sends; its message arrives at the webhook of the back end, also when that was down. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudFor, type RunningCloud, type WebhookTarget } from 'kumoi/testing'

const ICCID = '8981040000000000001'
const SECRET = 'S3cret'

const world = {
  version: 1,
  accounts: [
    {
      code: 'acme',
      name: 'Acme',
      keys: [{ token: 'backend', secret: 'backend-secret', permission: 'create' }],
    },
  ],
  sim_cards: [{ iccid: ICCID, passcode: 'pass000001' }],
  sims: [
    {
      account: 'acme',
      activated: true,
      CommonServiceItem: { Name: 'cellar', Status: { ICCID } },
    },
  ],
  projects: [{ account: 'acme', CommonServiceItem: { Name: 'sensors' }, sims: [ICCID] }],
}

/** As the set-up of your back end does it: every message of the project goes to this address. */
async function subscribe({ client }: RunningCloud, { url }: WebhookTarget): Promise<void> {
  const { CommonServiceItems } = await client.orThrow.itemList({
    search: { Filter: { Name: 'sensors' } },
  })
  await client.orThrow.adapterCreate({
    params: { project_id: CommonServiceItems[0]?.ID ?? '' },
    body: {
      IoTPlatform: {
        type: 'outgoing-webhook',
        settings: { 'outgoing-webhook': { url, secret: SECRET } },
      },
    },
  })
}

const reading = (celsius: number) => ({
  payload: [{ tag: '01', type: 'float32', value: celsius } as const],
})

test('a reading arrives, signed', async (t) => {
  const cloud = await cloudFor(t, { world })
  const target = await cloud.webhookTarget({ secret: SECRET })
  await subscribe(cloud, target)

  const sensor = cloud.device(ICCID)
  assert.equal((await sensor.attach()).accepted, true)
  const sent = await sensor.send(reading(21.5))

  const request = await target.waitFor({ id: sent.id })
  assert.equal(request.verified, true)
  assert.deepEqual(request.message.payload, [{ tag: '01', type: 'float32', value: 21.5 }])
})

test('a reading that the back end could not take comes again', async (t) => {
  const cloud = await cloudFor(t, { world })
  const target = await cloud.webhookTarget({ secret: SECRET })
  await subscribe(cloud, target)
  target.respondWith(503, 204)

  const { id } = await cloud.device(ICCID).send(reading(4))
  const failed = await cloud.webhooks.waitFor({ message_id: id })
  assert.deepEqual([failed.status, failed.response_code], ['waiting', 503])

  await cloud.clock.advance({ seconds: 10 })
  const delivered = await cloud.webhooks.waitFor({ message_id: id, status: 'delivered' })
  assert.equal(delivered.attempts, 2)
  // The same id both times: by it the back end knows a repeated message.
  assert.deepEqual(
    target.requests.map((request) => request.id),
    [id, id],
  )
})
