/** Journeys of the operator. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()

visit('follows requests live, looks into one and takes it away as curl', async (v) => {
  const { page, server, open } = v
  await open('/operator/requests')
  await page.getByText('Live', { exact: true }).waitFor()
  await server.ask('GET', `${CLOUD}/commonserviceitem/900000000000`)
  await page.getByLabel('Status').selectOption('refused')
  await page.getByRole('button', { name: 'GET itemRead' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('error_code').waitFor()
  await dialog.getByRole('button', { name: 'Copy: As a curl line' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^curl .*commonserviceitem\/900000000000/)
})

visit('leaves out its own calls, and chooses by operation and account', async (v) => {
  const { page, server, open } = v
  await server.ask('GET', `${CLOUD}/commonserviceitem/900000000000`)
  await server.ask('GET', `${CLOUD}/appliance`)
  await open('/operator/requests')
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('row')
  await rows.filter({ hasText: 'gatewayList' }).first().waitFor()
  assert.equal(
    await rows.filter({ hasText: 'authStatus' }).count(),
    0,
    'asked by the console alone',
  )
  await page.getByLabel('Also calls of this console').check()
  await rows.filter({ hasText: 'authStatus' }).first().waitFor()
  await page.getByLabel('Also calls of this console').uncheck()

  await page.getByLabel('Operation').selectOption('itemRead')
  await page.getByLabel('Account', { exact: true }).selectOption('demo')
  await rows.filter({ hasText: 'gatewayList' }).first().waitFor({ state: 'detached' })
  const path = rows.filter({ hasText: 'itemRead' }).first().getByText('/commonserviceitem/9')
  const [isCut, isEndSeen] = await path.evaluate((node) => {
    const own = node.getBoundingClientRect()
    const frame = node.parentElement?.getBoundingClientRect() ?? own
    return [own.left < frame.left, own.right <= frame.right + 1]
  })
  assert.deepEqual([isCut, isEndSeen], [true, true], 'it is cut at its beginning')
  await page.reload()
  await rows.filter({ hasText: 'itemRead' }).first().waitFor()
  assert.equal(await rows.filter({ hasText: 'gatewayList' }).count(), 0, 'the address holds it')
})

visit('arms a fault that strikes, and disarms it', async ({ page, server, open }) => {
  await open('/operator/faults')
  await page.getByLabel('Operation').selectOption('itemList')
  await page.getByRole('button', { name: 'Arm', exact: true }).click()
  await page.getByRole('cell', { name: '0 / 1' }).waitFor()
  const struck = await server.ask('GET', `${CLOUD}/commonserviceitem`)
  assert.equal(struck.status, 503)
  await page.getByRole('cell', { name: '1 / 1' }).waitFor()
  await page.getByRole('button', { name: 'Disarm: itemList' }).click()
  await page.getByRole('region', { name: 'Armed faults' }).last().getByText('No fault').waitFor()
})

visit(
  'makes an account and a key whose secret is shown once, and limits it',
  async ({ page, server, open }) => {
    await open('/operator/accounts')
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByRole('dialog').getByLabel('Code').fill('acme')
    await page.getByRole('dialog').getByLabel('Name').fill('Acme')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByText('This secret is shown this once.').waitFor()
    const [token, secret] = await page.getByRole('dialog').locator('code').allTextContents()
    const mine = await server.ask('GET', `${CLOUD}/auth-status`, { key: `${token}:${secret}` })
    assert.equal(mine.body.Account.Code, 'acme')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Change: ${token}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Permission').selectOption('view')
    await dialog.getByLabel('Note').fill('CI')
    await dialog.getByLabel('Ends').fill('2031-01-01T00:00')
    await dialog.getByLabel('Works from').fill('192.0.2.0/24 2001:db8::/32')
    await dialog.getByRole('button', { name: 'Change' }).click()
    const row = page.getByRole('row', { name: `${token}` })
    await row.getByText('May read; may change nothing. May read bills.').waitFor()
    await row.getByText('192.0.2.0/24, 2001:db8::/32').waitFor()
    await row.getByText('1 Jan 2031, 00:00:00').waitFor()
    const limited = await server.ask('GET', `${CLOUD}/auth-status`, { key: `${token}:${secret}` })
    assert.equal(limited.status, 403)
  },
)

visit('limits an account, which sees its quotas and use', async ({ page, open }) => {
  await open('/operator/accounts?account=demo')
  const card = page.getByRole('region', { name: 'Quotas of Demo' }).first()
  await card.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('dialog').getByLabel('SIMs').fill('1000')
  await page.getByRole('dialog').getByLabel('Bytes of files').fill('5000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('The quotas of Demo are changed.').waitFor()
  await open('/quotas')
  await page.getByRole('row', { name: /^SIMs \d+ 1,000$/ }).waitFor()
  await page.getByRole('row', { name: /^Bytes of files .* 5 MB$/ }).waitFor()
  await page.getByRole('row', { name: 'Requests a second – none' }).waitFor()
})

visit('is the device: is let in, sends, and leaves', async ({ page, open }) => {
  await open('/operator/devices')
  const iccid = '8981040000000001001'
  await page.getByLabel('ICCID').fill(iccid)
  await page.getByLabel('Carrier').selectOption('carrier-b')
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByText('Accepted, with the address').waitFor()
  await page.getByRole('row', { name: /^meter-2 8981040000000001001 .* carrier-b / }).waitFor()
  await page.getByRole('button', { name: 'Send traffic' }).click()
  await page.getByText('The traffic is counted.').waitFor()
  await page.getByRole('button', { name: 'Detach' }).click()
  await page.getByRole('button', { name: 'meter-2' }).waitFor({ state: 'detached' })
})

visit('freezes the clock, moves it, and sees what changed', async ({ page, open }) => {
  await open('/operator/clock')
  const day = page.getByRole('button', { name: '+1 day' })
  assert.equal(await day.getAttribute('aria-disabled'), 'true', 'a real clock stays')
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('Frozen', { exact: true }).waitFor()
  const before = await page.getByRole('timer').textContent()
  await page.getByRole('button', { name: '+1 hour' }).click()
  await page.getByText('timers fired').waitFor()
  await page.waitForFunction(
    (text) => document.querySelector('[role=timer]')?.textContent !== text,
    before,
  )
  await page.getByRole('button', { name: 'To the next timer' }).click()
  const timer = page.getByRole('timer')
  const dayBefore = (await timer.textContent()) ?? ''
  await day.click()
  await page.waitForFunction(
    (text) => document.querySelector('[role=timer]')?.textContent?.slice(0, 11) !== text,
    dayBefore.slice(0, 11),
  )
  await open('/operator/events')
  await page
    .getByRole('row', { name: /Job fleet .*session/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /Job billing/ })
    .first()
    .waitFor()
})

visit('saves a snapshot and comes back to it', async ({ page, server, open }) => {
  await open('/operator/snapshots')
  await page.getByLabel('Name of the snapshot').fill('base')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'base', exact: true }).waitFor()
  await server.ask('POST', `${CLOUD}/switch`, { body: { Switch: { Name: 'lan' } } })
  await page.getByRole('button', { name: 'Load: base', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const switches = await server.ask('GET', `${CLOUD}/switch`)
  assert.equal(switches.body.Total, 0)
})

visit('takes a snapshot away as a file and brings it back', async ({ page, server, open }) => {
  await open('/operator/snapshots')
  await page.getByLabel('Name of the snapshot').fill('carried')
  await page.getByRole('button', { name: 'Save' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download: carried' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'carried.jsonl')
  const file = join(mkdtempSync(join(tmpdir(), 'kumoi-snapshot-')), 'Carried (2).jsonl')
  await download.saveAs(file)
  await page.getByRole('button', { name: 'Delete: carried' }).click()
  await page.getByRole('cell', { name: 'carried', exact: true }).waitFor({ state: 'detached' })

  const card = page.getByRole('region', { name: 'Import' })
  await card.getByText('Choose a file first.').waitFor({ state: 'attached' })
  await card.getByLabel('Snapshot file').setInputFiles(file)
  assert.equal(await card.getByLabel('Name for it').inputValue(), 'carried-2-')
  await card.getByLabel('Name for it').fill('brought')
  await card.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('cell', { name: 'brought', exact: true }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])

  const broken = join(dirname(file), 'broken.jsonl')
  writeFileSync(broken, 'no snapshot')
  await card.getByLabel('Snapshot file').setInputFiles(broken)
  await card.getByRole('button', { name: 'Import' }).click()
  await card.getByRole('alert').getByText('400 bad_request').waitFor()
  rmSync(dirname(file), { recursive: true })
  await server.ask('POST', `${CLOUD}/switch`, { body: { Switch: { Name: 'lan' } } })
  await page.getByRole('button', { name: 'Load: brought', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal((await server.ask('GET', `${CLOUD}/switch`)).body.Total, 0)
})
