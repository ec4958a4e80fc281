/** Journeys through bills, prices and maintenances. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { accessibilityFaults, consoleTests, idsOf } from './console.ts'

const visit = consoleTests()

visit('a bill is found in the chart and the list, read, saved as CSV and paid', async (v) => {
  const { page, open } = v
  await open('/billing')
  await page.getByRole('img', { name: 'Amount by month' }).waitFor()
  await page
    .getByRole('row', { name: /10000003/ })
    .getByText('Unpaid')
    .waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await page
    .getByRole('row', { name: /10000003/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('heading', { name: 'Bill 10000003', level: 1 }).waitFor()
  const line = page.getByRole('row', { name: /Short message/ })
  const service = line.getByRole('link', { name: 'login codes' })
  assert.equal(await service.getAttribute('href'), '#/sms/900000099201')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const download = await coming
  assert.match(download.suggestedFilename(), /\.csv$/)
  assert.match(await readFile(await download.path(), 'utf8'), /"10000003"/)
  await page.getByRole('button', { name: 'Mark as paid' }).click()
  await page.getByText('Paid', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Mark as unpaid' }).click()
  await page.getByText('Unpaid', { exact: true }).waitFor()
})

visit('prices are searched, and a reload finds the search again', async ({ page, open }) => {
  await open('/billing/prices')
  await page.getByRole('row', { name: /SIM base fee/ }).waitFor()
  await page.getByLabel('Search').fill('gateway')
  assert.equal(await page.getByRole('row', { name: /SIM base fee/ }).count(), 0)
  await page.reload()
  await page
    .getByRole('row', { name: /gateway/i })
    .first()
    .waitFor()
  assert.equal(await page.getByLabel('Search').inputValue(), 'gateway')
  assert.deepEqual(await accessibilityFaults(page), [])
})

visit('a key without the permission is told so plainly', async ({ page, server, open }) => {
  const { sim, gateway } = await idsOf(server)
  await open('/sign-in')
  await page.getByLabel('Access token', { exact: true }).fill('demo-view')
  await page.getByLabel('Access token secret').fill('demo-view-secret')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await open('/billing')
  await page.getByText('This API key lacks the permission “bill”').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await open('/iot')
  await page
    .getByText('The API key has the level view; this needs create.')
    .waitFor({ state: 'attached' })
  for (const [path, button, needed] of [
    ['/sims', 'Register a SIM', 'create'],
    [`/sims/${sim}`, 'Deactivate', 'arrange'],
    [`/sims/${sim}?tab=network`, 'Lock to this device', 'arrange'],
    ['/gateways', 'Create a gateway', 'create'],
    [`/gateways/${gateway}`, 'Power off', 'power'],
    [`/gateways/${gateway}?tab=settings`, 'Store', 'arrange'],
  ] as const) {
    await open(path)
    const named = page.getByRole('button', { name: button, exact: true })
    await page
      .getByText(`The API key has the level view; this needs ${needed}.`)
      .first()
      .waitFor({ state: 'attached' })
    assert.equal(await named.getAttribute('aria-disabled'), 'true', button)
  }
})

visit('maintenances stand in the calendar on their days', async (v) => {
  const { page, open, server, operatorToken } = v
  const title = '<img src=x onerror=alert(1)>'
  await server.operator('POST', '/maintenances', operatorToken, {
    ...{ maintenance_id: 'm-9', zone: 'tk1a', title, info_url: 'javascript:alert(1)' },
    ...{ start_at: '2026-04-14 22:00:00', end_at: '2026-04-15 02:00:00' },
  })
  await server.operator('POST', '/maintenances', operatorToken, {
    ...{ maintenance_id: 'm-8', zone: 'is1b', title: 'Host maintenance' },
    ...{ start_at: '2026-04-10 01:00:00', end_at: '2026-04-10 05:00:00' },
    affects: [{ account: 'demo', resource_class: 'appliance', resource_id: '900000099301' }],
  })
  await open('/maintenance?month=2026-04')
  const calendar = page.getByRole('table', { name: 'Calendar of April 2026' })
  const on = (day: string) => calendar.getByRole('cell', { name: new RegExp(`^${day}\\b`) })
  await on('10').first().getByText('Host maintenance').waitFor()
  await on('14').first().getByText(title).waitFor()
  await on('15').first().getByText(title).waitFor()
  assert.equal(await page.getByRole('link', { name: `Information: ${title}` }).count(), 0)
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.getByLabel('Show').selectOption('related')
  await page.getByRole('row', { name: /m-9/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /m-8/ }).getByText('900000099301').waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByText('Nothing is announced for this month.').waitFor()
})
