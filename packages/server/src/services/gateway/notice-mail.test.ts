import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { SmtpMailer } from '../../planes/mail/smtp.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openGateways } from '../../testing/gateways.ts'
import { type MailServerOptions, openMailServer } from '../../testing/mail-server.ts'

const CONFIG = {
  traffic_quota_in_mb: 10,
  auto_traffic_shaping: false,
  email_config: { enabled: true },
  chat_config: { enabled: false, chat_url: '' },
}

const messageIdOf = (raw = '') => /^Message-ID: (<\S+>)\r$/m.exec(raw)?.[1]

for (const engine of engines) {
  /** A gateway with one SIM in session, whose quota is passed by `pass`. */
  const open = async (t: TestContext, server: MailServerOptions | undefined = {}) => {
    const { mails, port } = await openMailServer(t, server)
    const mailer = new SmtpMailer({
      address: { host: '127.0.0.1', port, isSmtps: false, login: undefined },
      from: { name: '', address: 'noreply@cloud.example.jp' },
      ...{ needsStartTls: false, ca: undefined },
    })
    return { mails, ...(await openPassing(t, mailer)) }
  }
  const openPassing = async (t: TestContext, mailer?: SmtpMailer) => {
    const gateways = await openGateways(t, engine, ['--private-targets', 'deny'], { mail: mailer })
    const id = await gateways.ready('倉庫 <b>&"\r\nBcc: x@example.jp')
    await gateways.add(id, await gateways.sim(1))
    await gateways.attach(1)
    const set = (more: object = {}) =>
      gateways.part('PUT', id, 'traffic_monitoring', {
        traffic_monitoring_config: { ...CONFIG, ...more },
      })
    await set()
    const notices = async (query = '') =>
      (await gateways.operator('GET', `/outbox/notices${query}`)).body.notices
    return {
      ...{ ...gateways, id, set, notices },
      contact: (email: string, language?: string) =>
        gateways.operator('PUT', '/accounts/acme', { body: { contact: { email, language } } }),
      pass: async () => {
        await gateways.traffic(1, 0, 12_000_000)
        await gateways.wait(0)
      },
      notice: async () => (await notices())[0],
      resend: (notice: number) => gateways.operator('POST', `/outbox/notices/${notice}/resend`),
    }
  }

  describe(`notices by mail on ${engine.name}`, () => {
    for (const [language, words] of [
      ['en', 'A mobile gateway of yours has passed its traffic quota'],
      ['ja', 'お使いのモバイルゲートウェイの今月の通信量が'],
    ] as const) {
      test(`are sent once to the contact of the account, in ${language}`, async (t) => {
        const { mails, contact, pass, notice, id } = await open(t)
        await contact('owner@example.jp', language)
        await pass()
        await pass()
        const { raw = '', ...envelope } = mails[0] ?? {}
        assert.equal(mails.length, 1)
        assert.deepEqual(envelope, {
          ...{ from: 'noreply@cloud.example.jp', to: ['owner@example.jp'] },
          ...{ isEncrypted: false, login: undefined },
        })
        assert.doesNotMatch(raw, /^Bcc:/m)
        const parts = [...raw.matchAll(/Content-Transfer-Encoding: (\S+)\r\n\r\n([\s\S]*?)\r\n--/g)]
        const texts = parts.map(([, encoding = '', text = '']) => decoded(encoding, text))
        assert.equal(texts.length, 2)
        for (const text of texts) assert.ok(text.includes(words), text)
        assert.ok(texts[0]?.includes('倉庫 <b>&" Bcc: x@example.jp'), texts[0])
        assert.ok(texts[1]?.includes('倉庫 &lt;b&gt;&amp;&quot; Bcc: x@example.jp'), texts[1])
        const found = await notice()
        assert.deepEqual(
          [found.status, found.attempts, found.target, found.language, found.gateway_id],
          ['sent', 1, 'owner@example.jp', language, id],
        )
        assert.match(found.message_id, /^<[0-9a-f]{32}@cloud\.example\.jp>$/)
        assert.equal(messageIdOf(raw), found.message_id)
      })
    }

    test('are tried again after a 4xx and after an answer that was lost, under one Message-ID', async (t) => {
      let calls = 0
      const recipientCode = () => {
        calls += 1
        return calls === 1 ? 450 : 0
      }
      const server = { recipientCode, breaksOff: true }
      const { mails, contact, pass, notice, wait } = await open(t, server)
      await contact('owner@example.jp')
      await pass()
      const first = await notice()
      assert.deepEqual([first.status, first.attempts, mails.length], ['waiting', 1, 0])
      assert.match(first.reason, /the server has answered: 450/)
      await wait(29)
      assert.equal((await notice()).attempts, 1)
      await wait(1)
      assert.deepEqual([(await notice()).status, mails.length], ['waiting', 1])
      server.breaksOff = false
      await wait(60)
      const last = await notice()
      assert.deepEqual([last.status, last.attempts, last.reason], ['sent', 3, null])
      assert.deepEqual(
        mails.map(({ raw }) => messageIdOf(raw)),
        [last.message_id, last.message_id],
      )
    })

    test('become dead letters by a 5xx, and are sent again to the present contact by a call', async (t) => {
      const recipientCode = (address: string) => (address.startsWith('gone') ? 550 : 0)
      const { mails, contact, pass, notice, notices, resend, wait } = await open(t, {
        recipientCode,
      })
      await contact('gone@example.jp', 'ja')
      await pass()
      const dead = await notice()
      assert.deepEqual([dead.status, dead.attempts], ['failed', 1])
      assert.match(dead.reason, /the server has answered: 550/)
      const failed = search({ Filter: { status: 'failed' } })
      assert.deepEqual(await notices(failed), [dead])
      await contact('owner@example.jp')
      const again = await resend(dead.id)
      assert.deepEqual([again.status, again.body.notice.status], [200, 'waiting'])
      assert.equal((await resend(dead.id)).status, 409)
      await wait(0)
      const sent = await notice()
      assert.deepEqual(
        [sent.status, sent.target, sent.language],
        ['sent', 'owner@example.jp', 'ja'],
      )
      assert.equal(messageIdOf(mails[0]?.raw), dead.message_id)
      assert.equal((await resend(dead.id)).status, 409)
      assert.equal(mails.length, 1)
      assert.deepEqual(await notices(failed), [])
    })

    test('are kept for an account without a contact, and can be sent when it has one', async (t) => {
      const { mails, contact, pass, notice, resend, wait } = await open(t)
      await pass()
      const kept = await notice()
      assert.deepEqual([kept.status, kept.target, kept.message_id], ['kept', null, null])
      const refused = await resend(kept.id)
      assert.deepEqual([refused.status, mails.length], [409, 0])
      assert.match(refused.body.error_msg, /acme has no contact/)
      await contact('owner@example.jp')
      assert.equal((await resend(kept.id)).status, 200)
      await wait(0)
      assert.equal(mails.length, 1)
    })

    test('are kept without a mail server; neither they nor chat messages can be sent by a call', async (t) => {
      const { contact, pass, notices, resend, set } = await openPassing(t)
      await contact('owner@example.jp')
      await set({ chat_config: { enabled: true, chat_url: 'https://127.0.0.1:9/' } })
      await pass()
      const [chat, mail] = await notices()
      assert.deepEqual([chat.channel, chat.status], ['chat', 'failed'])
      assert.deepEqual([mail.channel, mail.status, mail.target], ['email', 'kept', null])
      assert.match((await resend(mail.id)).body.error_msg, /There is no mail server/)
      assert.match((await resend(chat.id)).body.error_msg, /is no mail/)
      assert.equal((await resend(mail.id)).status, 409)
      assert.equal((await resend(123_456)).status, 404)
    })
  })
}

function decoded(encoding: string, text: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString()
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_hex, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
