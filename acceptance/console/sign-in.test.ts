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

visit('the link of the demo world signs in as operator and with its key', async (v) => {
  const { page, operatorToken, server } = v
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(`${server.origin}/#operator=${operatorToken}&key=demo-token:demo-secret`)
  const banner = page.getByRole('banner')
  await banner.getByRole('button', { name: 'Account: Demo' }).waitFor()
  await banner.getByText('Operator', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).hash, '#/')
})

visit(
  'accounts are changed in one menu, and keys made for that end with the sign-out',
  async (v) => {
    const { page, server, operatorToken, open } = v
    const ask = async (method: string, path: string, body?: unknown) =>
      (await server.operator(method, path, operatorToken, body)).body
    await ask('POST', '/accounts', { code: 'initech', name: 'Initech' })
    const keysOf = async (code: string) => (await ask('GET', `/accounts/${code}/keys`)).keys.length
    const ofDemo = await keysOf('demo')
    await open('/sims')
    const choose = async (from: string, to: RegExp) => {
      await page.getByRole('button', { name: `Account: ${from}` }).click()
      await page.getByRole('list', { name: 'Account' }).getByRole('button', { name: to }).click()
    }
    await choose('Demo', /Initech/)
    await page.getByRole('button', { name: 'Account: Initech' }).waitFor()
    await page.getByRole('link', { name: 'meter-1', exact: true }).waitFor({ state: 'detached' })
    assert.equal(await keysOf('initech'), 1)
    await choose('Initech', /^Demo demo$/)
    await page.getByRole('link', { name: 'meter-1', exact: true }).waitFor()
    await choose('Demo', /Initech/)
    await page.getByRole('button', { name: 'Account: Initech' }).click()
    await page.getByRole('link', { name: 'Sign in with another key …' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('list', { name: 'Account' }).count(), 0)
    assert.deepEqual([await keysOf('demo'), await keysOf('initech')], [ofDemo, 1])
    await page.getByRole('button', { name: 'Sign out' }).click()
    while ((await keysOf('initech')) > 0) await page.waitForTimeout(50)
  },
)

visit(
  'the operator opens an account without knowing a key',
  async ({ page, server, operatorToken }) => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(`${server.origin}/#operator=${operatorToken}`)
    await page.getByText('Operator', { exact: true }).first().waitFor()
    await page.goto(`${server.origin}/#/sign-in`)
    await page.getByRole('button', { name: 'Open the account' }).click()
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
