/** Notices by mail: whether any is sent, who gets them, and one that is sent from the page. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openMailServer } from '../mail-server.ts'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, idsOf, type Visit } from './console.ts'

const mail = await openMailServer()
after(() => mail.close())

const withoutMail = consoleTests()
const withMail = consoleTests({
  args: ['--smtp-url', mail.url, '--mail-from', 'noreply@example.jp'],
})

async function passQuota({ server, operatorToken }: Visit): Promise<void> {
  const { gateway } = await idsOf(server)
  const traffic_monitoring_config = {
    ...{ traffic_quota_in_mb: 1, auto_traffic_shaping: false, email_config: { enabled: true } },
  }
  const path = `${CLOUD}/appliance/${gateway}/mobilegateway/traffic_monitoring`
  await server.ask('PUT', path, { body: { traffic_monitoring_config } })
  await server.operator('POST', '/devices/8981040000000001001/traffic', operatorToken, {
    ...{ uplink_bytes: 2_000_000, downlink_bytes: 0 },
  })
}

withoutMail('says that no mail is sent, and keeps notices', async (v) => {
  const { page, open } = v
  await passQuota(v)
  await open('/operator/notices')
  await page.getByText('No mail is sent: the server has no mail server.').waitFor()
  const row = page.getByRole('row', { name: /meters .* has passed its traffic quota of 1 MB/ })
  await row.getByText('Kept', { exact: true }).waitFor()
  const send = row.getByRole('button', { name: /^Send/ })
  assert.equal(await send.getAttribute('aria-disabled'), 'true')
  assert.deepEqual(await accessibilityFaults(page), [])
})

withMail('sends a kept notice to the contact that the account page was given', async (v) => {
  const { page, open } = v
  await passQuota(v)
  await open('/operator/accounts?account=demo')
  const card = page.getByRole('region', { name: 'Notices of Demo' })
  await card.getByLabel('E-mail address').fill('owner')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByRole('alert').waitFor()
  await card.getByLabel('E-mail address').fill('owner@example.jp')
  await card.getByLabel('Language').selectOption('ja')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The contact of Demo is saved.').waitFor()
  await page.getByRole('cell', { name: 'owner@example.jp' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])

  await open('/operator/notices')
  await page.getByText('the sender is noreply@example.jp').waitFor()
  const row = page.getByRole('row', { name: /meters .* has passed its traffic quota of 1 MB/ })
  await row.getByRole('button', { name: /^Send/ }).click()
  await row.getByText('Sent', { exact: true }).waitFor()
  assert.deepEqual(
    mail.mails.map(({ to }) => to),
    [['owner@example.jp']],
  )

  await open('/operator/accounts?account=demo')
  await card.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Demo has no contact any more.').waitFor()
})
