/** Journeys through the pages of short messages. */
import assert from 'node:assert/strict'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()
const SERVICE = '/sms/900000099201'

visit('a password is sent and reaches the phone, its Web OTP line marked', async (v) => {
  const { page, open } = v
  await open('/sms')
  await page.getByRole('link', { name: 'login codes' }).click()
  await page.getByRole('heading', { name: 'login codes', level: 1 }).waitFor()
  const send = page.getByRole('button', { name: 'Send' })
  await page.getByLabel('Destination').fill('+81 90')
  await page
    .getByRole('region', { name: 'Send a password' })
    .getByText(/This is no number with a country code/)
    .first()
    .waitFor()
  assert.equal(await send.getAttribute('aria-disabled'), 'true')
  await page.getByLabel('Destination').fill('+81 90-1234-5678')
  await page.getByLabel('Sender').fill('<b>Acme</b>')
  await page.getByLabel('Domain').fill('example.jp')
  await send.click()
  const phone = page.getByRole('region', { name: 'Phone of +819012345678' })
  await phone.getByText('<b>Acme</b>').waitFor()
  await phone.getByText(/^@example\.jp #\d{6}$/).waitFor()
  await phone.getByText('Delivered').waitFor()
  await phone.getByText('It has ended already.').first().waitFor({ state: 'attached' })
  assert.deepEqual(await accessibilityFaults(page), [])
})

visit('the operator decides what becomes of a message that is held', async (v) => {
  const { page, open, server, operatorToken } = v
  const world = { version: 1, settings: { sms_network: 'hold' } }
  const { status } = await server.operator('POST', '/world', operatorToken, world)
  assert.equal(status, 200)
  await open(SERVICE)
  for (const [otp, way, end] of [
    ['AAA111', 'Deliver', 'Delivered'],
    ['BBB222', 'Fail', 'Failed'],
  ] as const) {
    await page.getByLabel('Destination').fill('819087654321')
    await page.getByLabel('Sender').fill('Acme')
    await page.getByLabel('Password', { exact: true }).selectOption('input')
    await page.getByLabel('One-time password').fill(otp)
    await page.getByRole('button', { name: 'Send' }).click()
    const message = page.getByRole('article').filter({ hasText: otp })
    await message.getByText('Accepted').waitFor()
    await message.getByRole('button', { name: way }).click()
    await message.getByText(end, { exact: true }).waitFor()
  }
})
