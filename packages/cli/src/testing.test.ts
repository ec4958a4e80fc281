import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudFor, startCloud } from './testing.ts'
import type { RunningCloud, WebhookTarget } from './testing-types.ts'

const DESTINATION = '819012345678'
/** Of the demo world, in the project `sensors` and in the gateway `meters`. */
const SENSOR = '8981040000000001003'
const METER = '8981040000000001001'
const MESSAGE = { payload: [{ tag: '01', type: 'uint8', value: 7 }] } as const

const sendCode = ({ client }: RunningCloud, destination = DESTINATION) =>
  client.orThrow.smsSendGenerated({
    params: { sms_id: '900000099201' },
    body: { ESME: { destination, sender: 'Acme', otpOperation: 'generate' } },
  })

async function addWebhook(cloud: RunningCloud, target: WebhookTarget, secret?: string) {
  const { orThrow } = cloud.client
  const search = { Filter: { 'Provider.Class': 'iotplatform' } }
  const [project] = (await orThrow.itemList({ search })).CommonServiceItems
  const settings = { url: target.url, ...(secret !== undefined && { secret }) }
  const type = 'outgoing-webhook' as const
  await orThrow.adapterCreate({
    params: { project_id: project?.ID ?? '' },
    body: { IoTPlatform: { type, settings: { [type]: settings } } },
  })
}

test('the client is signed in with the first key of the world', async (t) => {
  const cloud = await cloudFor(t)
  assert.equal((await cloud.client.orThrow.authStatus()).Account.Code, 'demo')
  assert.equal((await cloud.client.orThrow.clockRead()).mode, 'frozen')
  const viewer = cloud.clientFor({ token: 'demo-view', secret: 'demo-view-secret' })
  assert.equal((await viewer.orThrow.authStatus()).Permission, 'view')
  const refused = await cloud.clientFor({ token: 'demo-token', secret: 'wrong' }).authStatus()
  assert.equal(refused.ok || refused.refusal.code, 'unauthorized')
})

test('the client shows the first answer, and a world without a key has none', async (t) => {
  const cloud = await cloudFor(t)
  await cloud.faults.add({ operation: 'authStatus', nth: 1, effect: { status: 503 } })
  const first = await cloud.client.authStatus()
  assert.equal(first.ok || first.refusal.status, 503)
  assert.deepEqual(
    (await cloud.faults.list()).map(({ hits }) => hits),
    [1],
  )
  await cloud.faults.clear()
  assert.deepEqual(await cloud.faults.list(), [])
  const accounts = [{ code: 'acme', name: 'Acme', keys: [] }]
  const keyless = await cloudFor(t, { world: { version: 1, accounts } })
  assert.throws(() => keyless.client, /The world has no key to sign in with: declare one/)
})

test('devices attach, send bytes and leave', async (t) => {
  const carriers = ['north', 'east', 'south'].map((name) => ({ name }))
  const cloud = await cloudFor(t)
  const meter = cloud.device(METER)
  assert.equal((await meter.attach()).accepted, true)
  await meter.traffic({ uplink: 1000, downlink: 24 })
  const { sessions } = await cloud.client.orThrow.sessionList()
  assert.equal(sessions.find(({ iccid }) => iccid === METER)?.uplink_bytes, 1000)
  await meter.detach()
  await assert.rejects(meter.traffic({ uplink: 1 }), /has no session/)
  const unknown = await cloud.device('8981040000000009999').attach()
  assert.deepEqual([unknown.accepted, unknown.reason], [false, 'not_registered'])
  const elsewhere = await cloudFor(t, { world: { version: 1, carriers } })
  await Promise.all([
    elsewhere
      .device(METER)
      .attach()
      .then(({ reason }) => assert.equal(reason, 'not_registered')),
    assert.rejects(elsewhere.device(METER).attach({ carrier: 'carrier-a' }), /carrier/),
  ])
})

test('a short message is waited for by its destination and status', async (t) => {
  const cloud = await cloudFor(t)
  const waiting = cloud.sms.waitFor({ destination: DESTINATION })
  await sendCode(cloud, '819000000002')
  await sendCode(cloud)
  const { otp, text, status } = await waiting
  assert.match(text, new RegExp(otp))
  assert.equal(status, 'Accepted')
  await cloud.clock.advance({ seconds: 2 })
  const delivered = await cloud.sms.waitFor({ destination: DESTINATION, status: 'Delivered' })
  assert.equal(delivered.otp, otp)
  assert.equal((await cloud.sms.waitFor(({ doneAt }) => doneAt !== null)).status, 'Delivered')
  assert.equal((await cloud.sms.waitFor({ status: 'Failed' })).destination, '819000000002')
})

test('waiting in vain says what was wanted, what there was and where the clock stands', async (t) => {
  const cloud = await cloudFor(t)
  const soon = { timeoutMs: 20 }
  await assert.rejects(
    cloud.notices.waitFor({}, soon),
    /^Error: No notice came within 20 ms\. There/,
  )
  await assert.rejects(
    cloud.sms.waitFor(() => true, soon),
    /No short message that the given function accepts came .* There was none at all\./,
  )
  for (let n = 1; n <= 7; n += 1) await sendCode(cloud)
  const wanted = { destination: DESTINATION, status: 'Delivered' }
  await assert.rejects(cloud.sms.waitFor(wanted, soon), ({ message }: Error) => {
    assert.match(message, /No short message with \{"destination":"819012345678","status":"Del/)
    assert.match(message, /something else \(the newest 5 of 7\): \{.*"status":"Accepted"/)
    assert.match(message, /The clock stands still at 2026-03-31T15:00:00\.000000Z; the next job, /)
    return true
  })
  const real = await cloudFor(t, { clock: 'real' })
  await assert.rejects(real.webhooks.waitFor({}, soon), /No delivery came .*none at all\.$/)
})

test('a message of a device arrives at the target, signed', async (t) => {
  const cloud = await cloudFor(t)
  const target = await cloud.webhookTarget({ secret: 'S3cret' })
  await addWebhook(cloud, target, 'S3cret')
  const sent = await cloud.device(SENSOR).send(MESSAGE)
  const request = await target.waitFor({ id: sent.id })
  assert.deepEqual([request.message, request.verified, request.status], [sent, true, 204])
  const delivery = await cloud.webhooks.waitFor({ message_id: sent.id })
  assert.deepEqual(
    [delivery.status, delivery.response_code, delivery.message],
    ['delivered', 204, sent],
  )
  assert.equal(target.requests.length, 1)
})

test('a target without a secret or with another one does not call a signature right', async (t) => {
  const cloud = await cloudFor(t)
  const [open, wrong] = [await cloud.webhookTarget(), await cloud.webhookTarget({ secret: 'x' })]
  await addWebhook(cloud, open)
  await addWebhook(cloud, wrong, 'S3cret')
  await cloud.device(SENSOR).send(MESSAGE)
  assert.equal((await open.waitFor()).verified, undefined)
  assert.equal((await wrong.waitFor()).verified, false)
  await fetch(wrong.url, { method: 'POST', body: 'unsigned' })
  assert.deepEqual([wrong.requests[1]?.verified, wrong.requests[1]?.body], [false, 'unsigned'])
  const other = wrong.waitFor({ id: 'another' }, { timeoutMs: 20 })
  await assert.rejects(
    other,
    /No request with \{"id":"another"\} .* else \(2\): .*"body":"unsigned"/,
  )
})

test('a target answers as it is told, and what fails is tried again when the clock moves', async (t) => {
  const cloud = await cloudFor(t)
  const target = await cloud.webhookTarget()
  await addWebhook(cloud, target)
  target.respondWith(503, 500, 200)
  await cloud.device(SENSOR).send(MESSAGE)
  const first = await cloud.webhooks.waitFor({ status: 'waiting' })
  assert.deepEqual([first.attempts, first.response_code], [1, 503])
  await assert.rejects(cloud.webhooks.waitFor({ status: 'delivered' }, { timeoutMs: 20 }), /503/)
  await cloud.clock.advance({ minutes: 1 })
  const last = await cloud.webhooks.waitFor({ status: 'delivered' })
  assert.deepEqual(
    last.log.map(({ response_code }) => response_code),
    [503, 500, 200],
  )
  assert.equal((await target.waitFor()).status, 200)
  assert.throws(() => target.respondWith(99), /a status from 200 to 599, not with 99/)
})

test('a target ends with its cloud', async () => {
  let url = ''
  {
    await using cloud = await startCloud()
    url = (await cloud.webhookTarget()).url
    assert.equal((await fetch(url, { method: 'POST' })).status, 204)
  }
  await assert.rejects(fetch(url, { method: 'POST' }), TypeError)
})

test('a notice of a passed quota is waited for', async (t) => {
  const cloud = await cloudFor(t)
  const { orThrow } = cloud.client
  const [gateway] = (await orThrow.gatewayList()).Appliances
  const params = { appliance_id: gateway?.ID ?? '' }
  const config = { traffic_quota_in_mb: 1, email_config: { enabled: true } }
  await orThrow.gatewayTrafficControlUpdate({ params, body: { traffic_monitoring_config: config } })
  const meter = cloud.device(METER)
  await meter.attach()
  await meter.traffic({ downlink: 1_000_001 })
  const notice = await cloud.notices.waitFor({ gateway_id: gateway?.ID ?? '' })
  assert.deepEqual([notice.channel, notice.status], ['email', 'kept'])
  assert.match(notice.text, /meters .* has passed its traffic quota of 1 MB/)
})

test('a test comes back to a snapshot, more than once', async (t) => {
  const cloud = await cloudFor(t)
  const total = async () => (await cloud.client.orThrow.itemList()).Total
  const [before, base] = [await total(), await cloud.snapshot()]
  for (const _round of [1, 2]) {
    const body = { CommonServiceItem: { Name: 'x', Provider: { Class: 'esme' as const } } }
    await cloud.client.orThrow.itemCreate({ body })
    assert.equal(await total(), before + 1)
    await cloud.restore(base)
    assert.equal(await total(), before)
  }
  await assert.rejects(cloud.restore('nothing'), /There is no snapshot nothing/)
})
