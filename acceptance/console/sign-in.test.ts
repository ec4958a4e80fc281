/** Signing in and what becomes of keys and tokens: docs/adr/0028-console.md. */
import assert from 'node:assert/strict'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()

visit('the token of the link is out of the address at once and stays in the tab', async (v) => {
  const { page, operatorToken, server } = v
  assert.ok(!page.url().includes(operatorToken))
  const kept = await page.evaluate(() => ({ ...localStorage }))
  assert.ok(!JSON.stringify(kept).includes(operatorToken))
  const other = await page.context().newPage()
  await other.goto(`${server.origin}/`)
  await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
})

visit('a wrong key is refused in the words of the server, with its serial', async ({ page }) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Access token', { exact: true }).fill('demo-token')
  await page.getByLabel('Access token secret').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  const alert = page.getByRole('alert')
  await alert.getByText('401 unauthorized').waitFor()
  await alert.getByText('Serial').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})

visit(
  'the operator opens an account without knowing a key',
  async ({ page, server, operatorToken }) => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(`${server.origin}/#operator=${operatorToken}`)
    await page.getByText('Operator', { exact: true }).first().waitFor()
    await page.goto(`${server.origin}/#/sign-in`)
    await page.getByRole('button', { name: 'Make a key and sign in' }).click()
    await page.getByRole('banner').getByText('Demo').waitFor()
  },
)

visit('both languages and both themes are a choice away', async ({ page }) => {
  await page.getByLabel('Language').selectOption('ja')
  await page.getByRole('heading', { name: '概要', level: 1 }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), 'ja')
  await page.getByLabel('表示').selectOption('dark')
  assert.deepEqual(await accessibilityFaults(page), [])
})
