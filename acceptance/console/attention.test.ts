/** What needs attention is on the overview: each of its kinds is made to happen here. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLOUD } from '../server.ts'
import { makePair } from './certificates.ts'
import { accessibilityFaults, consoleTests, idsOf, type Visit } from './console.ts'

const visit = consoleTests({ args: ['--private-targets', 'allow'] })
const SITE = '/cloud/zone/is1a/api/webaccel/1.0/site/900000099101'

/** Opens the overview anew, so that nothing of before is taken for now. */
async function lookAt({ page, open }: Visit) {
  await open('/operator/clock')
  await open('/')
  const card = page.getByRole('region', { name: 'Needs attention' })
  await card.getByText('Loading…').waitFor({ state: 'detached' })
  return card
}

visit('a device that is refused, until it is let in', async (v) => {
  const { page, server, operatorToken } = v
  const attach = () =>
    server.operator('POST', '/devices/8981040000000001001/attach', operatorToken, {
      ...{ imei: '350000000000001', carrier: 'carrier-a' },
    })
  const { sim } = await idsOf(server)
  const act = (verb: string) => server.ask('PUT', `${CLOUD}/commonserviceitem/${sim}/sim/${verb}`)
  await act('deactivate')
  assert.equal((await attach()).body.reason, 'not_activated')
  const name = 'The device of SIM meter-2 was refused. The SIM is not active. Activate the SIM.'
  await (await lookAt(v)).getByRole('link', { name }).click()
  await page.getByRole('tab', { name: 'Refused', selected: true }).waitFor()
  await act('activate')
  assert.equal((await attach()).body.accepted, true)
  assert.equal(await (await lookAt(v)).getByRole('link', { name }).count(), 0)
})

visit('dead letters: webhooks that were given up and messages that failed', async (v) => {
  const { page, server, operatorToken } = v
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(410).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  try {
    const { project } = await idsOf(server)
    const item = `${CLOUD}/commonserviceitem`
    const { port } = receiver.address() as AddressInfo
    const settings = { 'outgoing-webhook': { url: `http://127.0.0.1:${port}/` } }
    await server.ask('POST', `${item}/${project}/iotplatform/vmgw/services`, {
      body: { IoTPlatform: { type: 'outgoing-webhook', name: 'shop', settings } },
    })
    const outbox = async (path: string, list: string, status: string): Promise<number> => {
      const search = encodeURIComponent(JSON.stringify({ Count: 1000, Filter: { status } }))
      const { body } = await server.operator('GET', `${path}?${search}`, operatorToken)
      return body[list].length
    }
    const deadWebhooks = () => outbox('/outbox/webhooks', 'webhooks', 'dead')
    // The demo world has some of its own.
    const dead = await deadWebhooks()
    const failed = await outbox('/outbox/sms', 'messages', 'Failed')
    const payload = [{ tag: '01', type: 'bool', value: true }]
    const device = '/devices/8981040000000001003/messages'
    await server.operator('POST', device, operatorToken, { payload })
    const ESME = { destination: '819000000001', sender: 'Acme', otpOperation: 'generate' }
    await server.ask('PUT', `${item}/900000099201/esme/2fa/otp`, { body: { ESME } })
    // One for the receiver here, one for the webhook of the demo world, which is disabled.
    while ((await deadWebhooks()) < dead + 2) await page.waitForTimeout(100)
    const card = await lookAt(v)
    await card.getByRole('link', { name: `${failed + 1} short messages have failed.` }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    const name = `${dead + 2} webhooks of project sensors were given up.`
    await card.getByRole('link', { name }).click()
    await page.getByRole('row', { name: /shop/ }).getByText('Given up').waitFor()
  } finally {
    receiver.close()
  }
})

visit('a maintenance that touches me, until it is over', async (v) => {
  const { page, server, operatorToken } = v
  const { gateway } = await idsOf(server)
  const affects = [{ account: 'demo', resource_class: 'appliance', resource_id: gateway }]
  const at = (hours: number) =>
    new Date(Date.now() + (9 + hours) * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const entry = { maintenance_id: 'm-7', zone: 'is1a', start_at: at(1), end_at: at(3) }
  for (const more of [
    { title: 'Replacement of a router', affects },
    { title: 'Elsewhere', maintenance_id: 'm-8' },
  ]) {
    const made = { ...entry, ...more }
    assert.equal((await server.operator('POST', '/maintenances', operatorToken, made)).status, 201)
  }
  const card = await lookAt(v)
  await card.getByRole('link', { name: 'Maintenance “Replacement of a router” touches' }).waitFor()
  assert.equal(await card.getByText('Elsewhere').count(), 0)
  await page.getByRole('link', { name: 'Replacement of a router' }).click()
  await page.getByRole('row', { name: /m-7/ }).waitFor()
})

visit('a quota that is passed, with the notice that reached nobody', async (v) => {
  const { page, server, operatorToken } = v
  const { gateway } = await idsOf(server)
  await server.operator('PUT', '/clock', operatorToken, { mode: 'frozen' })
  const chat_config = { enabled: true, chat_url: 'https://127.0.0.1:9/' }
  const traffic_monitoring_config = {
    traffic_quota_in_mb: 1,
    auto_traffic_shaping: true,
    chat_config,
  }
  const set = await server.ask(
    'PUT',
    `${CLOUD}/appliance/${gateway}/mobilegateway/traffic_monitoring`,
    { body: { traffic_monitoring_config } },
  )
  assert.equal(set.status, 200)
  await server.operator('POST', '/devices/8981040000000001001/traffic', operatorToken, {
    ...{ uplink_bytes: 2_000_000, downlink_bytes: 0 },
  })
  for (let round = 0; round < 8; round += 1) {
    await server.operator('POST', '/clock/advance', operatorToken, { by: '10m' })
  }
  const card = await lookAt(v)
  await card.getByRole('link', { name: 'A notice for gateway' }).waitFor()
  await card.getByRole('link', { name: 'Gateway meters has passed its quota' }).click()
  await page.getByRole('progressbar', { name: 'Traffic of this month' }).waitFor()
})

visit('a certificate that is about to end, by the clock of the server', async (v) => {
  const { page, server, operatorToken } = v
  const put = async (method: string, days: number) => {
    const { certificate, key } = makePair('/CN=www.example.jp', '', undefined, days)
    const Certificate = { CertificateChain: certificate, Key: key }
    const answer = await server.ask(method, `${SITE}/certificate`, { body: { Certificate } })
    assert.equal(answer.status, 200)
  }
  await put('POST', 32)
  const name = String((await server.ask('GET', SITE)).body.Site.Name)
  const about = `The certificate of site ${name} ends at`
  assert.equal(await (await lookAt(v)).getByText(about).count(), 0, 'it is good for 32 days')
  // Frozen by the test before; a browser's own clock knows nothing of it.
  await server.operator('POST', '/clock/advance', operatorToken, { by: '48h' })
  await (await lookAt(v)).getByRole('link', { name: about }).click()
  const current = page.getByRole('region', { name: 'Current certificate' })
  await current.getByText('CN=www.example.jp').first().waitFor()
  assert.equal(await current.getByText('Expired').count(), 0)
  await put('PUT', 1)
  await page.reload()
  await current.getByText('Expired').waitFor()
  await (await lookAt(v)).getByText(`The certificate of site ${name} has ended`).waitFor()
})
