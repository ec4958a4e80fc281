/** The audit trail of an account and of all accounts: filters, pages, what was refused. */
import assert from 'node:assert/strict'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests } from './console.ts'

const journey = consoleTests()

journey('shows an account what was changed, by whom and with which result', async (v) => {
  const { page, open, server, operatorToken } = v
  const project = { CommonServiceItem: { Name: 'audited', Provider: { Class: 'iotplatform' } } }
  for (let n = 0; n < 101; n += 1) {
    await server.ask('POST', `${CLOUD}/commonserviceitem`, { body: project })
  }
  await server.ask('DELETE', `${CLOUD}/commonserviceitem/900000000999`)
  await server.operator('PUT', '/accounts/demo', operatorToken, { name: 'Demo' })
  await open('/audit')
  const rows = page.getByRole('table').getByRole('row')
  const refused = rows.filter({ hasText: 'itemDelete' })
  await refused.getByText('404', { exact: true }).waitFor()
  await refused.getByText('not_found').waitFor()
  await rows.filter({ hasText: 'accountUpdate' }).getByText('Operator').waitFor()
  await rows.filter({ hasText: 'itemCreate' }).first().getByText('Key demo-…').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Older entries' }).click()
  await page.getByRole('button', { name: 'Newest entries' }).click()
  await page.getByLabel('Operation').fill('itemDelete')
  await rows.filter({ hasText: 'itemCreate' }).first().waitFor({ state: 'detached' })
  await refused.waitFor()
  assert.equal(await rows.count(), 2)
})

journey('shows the operator all accounts, and one of them', async (v) => {
  const { page, open, server, operatorToken } = v
  await server.operator('PUT', '/accounts/demo', operatorToken, { name: 'Demo' })
  await server.operator('POST', '/accounts', operatorToken, { code: 'second', name: 'Second' })
  await open('/operator/audit')
  const rows = page.getByRole('table').getByRole('row')
  await rows.filter({ hasText: 'accountCreate' }).waitFor()
  await page.getByLabel('Account', { exact: true }).selectOption('demo')
  await rows.filter({ hasText: 'accountCreate' }).waitFor({ state: 'detached' })
  await rows.filter({ hasText: 'accountUpdate' }).first().waitFor()
  await page.getByLabel('To day').fill('2020-01-01')
  await page.getByText('No entry matches.').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})
