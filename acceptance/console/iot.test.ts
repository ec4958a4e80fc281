/** Journeys through the pages of the IoT platform. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { CLOUD } from '../server.ts'
import { accessibilityFaults, consoleTests, idsOf, type Visit } from './console.ts'

const visit = consoleTests({ args: ['--private-targets', 'allow'] })
const HOSTILE = '<img src=x onerror=alert(1)>'

async function openProject({ page, open }: Visit, name: string): Promise<void> {
  await open('/iot')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

visit('a project is made, filled and emptied, and deleted only when empty', async (v) => {
  const { page, open } = v
  await open('/iot')
  await page.getByRole('button', { name: 'Create a project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(HOSTILE)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor()
  assert.equal(await page.getByRole('img').count(), 0)

  await page.getByRole('button', { name: 'Connect a SIM' }).click()
  await dialog.getByLabel('Name of the SIM').fill('meter-1')
  await dialog
    .getByLabel('SIM', { exact: true })
    .getByText('meter-1')
    .waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Connect' }).click()
  const row = page.getByRole('row', { name: /meter-1/ })
  await row.getByRole('button', { name: 'Assign IP' }).click()
  await row.getByText(/^10\./).waitFor()
  const disconnect = row.getByRole('button', { name: 'Disconnect' })
  assert.equal(await disconnect.getAttribute('aria-disabled'), 'true')
  await row.getByText('Release its address first.').waitFor({ state: 'attached' })
  const remove = page.getByRole('button', { name: 'Delete' })
  assert.equal(await remove.getAttribute('aria-disabled'), 'true')
  await row.getByRole('button', { name: 'Release IP' }).click()
  await row.getByText('It has no address.').waitFor({ state: 'attached' })
  await disconnect.click()
  await page.getByText('No SIM is connected.').waitFor()

  await openTab(page, 'Adapters')
  await page.getByRole('button', { name: 'Create an adapter' }).click()
  await dialog.getByLabel('Type').selectOption('outgoing-webhook')
  await dialog.getByLabel('Name').fill('hook')
  await dialog
    .getByText('The address begins with http:// or https://.')
    .waitFor({ state: 'attached' })
  await dialog.getByLabel('Your address').fill('https://example.jp/hook')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const card = page.getByRole('region', { name: 'hook' })
  await card.getByText('https://example.jp/hook').waitFor()
  await card.getByRole('button', { name: 'Copy: Token (hook)' }).click()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[\w-]{16,}$/)
  assert.deepEqual(await accessibilityFaults(page), [])
  await card.getByRole('button', { name: 'Delete: hook' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('There is no adapter yet.').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'IoT projects', level: 1 }).waitFor()
  assert.equal(await page.getByRole('link', { name: HOSTILE }).count(), 0)
})

visit('messages of devices come in as they are sent, and go out both ways', async (v) => {
  const { page, server, operatorToken } = v
  await openProject(v, 'sensors')
  await openTab(page, 'Messages')
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByRole('status').getByText('Listening').waitFor()
  const payload = [
    { tag: '01', type: 'uint64', value: '18446744073709551615' },
    { tag: '02', type: 'string', value: HOSTILE },
  ]
  const path = '/devices/8981040000000001003/messages'
  await server.operator('POST', path, operatorToken, { payload })
  const log = page.getByRole('log')
  await log.getByText('18446744073709551615').waitFor()
  await log.getByText(HOSTILE).waitFor()
  assert.equal(await page.getByRole('img').count(), 0)
  assert.deepEqual(await accessibilityFaults(page), [])

  const form = page.getByRole('region', { name: 'Send to a device' })
  await form.getByLabel('Value').fill('256')
  await page.getByText('The value of tag 01 is no uint8.').waitFor({ state: 'attached' })
  await form.getByLabel('Value').fill('255')
  await form.getByRole('button', { name: 'Send' }).click()
  await log.getByText('"accepted"').waitFor()

  await openTab(page, 'Adapters')
  await page.getByRole('button', { name: 'Create an adapter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').selectOption('incoming-webhook')
  await dialog.getByLabel('Name').fill('commands')
  await dialog.getByLabel('Secret').fill('s3cret')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('region', { name: 'commands' }).waitFor()
  await openTab(page, 'Messages')
  await form.getByLabel('Value').fill('7')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/^Accepted: /).waitFor()
  const { body } = await server.operator('GET', path, operatorToken)
  const values = body.messages.map(
    (one: { payload: { value: unknown }[] }) => one.payload[0]?.value,
  )
  assert.deepEqual(values, [255, 7])
})

visit('a message sent as a device is seen to arrive, and is found again', async (v) => {
  const { page } = v
  await openProject(v, 'sensors')
  await openTab(page, 'Messages')
  const form = page.getByRole('region', { name: 'Send as a device' })
  await form.getByLabel('Value').fill('42')
  await form.getByRole('button', { name: 'Send as the device' }).click()
  await page.getByRole('status').getByText('Listening').waitFor()
  await page.getByRole('log').getByText('42', { exact: true }).waitFor()
  const history = page.getByRole('region', { name: 'Message history' }).first()
  const row = history.getByRole('row', { name: /From the device sensor-1 .*42/ })
  await row.waitFor()
  await history.getByLabel('Of the SIM').selectOption({ label: 'sensor-1' })
  await page.waitForURL(/device=/)
  await page.reload()
  await row.waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})

visit('a webhook that was given up is seen with its attempts and redelivered', async (v) => {
  const { page, server, operatorToken } = v
  let status = 410
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  try {
    await openProject(v, 'sensors')
    await openTab(page, 'Adapters')
    await page.getByRole('button', { name: 'Create an adapter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('outgoing-webhook')
    await dialog.getByLabel('Name').fill('shop')
    const { port } = receiver.address() as AddressInfo
    await dialog.getByLabel('Your address').fill(`http://127.0.0.1:${port}/`)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('region', { name: 'shop' }).waitFor()
    const payload = [{ tag: '01', type: 'bool', value: true }]
    await server.operator('POST', '/devices/8981040000000001003/messages', operatorToken, {
      payload,
    })
    await openTab(page, 'Webhooks')
    const row = page.getByRole('row', { name: /shop/ })
    await row.getByText('Given up').waitFor()
    await row.getByRole('group').click()
    await row.getByText(/410/).first().waitFor()
    status = 200
    await row.getByRole('button', { name: /Redeliver/ }).click()
    await row.getByText('Delivered').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
  } finally {
    receiver.close()
  }
})

visit('a file goes up with a bar and comes down the same', async (v) => {
  const { page } = v
  await openProject(v, 'sensors')
  await openTab(page, 'Files')
  await page.getByRole('button', { name: 'Upload', exact: true }).hover()
  await page.getByText('Choose a file to upload.').waitFor()
  const buffer = Buffer.alloc(6_000_000, 'kumoi')
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-upload-'))
  writeFileSync(join(folder, 'map (1).bin'), buffer)
  await page.getByLabel('Content').setInputFiles(join(folder, 'map (1).bin'))
  const upload = page.getByRole('region', { name: 'Upload' })
  assert.equal(await upload.getByLabel('File ID').inputValue(), 'map__1_.bin')
  // Slow enough to be seen on the way.
  const debuggerOf = await page.context().newCDPSession(page)
  await debuggerOf.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3_000_000 },
  })
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await upload.getByRole('progressbar').waitFor()
  const row = page.getByRole('row', { name: /map__1_\.bin/ })
  await row.getByText('6 MB').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  const coming = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Download: map__1_.bin' }).click()
  const download = await coming
  assert.equal(download.suggestedFilename(), 'map__1_.bin')
  assert.ok(buffer.equals(await readFile(await download.path())))
  rmSync(folder, { recursive: true })
})

visit('what is signed has the time of the server, however far that is ahead', async (v) => {
  const { page, server, operatorToken } = v
  await server.operator('PUT', '/clock', operatorToken, { mode: 'frozen' })
  await server.operator('POST', '/clock/advance', operatorToken, { by: '1h' })
  const { project } = await idsOf(server)
  const settings = { 'incoming-webhook': { secret: 's3cret' } }
  const path = `${CLOUD}/commonserviceitem/${project}/iotplatform/vmgw/services`
  const made = await server.ask('POST', path, {
    body: { IoTPlatform: { type: 'incoming-webhook', name: 'signed', settings } },
  })
  assert.equal(made.status, 201)
  await openProject(v, 'sensors')
  await openTab(page, 'Messages')
  await page.getByLabel('Through').selectOption({ label: 'Incoming webhook: signed' })
  const form = page.getByRole('region', { name: 'Send to a device' })
  await form.getByLabel('Value').fill('9')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/^Accepted: /).waitFor()
})
