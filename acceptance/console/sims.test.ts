/** Journeys of someone who looks after SIMs. */
import assert from 'node:assert/strict'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, idsOf } from './console.ts'

const visit = consoleTests()

visit('registers a SIM, activates it and puts it into a gateway', async ({ page, open }) => {
  await open('/sims')
  await page.getByRole('button', { name: 'Register a SIM' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('ICCID').fill('8981040000000001020')
  await dialog.getByLabel('Pass code').fill('wrong')
  await dialog.getByLabel('Name').fill('pump')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await dialog.getByRole('alert').getByText('400').waitFor()
  await dialog.getByLabel('Pass code').fill('demo20')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'pump', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const activate = page.getByRole('button', { name: 'Activate', exact: true })
  assert.equal(await activate.getAttribute('aria-disabled'), 'true')
  await activate.focus()
  await page.getByRole('tooltip', { name: 'It is active already.' }).waitFor()

  await page.getByRole('tab', { name: 'Network' }).click()
  const set = page.getByRole('button', { name: 'Set', exact: true })
  assert.equal(await set.getAttribute('aria-disabled'), 'true', 'in no gateway: no address')
  await page.getByRole('button', { name: 'Put in' }).click()
  await page.getByLabel('Private IPv4 address').fill('192.168.2.10')
  await page.locator('button:not([aria-disabled])', { hasText: /^Set$/ }).click()
  await page.getByRole('region', { name: 'Fixed address' }).getByText('192.168.2.10').waitFor()
})

visit('registers many by CSV and sees what came of each line', async ({ page, open }) => {
  await open('/sims/register')
  const lines = ['iccid,code,name', '8981040000000001030,demo30,"one, two"', '123,x,broken']
  await page.getByRole('textbox', { name: 'Lines of' }).fill(lines.join('\n'))
  await page.getByRole('button', { name: 'Register 2 lines' }).click()
  await page.getByText('2 of 2, 1 refused').waitFor()
  const table = page.getByRole('table')
  await table.getByRole('row', { name: /one, two.*Registered/ }).waitFor()
  await table.getByRole('row', { name: /broken.*This is not the ICCID of a SIM card/ }).waitFor()
})

visit('searches, sorts, and finds the same again after a reload', async ({ page, open }) => {
  await open('/sims')
  await page.getByLabel('Search', { exact: true }).fill('meter-3')
  await page.getByText('1 SIM', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Name' }).click()
  await page.reload()
  assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), 'meter-3')
  const heading = page.getByRole('columnheader', { name: 'Name' })
  assert.equal(await heading.getAttribute('aria-sort'), 'ascending')
  await page.getByRole('link', { name: 'meter-3' }).waitFor()
})

visit('filters by state, session and gateway, and a link leads to the same', async (v) => {
  const { page, server, open } = v
  const { gateway = '' } = await idsOf(server)
  await open('/sims')
  const table = page.getByRole('region', { name: 'SIMs' })
  const link = (name: string) => table.getByRole('link', { name, exact: true })
  await page.getByLabel('Session').selectOption('Connected')
  await link('meter-2').waitFor()
  assert.equal(await link('meter-1').count(), 0, 'meter-1 is not connected')
  await page.getByLabel('Session').selectOption('Not connected')
  await link('meter-1').waitFor()
  assert.equal(await link('meter-2').count(), 0)

  await page.getByLabel('Session').selectOption('All')
  await page.getByLabel('State').selectOption('Not active')
  await table.getByText('Not active').first().waitFor()
  assert.equal(await table.getByText('Active', { exact: true }).count(), 0)
  await page.getByLabel('State').selectOption('Active')
  await page.getByLabel('Gateway').selectOption('meters')
  await link('meter-3').waitFor()
  assert.ok(page.url().includes(`gateway=${gateway}`), page.url())
  await page.reload()
  await link('meter-3').waitFor()
  assert.equal(await link('meter-1').count(), 0, 'meter-1 is in no gateway')
  assert.equal(await page.getByLabel('State').inputValue(), 'yes')
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Show all' }).click()
  await link('meter-1').waitFor()
})

visit(
  'sees why a device is refused, and what helps',
  async ({ page, server, operatorToken, open }) => {
    const body = { imei: '350000000000009', carrier: 'carrier-a' }
    await server.operator('POST', '/devices/8981040000000001000/attach', operatorToken, body)
    await open('/')
    await page.getByRole('link', { name: 'The device of SIM meter-1 was refused' }).click()
    await page
      .getByRole('row', { name: /The SIM is in no gateway\..*Put it into a gateway/ })
      .first()
      .waitFor()
  },
)

visit('locks a SIM to its device, and chooses carriers', async ({ page, server, open }) => {
  const { sim } = await idsOf(server)
  await open(`/sims/${sim}?tab=network`)
  await page.getByLabel('IMEI', { exact: true }).fill('350000000000001')
  await page.getByRole('button', { name: 'Lock to this device' }).click()
  await page.getByRole('region', { name: 'IMEI lock' }).getByText('350000000000001').waitFor()
  await page.getByLabel('carrier-b').uncheck()
  const carriers = page.getByRole('region', { name: 'Carriers' })
  await carriers.getByRole('button', { name: 'Save' }).click()
  await carriers.locator('button[aria-disabled]', { hasText: 'Save' }).waitFor()
  const stored = await server.ask(
    'GET',
    `${CLOUD}/commonserviceitem/${sim}/sim/network_operator_config`,
  )
  assert.deepEqual(
    stored.body.network_operator_config.map(({ allow }: { allow: boolean }) => allow),
    [true, false, true],
  )
})

visit('a hostile name stays text, wherever it is shown', async ({ page, server, open }) => {
  const name = '<img src=x onerror="document.title=`hacked`"><script>alert(1)</script>'
  const { sim } = await idsOf(server)
  await server.ask('PUT', `${CLOUD}/commonserviceitem/${sim}`, {
    body: { CommonServiceItem: { Name: name, Tags: [name.slice(0, 30)] } },
  })
  await open('/sims')
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText(name).first().waitFor()
  assert.equal(await page.locator('img').count(), 0)
  assert.ok(!(await page.title()).includes('hacked-'), 'nothing ran')
  assert.ok((await page.title()).startsWith('<img'))
})
