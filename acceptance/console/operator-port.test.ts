/** With --operator-port each listener has the pages of what it answers, and says where the others are. */
import assert from 'node:assert/strict'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, openPath } from './console.ts'

const visit = consoleTests({ args: ['--operator-port', '0'] })

visit(
  'the main listener has the pages of a key alone, and says where the others are',
  async (v) => {
    const { page, open, server } = v
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'SIMs' }).waitFor()
    assert.equal(await menu.getByText('Operator').count(), 0)
    assert.equal(await page.getByText('Not ready').count(), 0, 'it cannot know')
    await open('/sims')
    await page.getByRole('link', { name: 'meter-1' }).waitFor()
    await page.goto(`${server.origin}/#/operator/requests`)
    await page.getByText('The operator API has a listener of its own (--operator-port).').waitFor()
    await open('/billing/bills/10000003')
    await page
      .getByText(/The operator API has a listener of its own/)
      .waitFor({ state: 'attached' })
    await open('/sign-in')
    await page.getByText('The operator API has a listener of its own (--operator-port).').waitFor()
    assert.equal(await page.getByLabel('Operator token').count(), 0)
    assert.deepEqual(await accessibilityFaults(page), [])
  },
)

visit('the operator’s listener has the operator’s pages, which work', async (v) => {
  const { page, server, operatorToken } = v
  const origin = /Operator +(https:\/\/[^/\s]+)/.exec(server.banner)?.[1] ?? ''
  await page.goto(`${origin}/#operator=${operatorToken}`)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.ok(!page.url().includes(operatorToken))
  await page.getByText('Ready', { exact: true }).waitFor()
  await openPath(page, origin, '/operator/requests')
  await page.getByText('Live', { exact: true }).waitFor()
  await server.ask('GET', `${CLOUD}/commonserviceitem/900000000000`)
  await page.getByRole('button', { name: 'GET itemRead' }).first().waitFor()
  await openPath(page, origin, '/operator/clock')
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('Frozen', { exact: true }).waitFor()
  await page.goto(`${origin}/#/sims`)
  await page.getByText('This listener is the operator’s alone.').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})
