/** A device behind a packet gateway: its element, its session and why it was refused, as the operator sees them. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { noFreeradius } from '../freeradius.ts'
import { openNas } from '../scripted-nas.ts'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, idsOf, type Visit, widthOver } from './console.ts'

const NETWORK_TOKEN = 'network-token-of-the-console'
const SECRET = 'shared-secret'
const nas = await openNas(() => 'ack', { secret: SECRET })
after(() => nas.close())

const visit = consoleTests({ args: ['--network-token', NETWORK_TOKEN] })

/** As FreeRADIUS does. */
function send({ server }: Visit, path: string, attributes: Readonly<Record<string, string>>) {
  const packet = { 'NAS-Identifier': 'pgw-1', '3GPP-SGSN-MCC-MNC': '44010', ...attributes }
  const body = Object.entries(packet).map(([name, value]) => [
    ...[name, { type: 'string', value: [value] }],
  ])
  return server.operator('POST', `/radius/${path}`, NETWORK_TOKEN, Object.fromEntries(body))
}

async function attach(v: Visit) {
  const { server, operatorToken } = v
  const { sim = '' } = await idsOf(server)
  const body = { secret: SECRET, carriers: { 44010: 'carrier-a' }, coa_port: nas.port }
  const element = { address: '127.0.0.1', ...body }
  await server.operator('PUT', '/network-elements/pgw-1', operatorToken, element)
  const path = `${CLOUD}/commonserviceitem/${sim}/sim`
  const [imsi = ''] = (await server.ask('GET', `${path}/status`)).body.sim.imsi
  const device = { '3GPP-IMSI': imsi, '3GPP-IMEISV': '3500000000000017' }
  const authorize = () => send(v, 'authorize', device)
  assert.equal((await authorize()).status, 200)
  const start = { ...device, 'Acct-Status-Type': 'Start', 'Acct-Session-Id': 'first-session' }
  assert.equal((await send(v, 'accounting', start)).status, 204)
  return { sim, authorize, deactivate: () => server.ask('PUT', `${path}/deactivate`) }
}

if (noFreeradius) console.log(`The console does not show requests: ${noFreeradius}.`)
else {
  visit('shows an element, the session that it holds and what it was asked', async (v) => {
    const { page, open } = v
    await open('/operator/network')
    await page.getByText('There is no network element.').waitFor()
    const { sim, authorize, deactivate } = await attach(v)
    const row = page.getByRole('row', { name: /^pgw-1 127\.0\.0\.1 CoA \d+ carrier-a .* 1 1 0 1$/ })
    await row.waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])

    await open(`/sims/${sim}`)
    const card = page.getByRole('region', { name: 'Network element' })
    await card.getByText('first-session').first().waitFor()
    await deactivate()
    await nas.received(1)
    const asked = card.getByRole('row', { name: /pgw-1 first-session End the session/ })
    await asked.getByText('Done', { exact: true }).waitFor()
    await asked.getByText('The SIM was deactivated.').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])

    assert.equal((await authorize()).status, 401)
    await open(`/sims/${sim}?tab=refused`)
    const refused = page.getByRole('row', { name: /The SIM is not active\..* pgw-1$/ })
    await refused.first().waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await open('/operator/network?element=pgw-1')
    await page.getByRole('region', { name: 'Requests to pgw-1' }).getByText('Done').waitFor()
    assert.equal(await widthOver(page), 0)
    assert.deepEqual(await accessibilityFaults(page), [])
  })
}
