/** Journeys through the pages of the web accelerator. */
import assert from 'node:assert/strict'
import { makePair } from './certificates.ts'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()
const SITE = '/webaccel/900000099101'

visit('a site is made by a form that knows the rules, and deleted', async ({ page, open }) => {
  await open('/webaccel')
  await page.getByRole('img', { name: 'Delivered by month' }).waitFor()
  await page.getByRole('button', { name: 'Create a site' }).click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: 'Create' })
  await dialog.getByLabel('Domain', { exact: true }).fill('static.example.jp')
  await dialog.getByLabel('Name').fill('<img src=x onerror=alert(1)>')
  await dialog.getByLabel('Kind of origin').selectOption('1')
  await dialog.getByText('Object storage is always fetched by https.').waitFor()
  await dialog.getByText('Object storage needs bucket').first().waitFor()
  assert.equal(await create.getAttribute('aria-disabled'), 'true')
  await dialog.getByLabel('Bucket').fill('assets')
  await dialog.getByLabel('Endpoint').fill('s3.example.jp')
  await dialog.getByLabel('Region').fill('jp-north-1')
  await dialog.getByLabel('Access key ID').fill('AK')
  await dialog.getByLabel('Secret access key').fill('very secret')
  await dialog.getByLabel('Default time in cache').fill('604801')
  await dialog
    .getByText(/The time in cache is -1/)
    .first()
    .waitFor()
  await dialog.getByLabel('Default time in cache').fill('604800')
  await dialog.getByLabel('Cross-origin requests (CORS)').selectOption('some')
  await dialog.getByLabel('Origins').fill('https://app.example.jp/path')
  await dialog
    .getByText(/CORS needs 1 to 4 origins/)
    .first()
    .waitFor()
  await dialog.getByLabel('Origins').fill('https://app.example.jp')
  assert.deepEqual(await accessibilityFaults(page), [])
  await create.click()
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>', level: 1 }).waitFor()
  assert.equal(
    await page.getByRole('button', { name: 'Disable' }).getAttribute('aria-disabled'),
    'true',
  )
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('It is enabled already.').waitFor({ state: 'attached' })

  await page.getByRole('tab', { name: 'Settings' }).click()
  assert.equal(await page.getByLabel('Secret access key').inputValue(), '')
  await page.getByLabel('Default time in cache').fill('-1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.getByLabel('Default time in cache').waitFor()
  assert.equal(await page.getByLabel('Default time in cache').inputValue(), '-1')

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Web accelerator', level: 1 }).waitFor()
})

visit('a certificate is shown before it is sent, and then belongs to the site', async (v) => {
  const { page, open } = v
  const authority = makePair('/CN=Root', 'basicConstraints=critical,CA:TRUE')
  const names = 'subjectAltName=DNS:www.example.jp,DNS:example.jp'
  const own = makePair('/CN=www.example.jp/O=例', names, authority)
  const stranger = makePair('/CN=Stranger')
  await open(`${SITE}?tab=certificate`)
  await page.getByText('The site has no certificate.').waitFor()
  const chain = page.getByLabel('Certificate chain (PEM)')
  await chain.fill(`${own.certificate}\n${stranger.certificate}`)
  const preview = page.getByRole('region', { name: 'What will be sent' })
  await preview.getByText('2. did not sign the one above').waitFor()
  await chain.fill(`${own.certificate}\n${authority.certificate}`)
  await preview.getByText('2. signed the one above').waitFor()
  await preview.getByText('CN=www.example.jp, O=例').waitFor()
  await preview.getByText('www.example.jp, example.jp', { exact: true }).waitFor()
  const add = page.getByRole('button', { name: 'Add' })
  await page.getByText('The private key is needed.').waitFor({ state: 'attached' })
  await page.getByLabel('Private key (PEM)').fill(stranger.key)
  await add.click()
  await page.getByRole('alert').getByText('400 bad_request').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.getByLabel('Private key (PEM)').fill(own.key)
  await add.click()
  const current = page.getByRole('region', { name: 'Current certificate' })
  await current.getByText('CN=Root').first().waitFor()
  assert.equal(await page.getByLabel('Private key (PEM)').inputValue(), '')
})

visit('tokens, the access list and the cache are kept in order', async ({ page, open }) => {
  await open(`${SITE}?tab=access`)
  await page.getByRole('button', { name: 'Make a token' }).click()
  await page.getByRole('button', { name: 'Copy: Token' }).waitFor()
  await page.getByRole('button', { name: 'Make the next token' }).click()
  await page.getByRole('button', { name: 'Copy: Next token' }).waitFor()
  await page.getByRole('button', { name: 'Promote the next token' }).click()
  await page.getByText('There is no next token.').first().waitFor({ state: 'attached' })
  const acl = page.getByRole('textbox', { name: 'Access list' })
  await acl.fill('deny 192.0.2.0/24\nmaybe all')
  await page.getByText('Line 2 is no rule.').first().waitFor()
  await acl.fill('deny 192.0.2.0/24\nallow all')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.getByRole('tab', { name: 'Cache' }).click()
  await page.getByRole('textbox', { name: 'Addresses' }).fill('https://www.example.jp/a.css')
  await page.getByRole('button', { name: 'Take addresses out of the cache' }).click()
  await page
    .getByRole('row', { name: /a\.css/ })
    .getByText(/^200/)
    .waitFor()
})
