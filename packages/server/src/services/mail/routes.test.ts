import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { SmtpMailer } from '../../planes/mail/smtp.ts'
import { openCloud } from '../../testing/cloud.ts'
import { LOGIN, MAIL_TLS, openMailServer } from '../../testing/mail-server.ts'

const open = async (t: TestContext, login = LOGIN) => {
  const { mails, port } = await openMailServer(t, {
    needsLogin: true,
    recipientCode: (address) => (address.startsWith('gone') ? 550 : 0),
  })
  const mail = new SmtpMailer({
    address: { host: 'localhost', port, isSmtps: false, login },
    from: { name: 'Kumoi', address: 'noreply@example.jp' },
    ...{ needsStartTls: true, ca: MAIL_TLS.ca },
  })
  const { operator } = await openCloud(t, { mail })
  return { mails, operator, server: `smtp://localhost:${port}` }
}

describe('/mail', () => {
  test('tells which server sends mail, without its login', async (t) => {
    const { operator, server } = await open(t)
    const { body, text } = await operator('GET', '/mail')
    assert.deepEqual([body.enabled, body.server, body.from], [true, server, 'noreply@example.jp'])
    assert.ok(!text.includes(LOGIN.password) && !text.includes(`${LOGIN.user}:`))
  })

  test('tells that none is sent, and refuses to try', async (t) => {
    const { operator } = await openCloud(t)
    const { body } = await operator('GET', '/mail')
    assert.deepEqual([body.enabled, body.server, body.from], [false, null, null])
    assert.equal((await operator('POST', '/mail/check')).status, 409)
    const probe = await operator('POST', '/mail/probe', { body: { to: 'a@example.jp' } })
    assert.equal(probe.status, 409)
    assert.match(probe.body.error_msg, /There is no mail server/)
  })
})

describe('/mail/check', () => {
  test('connects and logs in, and sends nothing', async (t) => {
    const { operator, mails, server } = await open(t)
    const { body } = await operator('POST', '/mail/check')
    assert.deepEqual([body.ok, body.server, body.reason, mails.length], [true, server, null, 0])
  })

  test('tells why that fails', async (t) => {
    const { operator } = await open(t, { user: 'kumoi', password: 'other-one' })
    const { body, text } = await operator('POST', '/mail/check')
    assert.equal(body.ok, false)
    assert.match(body.reason, /the login was refused/)
    assert.ok(!text.includes('other-one'))
  })
})

describe('/mail/probe', () => {
  for (const language of ['en', 'ja']) {
    test(`sends a mail in ${language}`, async (t) => {
      const { operator, mails } = await open(t)
      const body = { to: 'me@example.jp', language }
      const answer = await operator('POST', '/mail/probe', { body })
      assert.deepEqual([answer.body.ok, answer.body.reason], [true, null])
      assert.deepEqual([mails.length, mails[0]?.to], [1, ['me@example.jp']])
      assert.ok(mails[0]?.raw.includes(answer.body.message_id))
      assert.match(mails[0]?.raw ?? '', new RegExp(`^Content-Language: ${language}\r$`, 'm'))
    })
  }

  test('tells what the server says to it, and takes no broken address', async (t) => {
    const { operator, mails } = await open(t)
    const gone = await operator('POST', '/mail/probe', { body: { to: 'gone@example.jp' } })
    assert.equal(gone.body.ok, false)
    assert.match(gone.body.reason, /550/)
    const broken = await operator('POST', '/mail/probe', { body: { to: 'a@b.jp\r\nDATA' } })
    assert.deepEqual([broken.status, mails.length], [400, 0])
  })
})
