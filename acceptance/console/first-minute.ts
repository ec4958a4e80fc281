/** What somebody sees within a minute of clicking the banner's link: traffic, cost, a refusal, a device, a message. */
import type { Page } from 'playwright-core'

/** `see` is called at each sight, with its name. */
export async function firstMinute(page: Page, see: (name: string) => Promise<void>): Promise<void> {
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation')
  const card = (name: string) => main.getByRole('region', { name }).first()

  await card('Traffic of all SIMs').getByRole('img').waitFor()
  await main.getByRole('link', { name: /^Cost of .+ so far ¥[1-9]/ }).waitFor()
  const refusal = card('Needs attention').getByRole('link', { name: /van-07 was refused/ })
  await refusal.waitFor()
  await see('first-minute-1-overview')

  await refusal.click()
  await main.getByText('The SIM is locked to another device.').first().waitFor()
  await see('first-minute-2-refusal')

  await menu.getByRole('link', { name: 'Devices' }).click()
  await card('Live sessions').getByRole('button', { name: 'meter-2', exact: true }).click()
  await main.getByRole('button', { name: 'Attach', exact: true }).click()
  await main.getByText(/^Accepted, with the address 10\./).waitFor()
  await see('first-minute-3-device')

  await menu.getByRole('link', { name: 'IoT' }).click()
  await main.getByRole('link', { name: 'sensors' }).click()
  await page.getByRole('tab', { name: 'Messages' }).click()
  const form = card('Send as a device')
  await form.getByLabel('Value').fill('42')
  await form.getByRole('button', { name: 'Send as the device' }).click()
  await page.getByRole('log').getByText('42', { exact: true }).waitFor()
  await see('first-minute-4-message')
}
