import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseSmtpAddress } from '../kernel/smtp-address.ts'
import { LOGIN, MAIL_TLS, openMailServer } from '../testing/mail-server.ts'
import { makeMailer } from './ports.ts'

const from = { name: '', address: 'noreply@example.jp' }
const none = { from, caFile: undefined, tls: undefined }

function given(url: string) {
  const server = parseSmtpAddress(url)
  if (server === undefined) throw new Error(`${url} is an address.`)
  return server
}

function file(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-mail-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file'), text)
  return join(folder, 'file')
}

test('the address and the CA come from files', async (t) => {
  const { port } = await openMailServer(t, { needsLogin: true })
  const url = `smtp://${LOGIN.user}:${LOGIN.password}@localhost:${port}\n`
  const mailer = makeMailer({
    ...{ server: { file: file(t, url) }, from, tls: 'required' },
    caFile: file(t, MAIL_TLS.ca),
  })
  assert.deepEqual(await mailer.check(), { outcome: 'sent' })
  assert.equal(mailer.server, `smtp://localhost:${port}`)
})

test('STARTTLS is needed but on this machine, unless a flag says otherwise', async (t) => {
  const { port } = await openMailServer(t, { hasStartTls: false })
  const here = given(`smtp://localhost:${port}`)
  assert.deepEqual(await makeMailer({ ...none, server: here }).check(), { outcome: 'sent' })
  const required = makeMailer({ ...none, server: here, tls: 'required' })
  assert.equal((await required.check()).outcome, 'failed')
})

test('a file that is missing or holds something else, and a password in clear, are refused', (t) => {
  const missing = join(tmpdir(), 'kumoi-no-such-file')
  assert.throws(() => makeMailer({ ...none, server: { file: missing } }), /cannot be read/)
  const broken = file(t, 'http://user:pass-word@example.jp')
  assert.throws(
    () => makeMailer({ ...none, server: { file: broken } }),
    (error: Error) =>
      /must hold an address/.test(error.message) && !/pass-word/.test(error.message),
  )
  const server = given('smtp://user:pass-word@mail.example.jp')
  assert.throws(() => makeMailer({ ...none, server, caFile: broken }), /certificate in PEM/)
  assert.throws(() => makeMailer({ ...none, server, tls: 'off' }), /sends no password/)
  assert.ok(makeMailer({ ...none, server: given('smtp://mail.example.jp'), tls: 'off' }))
})
