/** What a page shows before it has anything to show. */
import assert from 'node:assert/strict'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()

visit('a zone without gateways names the next step, which opens the form', async (v) => {
  const { page, open } = v
  await page.getByLabel('Zone').selectOption('is1b')
  await open('/gateways')
  const list = page.getByRole('region', { name: 'Gateways' })
  await list.getByText('There is no gateway in this zone.').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await list.getByRole('button', { name: 'Create a gateway' }).click()
  await page.getByRole('dialog', { name: 'Create a gateway' }).waitFor()
})

visit('a search that finds no SIM offers all of them again', async ({ page, open }) => {
  await open('/sims?q=nobody')
  const list = page.getByRole('region', { name: 'SIMs' })
  await list.getByText('No SIM matches this search.').waitFor()
  await list.getByRole('button', { name: 'Show all' }).click()
  // Which of them are in view depends on when they were registered.
  await page.getByText('60 SIMs').waitFor()
  assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), '')
})

visit('until the server has answered, the shape of the answer is there', async (v) => {
  const { page, open } = v
  const held = Promise.withResolvers<void>()
  await page.route('**/appliance*', async (route) => {
    await held.promise
    await route.continue()
  })
  await open('/gateways')
  const waiting = page.getByRole('main').getByRole('status')
  await waiting.getByText('Loading…').waitFor({ state: 'attached' })
  assert.ok((await waiting.locator('i').count()) > 1, 'bars where the lines are going to be')
  assert.deepEqual(await accessibilityFaults(page), [])
  held.resolve()
  await page.getByRole('link', { name: 'meters' }).waitFor()
  assert.equal(await waiting.count(), 0)
})
