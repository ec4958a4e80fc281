/** What the console shows of messages that a real network carries: here an HTTP gateway of the test. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ServerProcess } from '../server.ts'
import { accessibilityFaults, consoleTests } from './console.ts'

const SECRET = 'a secret of the gateway'
/** The gateway takes a message to this number, and ends the connection without an answer. */
const LOST = '819012345679'

const folder = mkdtempSync(join(tmpdir(), 'kumoi-gateway-'))
const secretFile = join(folder, 'secret')
writeFileSync(secretFile, SECRET)
const gateway = createServer(async (incoming, response) => {
  let text = ''
  for await (const chunk of incoming) text += chunk
  if (text.includes(LOST)) incoming.socket.destroy()
  else response.end(JSON.stringify({ reference: 'gateway-7' }))
})
await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
after(() => {
  gateway.close()
  rmSync(folder, { recursive: true, force: true })
})
const { port } = gateway.address() as AddressInfo

const visit = consoleTests({
  args: [
    ...['--sms-transport', 'http', '--sms-url', `http://127.0.0.1:${port}/`],
    ...['--sms-secret-file', secretFile],
  ],
})

/** Resolves with the status of the answer. */
function report({ origin, ca }: ServerProcess, body: object): Promise<number | undefined> {
  const text = JSON.stringify(body)
  const seconds = Math.floor(Date.now() / 1000)
  const hmac = createHmac('sha256', SECRET).update(`event-1.${seconds}.${text}`).digest('base64')
  return new Promise((resolve, reject) => {
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${hmac}`,
    }
    const outgoing = request(`${origin}/sms/v1/reports`, { method: 'POST', headers, ca })
    outgoing.once('error', reject).once('response', (answer) => resolve(answer.statusCode))
    outgoing.end(text)
  })
}

visit(
  'a message shows its transport, reference and reports, or that it is uncertain',
  async (v) => {
    const { page, open, server } = v
    await open('/sms/900000099201')
    const send = async (destination: string, otp: string) => {
      await page.getByLabel('Destination').fill(destination)
      await page.getByLabel('Sender').fill('Acme')
      await page.getByLabel('Password', { exact: true }).selectOption('input')
      await page.getByLabel('One-time password').fill(otp)
      await page.getByRole('button', { name: 'Send' }).click()
      return page.getByRole('article').filter({ hasText: otp })
    }
    const message = await send('819012345678', 'AAA111')
    await message.getByText('By HTTP').waitFor()
    await message.getByText('gateway-7').waitFor()
    const deliver = message.getByRole('button', { name: 'Deliver', exact: true })
    assert.equal(await deliver.getAttribute('aria-disabled'), 'true')
    const at = new Date().toISOString()
    assert.equal(await report(server, { reference: 'gateway-7', status: 'Delivered', at }), 204)
    await message.getByRole('list', { name: 'Reports' }).getByText('event-1').waitFor()
    await message.getByText('Delivered', { exact: true }).first().waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])

    const lost = await send(LOST, 'BBB222')
    await lost.getByText('Uncertain', { exact: true }).waitFor()
    await lost.getByText(/The answer of the network was lost/).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
  },
)
