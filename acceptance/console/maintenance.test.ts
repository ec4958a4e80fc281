/** The operator announces a maintenance, and who is touched by it sees that on the overview. */
import assert from 'node:assert/strict'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()

visit('a maintenance is announced and touches the account', async ({ page, open }) => {
  await open('/maintenance')
  await page.getByRole('button', { name: 'Announce a maintenance' }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Announce' })
  await dialog.getByText('Say what is going to be done.').waitFor({ state: 'attached' })
  await dialog.getByLabel('What').fill('New routers')
  const day = (await dialog.getByLabel('From').inputValue()).slice(0, 10)
  await dialog.getByLabel('Until').fill(`${day}T00:30`)
  await dialog.getByText('The end must be after the start.').waitFor({ state: 'attached' })
  await dialog.getByLabel('Until').fill(`${day}T04:30`)
  await dialog.getByLabel('Touches this gateway').selectOption({ label: 'meters' })
  assert.deepEqual(await accessibilityFaults(page), [])
  await submit.click()
  await page.getByText('“New routers” is announced.').waitFor()
  await page.waitForURL(`**/#/maintenance?month=${day.slice(0, 7)}`)
  const list = page.getByRole('region', { name: /^Maintenances of / })
  await list
    .getByRole('row', { name: /New routers/ })
    .getByText(/04:30:00/)
    .waitFor()
  await open('/')
  const card = page.getByRole('region', { name: 'Needs attention' })
  await card.getByRole('link', { name: 'Maintenance “New routers” touches you' }).waitFor()
})
