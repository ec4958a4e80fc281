import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import {
  LOGIN,
  MAIL_TLS,
  type MailServerOptions,
  openMailServer,
} from '../../testing/mail-server.ts'
import { SmtpMailer, type SmtpParts } from './smtp.ts'

const MAIL = {
  to: 'owner@example.jp',
  language: 'ja' as const,
  messageId: '<1234@example.jp>',
  subject: 'モバイルゲートウェイの通信量が上限を超えました',
  text: '本文\n',
  html: '<p>本文</p>\n',
}

function mailerFor(port: number, more: Partial<SmtpParts> = {}, address: object = {}) {
  return new SmtpMailer({
    address: { host: 'localhost', port, isSmtps: false, login: undefined, ...address },
    from: { name: '雲居', address: 'noreply@example.jp' },
    ...{ needsStartTls: false, ca: undefined, ...more },
  })
}

async function open(
  t: TestContext,
  server: MailServerOptions = {},
  more: Partial<SmtpParts> = {},
  address: object = {},
) {
  const { mails, port } = await openMailServer(t, server)
  return { mails, port, mailer: mailerFor(port, more, { isSmtps: server.isSmtps, ...address }) }
}

const trusted = { needsStartTls: true, ca: MAIL_TLS.ca }

describe('a mail', () => {
  test('is one of two parts, with a subject in UTF-8 and the given Message-ID', async (t) => {
    const { mails, mailer } = await open(t)
    assert.deepEqual(await mailer.send(MAIL), { outcome: 'sent' })
    const { from, to, isEncrypted, raw = '' } = mails[0] ?? {}
    assert.deepEqual([from, to, isEncrypted], ['noreply@example.jp', ['owner@example.jp'], false])
    const [head = '', ...parts] = raw.split(/\r\n\r\n/)
    const unfolded = head.replace(/\r\n\s+/g, ' ')
    assert.match(unfolded, /^Message-ID: <1234@example\.jp>\r$/m)
    assert.match(unfolded, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(unfolded, /^Content-Language: ja\r$/m)
    assert.match(unfolded, /^Content-Type: multipart\/alternative;/m)
    assert.equal(decodeWords(/^Subject: (.*)\r$/m.exec(unfolded)?.[1] ?? ''), MAIL.subject)
    assert.equal(
      decodeWords(/^From: (.*)\r$/m.exec(unfolded)?.[1] ?? ''),
      '雲居 <noreply@example.jp>',
    )
    assert.match(parts.join('\n\n'), /text\/plain; charset=utf-8[\s\S]*text\/html; charset=utf-8/)
    assert.ok(/^[\x20-\x7e\r\n\t]*$/.test(head), 'the head is ASCII')
  })

  test('holds a line break of a subject or a name nowhere in its head', async (t) => {
    const { mails, mailer } = await open(t)
    const subject = 'a\r\nBcc: evil@example.jp\r\n\r\nbody'
    assert.deepEqual(await mailer.send({ ...MAIL, subject }), { outcome: 'sent' })
    assert.deepEqual(mails[0]?.to, ['owner@example.jp'])
    const head = mails[0]?.raw.split('\r\n\r\n')[0] ?? ''
    assert.doesNotMatch(head, /^Bcc:/m)
    assert.match(head, /^Content-Type: multipart/m)
  })
})

/** RFC 2047, both encodings. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_word, kind: string, value: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(value, 'base64').toString()
        : Buffer.from(
            value
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_hex, code) =>
                String.fromCharCode(Number.parseInt(code, 16)),
              ),
            'latin1',
          ).toString(),
    )
}

describe('TLS', () => {
  test('is there from the first byte with smtps', async (t) => {
    const { mails, mailer } = await open(t, { isSmtps: true }, trusted)
    assert.deepEqual(await mailer.send(MAIL), { outcome: 'sent' })
    assert.equal(mails[0]?.isEncrypted, true)
  })

  test('comes by STARTTLS with smtp, and nothing is sent to a server without it', async (t) => {
    const { mails, mailer } = await open(t, {}, trusted)
    assert.deepEqual(await mailer.send(MAIL), { outcome: 'sent' })
    assert.equal(mails[0]?.isEncrypted, true)
    const plain = await open(t, { hasStartTls: false }, trusted, { login: LOGIN })
    assert.equal((await plain.mailer.send(MAIL)).outcome, 'failed')
    assert.deepEqual(plain.mails, [])
  })

  for (const isSmtps of [true, false]) {
    test(`is refused with ${isSmtps ? 'smtps' : 'STARTTLS'} when nobody vouches for the certificate, or for another name`, async (t) => {
      const unknown = await open(t, { isSmtps }, { ...trusted, ca: undefined })
      const answer = await unknown.mailer.send(MAIL)
      assert.equal(answer.outcome, 'failed')
      assert.match(JSON.stringify(answer), /certificate|issuer/i)
      const other = mailerFor(unknown.port, trusted, { isSmtps, host: '127.0.0.1' })
      assert.match(JSON.stringify(await other.send(MAIL)), /"failed".*altnames/)
      assert.deepEqual(unknown.mails, [])
    })
  }
})

describe('a login', () => {
  test('is made with what the address holds', async (t) => {
    const server = { needsLogin: true }
    const { mails, mailer } = await open(t, server, trusted, { login: LOGIN })
    assert.deepEqual(await mailer.check(), { outcome: 'sent' })
    assert.equal(mails.length, 0)
    assert.deepEqual(await mailer.send(MAIL), { outcome: 'sent' })
    assert.equal(mails[0]?.login, LOGIN.user)
  })

  test('that is wrong or missing fails for now, and its password is in no reason', async (t) => {
    const login = { user: LOGIN.user, password: 'wr0ng-one' }
    const { port, mailer } = await open(t, { needsLogin: true }, trusted, { login })
    for (const answer of [await mailer.send(MAIL), await mailer.check()]) {
      assert.equal(answer.outcome, 'failed')
      assert.match(JSON.stringify(answer), /the login was refused: 535 Wrong password \*\*\*/)
    }
    assert.equal((await mailerFor(port, trusted).send(MAIL)).outcome, 'failed')
  })
})

describe('a refusal', () => {
  for (const [code, outcome] of [
    [450, 'failed'],
    [550, 'refused'],
  ] as const) {
    test(`of the recipient by ${code} is ${outcome}`, async (t) => {
      const { mailer } = await open(t, { recipientCode: () => code })
      const answer = await mailer.send(MAIL)
      assert.equal(answer.outcome, outcome)
      assert.match(JSON.stringify(answer), new RegExp(`the server has answered: ${code}`))
    })
    test(`of the content by ${code} is ${outcome}`, async (t) => {
      const { mailer } = await open(t, { contentCode: () => code })
      assert.equal((await mailer.send(MAIL)).outcome, outcome)
    })
  }
})

describe('a server', () => {
  test('that is not there fails for now', async () => {
    const { port, server } = await listenRaw(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    const answer = await mailerFor(port).send(MAIL)
    assert.match(JSON.stringify(answer), /"failed".*ECONNREFUSED/)
  })

  test('that closes the connection after the mail has come leaves it unknown: failed, to be tried again', async (t) => {
    const { mails, mailer } = await open(t, { breaksOff: true })
    assert.equal((await mailer.send(MAIL)).outcome, 'failed')
    assert.equal(mails.length, 1)
  })

  test('that says nothing, or a byte at a time, is given up', async (t) => {
    const times = { connectMs: 150, silenceMs: 150, wholeMs: 600 }
    const silent = await listenRaw(() => undefined)
    const slow = await listenRaw((socket) => {
      socket.write('220 hello\r\n')
      // An answer that never ends: each line announces another.
      const timer = setInterval(() => socket.write('250-more\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    t.after(() => {
      for (const { server } of [silent, slow]) server.close()
    })
    for (const { port } of [silent, slow]) {
      assert.equal((await mailerFor(port, { times }).send(MAIL)).outcome, 'failed')
      assert.equal((await mailerFor(port, { times }).check()).outcome, 'failed')
    }
  })
})

async function listenRaw(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}
