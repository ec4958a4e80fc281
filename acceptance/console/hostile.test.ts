/** What users, devices and operators may name stays text on every page that shows it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLOUD, type ServerProcess } from '../server.ts'
import { allPages } from './all-pages.ts'
import { consoleTests, idsOf } from './console.ts'

const visit = consoleTests()
const HOSTILE = '<img src=x onerror=alert(1)>'
const ITEMS = `${CLOUD}/commonserviceitem`

/** Puts it wherever a name, a title or a text may be given. */
async function spoil(server: ServerProcess, token: string): Promise<Record<string, string>> {
  const ids = await idsOf(server)
  const must = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  }
  const operate = (path: string, body: unknown) => must(server.operator('POST', path, token, body))
  const ask = (method: string, path: string, body: unknown) =>
    must(server.ask(method, path, { body }))
  const Labels = { Name: HOSTILE, Description: HOSTILE, Tags: [HOSTILE] }
  const sensor = encodeURIComponent(JSON.stringify({ Filter: { Name: 'sensor-1' } }))
  const { body } = await server.ask('GET', `${ITEMS}?${sensor}`)
  for (const id of [ids.sim, ids.project, '900000099201', body.CommonServiceItems[0].ID]) {
    await ask('PUT', `${ITEMS}/${id}`, { CommonServiceItem: Labels })
  }
  await ask('PUT', `${CLOUD}/appliance/${ids.gateway}`, { Appliance: Labels })
  await ask('POST', `${CLOUD}/switch`, { Switch: { Name: HOSTILE } })
  const site = '/cloud/zone/is1a/api/webaccel/1.0/site/900000099101'
  await ask('PUT', site, { Site: { Name: HOSTILE, OnetimeURLSecrets: [HOSTILE] } })
  const adapter = { type: 'incoming-webhook', name: HOSTILE }
  await ask('POST', `${ITEMS}/${ids.project}/iotplatform/vmgw/services`, { IoTPlatform: adapter })
  const ESME = { destination: '819012345678', sender: HOSTILE, otpOperation: 'generate' }
  await ask('PUT', `${ITEMS}/900000099201/esme/2fa/otp`, { ESME })
  await operate('/accounts', { code: 'evil', name: HOSTILE })
  const affects = [{ account: 'demo', resource_class: 'appliance', resource_id: ids.gateway }]
  await operate('/maintenances', {
    ...{ maintenance_id: 'm-evil', zone: 'is1a', title: HOSTILE, service: HOSTILE, affects },
    ...{ start_at: '2026-04-20 22:00:00', end_at: '2099-04-21 05:00:00', info_url: HOSTILE },
  })
  // A device that is refused, so that its SIM needs attention.
  await ask('PUT', `${ITEMS}/${ids.sim}/sim/deactivate`, undefined)
  const device = { imei: '350000000000001', carrier: 'carrier-a' }
  await server.operator('POST', '/devices/8981040000000001001/attach', token, device)
  return ids
}

/** The pages on which it has to be seen; on the others it only must do no harm. */
const SEEN = [
  ...['overview', 'sims', 'sim', 'sim-network', 'gateways', 'gateway', 'iot', 'project-sims'],
  ...['project-adapters', 'project-messages', 'sms', 'sms-service', 'maintenance', 'webaccel'],
  ...['site-usage', 'site-settings', 'operator-accounts'],
]

visit('names of SIMs, gateways, projects, sites, accounts: on every page', async (v) => {
  const { page, server, operatorToken, open } = v
  const ids = await spoil(server, operatorToken)
  const ran: string[] = []
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  const seen: string[] = []
  // Away from the overview, which is open and looked around before.
  await open('/sims')
  for (const { name, path } of allPages) {
    await open(path.replaceAll(/\{(\w+)\}/g, (_, key) => ids[key] ?? ''))
    await page.getByText('Loading…').first().waitFor({ state: 'detached' })
    const main = page.getByRole('main')
    // It may come with a later answer than the heading.
    if (SEEN.includes(name)) {
      const shown = main.getByText(HOSTILE).first()
      await shown.waitFor({ state: 'attached', timeout: 5000 }).catch(() => undefined)
    }
    if ((await main.getByText(HOSTILE).count()) > 0) seen.push(name)
    assert.equal(await page.locator('img, script:not([src])').count(), 0, name)
  }
  assert.deepEqual(
    SEEN.filter((name) => !seen.includes(name)),
    [],
  )
  assert.deepEqual(ran, [])
})

visit('the name of the account that is signed in, and in the choice of one', async (v) => {
  const { page, open } = v
  await open('/sign-in')
  const choice = page.getByLabel('Account', { exact: true })
  await choice.selectOption({ label: `${HOSTILE} (evil)` })
  await page.getByRole('button', { name: 'Open the account' }).click()
  await page.getByRole('banner').getByText(HOSTILE).waitFor()
  await open('/operator/accounts?account=evil')
  await page.getByRole('region', { name: `Keys of ${HOSTILE}` }).waitFor()
  assert.equal(await page.locator('img').count(), 0)
})

visit('the name of a file, a message of a device, and what was asked', async (v) => {
  const { page, server, operatorToken, open } = v
  const { project } = await idsOf(server).then(async (ids) => {
    const search = encodeURIComponent(
      JSON.stringify({ Filter: { 'Provider.Class': 'iotplatform' } }),
    )
    const { body } = await server.ask('GET', `${ITEMS}?${search}`)
    return { ...ids, project: String(body.CommonServiceItems[0].ID) }
  })
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-hostile-'))
  const file = join(folder, HOSTILE)
  writeFileSync(file, HOSTILE)
  await open(`/iot/${project}?tab=files`)
  await page.getByLabel('Content').setInputFiles(file)
  const upload = page.getByRole('region', { name: 'Upload' })
  await upload.getByText(HOSTILE).waitFor()
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('row', { name: /img_src_x_onerror/ }).waitFor()
  rmSync(folder, { recursive: true })

  await page.getByRole('tab', { name: 'Messages' }).click()
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByRole('status').getByText('Listening').waitFor()
  const payload = [{ tag: '01', type: 'string', value: HOSTILE }]
  await server.operator('POST', '/devices/8981040000000001003/messages', operatorToken, { payload })
  await page.getByRole('log').getByText(HOSTILE).waitFor()
  assert.equal(await page.locator('img').count(), 0)

  await server.ask('PUT', `${ITEMS}/${project}`, {
    body: { CommonServiceItem: { Description: `${HOSTILE} again` } },
  })
  await open('/operator/requests?changes=1')
  await page.getByRole('button', { name: 'PUT itemUpdate' }).first().click()
  await page.getByRole('dialog').getByText(`${HOSTILE} again`).first().waitFor()
  assert.equal(await page.locator('img').count(), 0)
})
