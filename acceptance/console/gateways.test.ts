/** Journeys of someone who looks after gateways. */
import assert from 'node:assert/strict'
import { consoleTests, idsOf } from './console.ts'

const visit = consoleTests({ args: ['--provisioning-seconds', '2'] })

visit(
  'creates a gateway and waits for it, sees it apply, and deletes it',
  async ({ page, open }) => {
    await open('/gateways')
    await page.getByRole('button', { name: 'Create a gateway' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('gate')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('progressbar', { name: 'being made' }).waitFor()
    await page.getByRole('heading', { name: 'gate', exact: true, level: 1 }).waitFor()
    await page.getByText('Available', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('1 setting is stored and not applied.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('All that is stored is applied.').waitFor()
    await page.getByLabel('Private addresses').fill('192.168.5.1')
    await page.getByRole('button', { name: 'Store' }).click()
    await page.getByRole('row', { name: /Private addresses 192\.168\.5\.1\/24/ }).waitFor()

    await page.getByRole('button', { name: 'Power off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Power off' }).click()
    await page.locator('button[aria-disabled]', { hasText: 'Power off' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Gateways', level: 1 }).waitFor()
  },
)

visit('sets resolvers, a route and a quota', async ({ page, server, open }) => {
  const { gateway } = await idsOf(server)
  await open(`/gateways/${gateway}?tab=dns`)
  await page.getByLabel('First resolver').fill('192.0.2.53')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The resolvers are saved.').waitFor()

  await page.getByRole('tab', { name: 'Routes' }).click()
  await page.getByLabel('Name of the SIM').fill('meter-2')
  await page.getByLabel('SIM', { exact: true }).getByText('meter-2').waitFor({ state: 'attached' })
  await page.getByLabel('Prefix').fill('198.51.100.0/24')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('row', { name: /^198\.51\.100\.0\/24 meter-2/ }).waitFor()

  await page.getByRole('tab', { name: 'SIMs' }).click()
  const choice = page.getByLabel('SIM', { exact: true })
  await choice.getByText('meter-1').waitFor({ state: 'attached' })
  assert.equal(await choice.getByText('meter-2').count(), 0, 'it is in the gateway')
  await choice.selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Put a SIM in' }).click()
  await page.getByRole('row', { name: /^meter-1 8981040000000001000/ }).waitFor()
  await choice.getByText('meter-1').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Take out: meter-1' }).click()
  await page.getByRole('link', { name: 'meter-1' }).waitFor({ state: 'detached' })

  await page.getByRole('tab', { name: 'Traffic' }).click()
  await page.getByText('No quota is set').waitFor()
  await page.getByRole('spinbutton', { name: 'Quota (MB a month)' }).fill('100')
  await page.getByLabel('Tell by chat').check()
  await page.getByLabel('Address of the chat').fill('https://chat.example.jp/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('progressbar', { name: 'Traffic of this month' }).waitFor()
  await page.reload()
  const chat = page.getByLabel('Address of the chat')
  await chat.waitFor()
  assert.equal(await chat.inputValue(), 'https://chat.example.jp/hook')

  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page
    .getByRole('row', { name: /Connected/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'meter-2' }).first().click()
  await page.getByRole('heading', { name: 'meter-2', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'meters' }).click()
  await page.getByRole('heading', { name: 'meters', level: 1 }).waitFor()
})
