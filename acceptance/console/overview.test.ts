/** The overview answers whether all is well, what it costs and what happened; each figure leads to its page. */
import assert from 'node:assert/strict'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, settle, widthOver } from './console.ts'

const visit = consoleTests()
const ICCID = '8981040000000001003'

visit('each figure is there and leads to its page', async ({ page, open }) => {
  const main = page.getByRole('main')
  for (const [name, path] of [
    [/^SIMs connected \d+ of \d+ SIMs?$/, '/sims?session=yes'],
    [/^Cost of .+ so far ¥[\d,]+ /, '/billing'],
    [/^Short messages in 30 days \d+ /, '/sms'],
    [/^Cache hit ratio this month /, '/webaccel'],
    [/^\S+ \S+ sent, \S+ \S+ received$/, '/sims'],
    [/^Gateways in is1a \d+$/, '/gateways'],
  ] as const) {
    await open('/')
    await main.getByRole('link', { name }).click()
    await page.waitForURL(`**/#${path}`)
  }
})

visit('the running step of the fleet is in the chart as it is counted', async (v) => {
  const { page, server, operatorToken, open } = v
  const device = (act: string, body: object) =>
    server.operator('POST', `/devices/${ICCID}/${act}`, operatorToken, body)
  await server.operator('PUT', '/clock', operatorToken, { mode: 'frozen' })
  await device('attach', { imei: '350000000000009', carrier: 'carrier-a' })
  await open('/sims')
  await open('/')
  const card = page.getByRole('region', { name: 'Traffic of all SIMs' })
  await card.getByText('The last part is still being counted.').waitFor()
  await device('traffic', { uplink_bytes: 750_000_000, downlink_bytes: 0 })
  await page.reload()
  await card.getByText('Show as a table').click()
  const row = card.getByRole('row', { name: /\(still counting\)/ })
  await row.getByText(/^2\d(\.\d)? Mbps$/).waitFor()
  await card.getByRole('button', { name: '30 days' }).click()
  await page.waitForURL('**/#/?span=month')
  await card.getByText('Show as a table').click()
  await card
    .getByRole('row', { name: /\(still counting\)/ })
    .getByText(/ [MG]B$/)
    .first()
    .waitFor()
})

visit('what devices did last is said with their names', async (v) => {
  const { page, server, operatorToken, open } = v
  const Filter = { 'Status.ICCID': ICCID }
  const search = encodeURIComponent(JSON.stringify({ Filter }))
  const found = await server.ask('GET', `${CLOUD}/commonserviceitem?${search}`)
  const { ID, Name } = found.body.CommonServiceItems[0]
  await server.ask('PUT', `${CLOUD}/commonserviceitem/${ID}/sim/deactivate`)
  await server.operator('POST', `/devices/${ICCID}/attach`, operatorToken, {
    ...{ imei: '350000000000009', carrier: 'carrier-a' },
  })
  await open('/sims')
  await open('/')
  const card = page.getByRole('region', { name: 'What happened last' })
  await card
    .getByRole('link', { name: `${Name} disconnected.` })
    .first()
    .waitFor()
  await card.getByRole('link', { name: `${Name} was refused. Activate the SIM.` }).click()
  await page.getByRole('tab', { name: 'Refused', selected: true }).waitFor()
})

visit('without the operator token it says what is missing', async ({ page, server }) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Access token', { exact: true }).fill('demo-view')
  await page.getByLabel('Access token secret').fill('demo-view-secret')
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.getByText('This key may not see bills.').waitFor()
  await page.getByRole('link', { name: 'Sign in as the operator', exact: true }).click()
  await page.waitForURL(`${server.origin}/#/sign-in`)
})

visit('both spans in both themes and languages, as wide as a telephone', async (v) => {
  const { page, open } = v
  await page.setViewportSize({ width: 390, height: 844 })
  for (const language of ['en', 'ja']) {
    await page.evaluate((tongue) => localStorage.setItem('kumoi.language', tongue), language)
    await page.reload()
    for (const span of ['day', 'month']) {
      await open(`/?span=${span}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await settle(page)
        assert.deepEqual(await accessibilityFaults(page), [], `${language} ${colorScheme}`)
        assert.equal(await widthOver(page), 0)
      }
    }
  }
})
