/** What a page does where there is no room for it. */
import assert from 'node:assert/strict'
import { accessibilityFaults, consoleTests, widthOver } from './console.ts'

const visit = consoleTests()
const TELEPHONE = { width: 390, height: 844 }

visit('rows are cards that say what they hold, and prices are seen', async ({ page, open }) => {
  await page.setViewportSize(TELEPHONE)
  await open('/billing/prices')
  const row = page.getByRole('row', { name: /^SIM base fee/ })
  const price = row.getByText('¥165')
  const box = await price.boundingBox()
  assert.ok(box && box.x >= 0 && box.x + box.width <= TELEPHONE.width, 'the price is in view')
  const title = await price.evaluate((node) => getComputedStyle(node, '::before').content)
  assert.equal(title, '"Monthly"')
  assert.equal(await row.getByText('–').first().isVisible(), false, 'no line for what is not there')
  assert.equal(await widthOver(page), 0)
  assert.deepEqual(await accessibilityFaults(page), [])
})

visit('the list of SIMs keeps the columns that matter, and its filters fold away', async (v) => {
  const { page, open } = v
  await page.setViewportSize(TELEPHONE)
  await open('/sims')
  const row = page.getByRole('row', { name: /meter-2/ })
  await row.getByText('Connected', { exact: true }).waitFor()
  assert.equal(await row.getByText('8981040000000001001').isVisible(), false)
  assert.equal(await page.getByLabel('State').isVisible(), false)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('State').selectOption('yes')
  await page.getByRole('button', { name: 'Filters (1 set)' }).click()
  assert.equal(await page.getByLabel('State').isVisible(), false)
  await page.getByLabel('Search', { exact: true }).waitFor()
  assert.equal(await widthOver(page), 0)
})

visit('the calendar is a list of the days on which something happens', async (v) => {
  const { page, open } = v
  await page.setViewportSize(TELEPHONE)
  const month = '2031-05'
  const entry = {
    ...{ maintenance_id: 'm-31', zone: 'is1a', title: 'Work on a switch' },
    ...{ info_url: 'https://example.jp/m-31' },
    ...{ start_at: `${month}-10 10:00:00`, end_at: `${month}-11 05:00:00` },
  }
  const { status, body } = await v.server.operator('POST', '/maintenances', v.operatorToken, entry)
  assert.ok(status < 300, JSON.stringify(body))
  await open(`/maintenance?month=${month}`)
  const days = page.getByRole('list', { name: 'Calendar of May 2031' })
  await days.getByText('10:00').waitFor()
  assert.equal(await days.getByText('Work on a switch').count(), 2, 'one for each day')
  assert.equal(await page.getByRole('columnheader', { name: 'Sun' }).count(), 0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('columnheader', { name: 'Sun' }).waitFor()
})
