/** A device passes a quota and a mail arrives, by STARTTLS and with a login, in the language of each account. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makePair } from './console/certificates.ts'
import { engines } from './engines.ts'
import { openMailServer } from './mail-server.ts'
import { CLOUD, type ServerProcess, start, temporaryFolder } from './server.ts'

const LOGIN = { user: 'kumoi', password: 'acc3ptance-secret' }

const account = (code: string, language: string) => ({
  ...{ code, name: code, contact: { email: `${code}@example.jp`, language } },
  keys: [{ token: `${code}-token`, secret: `${code}-secret`, permission: 'create' }],
})
const WORLD = {
  version: 1,
  accounts: [account('tokyo', 'ja'), account('london', 'en')],
  sim_cards: [{ iccid_from: '8981040000000005000', count: 2, passcode: 'pass' }],
}

/** A gateway with a quota of 1 MB, and a device in it that sends two. */
async function passQuota(server: ServerProcess, token: string, code: string, card: number) {
  const iccid = `898104000000000500${card}`
  const key = `${code}-token:${code}-secret`
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await server.ask(method, `${CLOUD}${path}`, { body, key })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const Remark = { Servers: [{}], Switch: { Scope: 'shared' } }
  const made = await ask('POST', '/appliance', {
    Appliance: { Name: `倉庫 ${code}`, Class: 'mobilegateway', Plan: { ID: 2 }, Remark },
  })
  const gateway = `/appliance/${made.Appliance.ID}/mobilegateway`
  await ask('PUT', `${gateway}/traffic_monitoring`, {
    traffic_monitoring_config: {
      ...{ traffic_quota_in_mb: 1, auto_traffic_shaping: false },
      email_config: { enabled: true },
    },
  })
  const sim = await ask('POST', '/commonserviceitem', {
    CommonServiceItem: {
      ...{ Name: 'van', Provider: { Class: 'sim' } },
      ...{ Status: { ICCID: iccid }, Remark: { PassCode: 'pass' } },
    },
  })
  const id = sim.CommonServiceItem.ID
  await ask('PUT', `/commonserviceitem/${id}/sim/activate`)
  await ask('POST', `${gateway}/sims`, { sim: { resource_id: id } })
  const device = (verb: string, body: object) =>
    server.operator('POST', `/devices/${iccid}/${verb}`, token, body)
  await device('attach', { imei: '350000000000001', carrier: 'carrier-a' })
  await device('traffic', { uplink_bytes: 2_000_000, downlink_bytes: 0 })
}

/** The subject and the plain part, decoded: RFC 2047 and both encodings of a body. */
function readMail(raw: string) {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(head)?.[1]?.trim() ?? ''
  const subject = header('Subject')
    .replaceAll('?= =?', '?==?')
    .replace(/=\?UTF-8\?(B|Q)\?(.*?)\?=/gi, (_word, kind: string, text: string) =>
      decoded(kind === 'B' ? 'base64' : 'quoted-printable', text.replaceAll('_', ' ')),
    )
  const part = /text\/plain[\s\S]*?Encoding: (\S+)\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)
  return { header, subject, text: decoded(part?.[1] ?? '', part?.[2] ?? '') }
}

function decoded(encoding: string, text: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString()
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_hex, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

for (const engine of engines) {
  describe(`mail on ${engine.name}`, () => {
    test('arrives when a device passes a quota, once, in both languages, also after a crash', async (t) => {
      const folder = temporaryFolder(t)
      const { mails, notices, begin, advance } = await prepare(t, folder, await engine.flags())
      let server = await begin()
      const token = readFileSync(join(folder, 'data', 'operator.token'), 'utf8').trim()
      await passQuota(server, token, 'tokyo', 0)
      await passQuota(server, token, 'london', 1)
      // The mail server is not there yet, and the server dies.
      while ((await notices(server, token)).some(({ attempts }) => attempts !== 1)) await pause(20)
      await server.stop('SIGKILL')
      const mail = await mails()
      server = await begin()
      await advance(server, token)
      const sent = await notices(server, token)
      assert.deepEqual(
        sent.map(({ status, target }) => [status, target]),
        [
          ['sent', 'london@example.jp'],
          ['sent', 'tokyo@example.jp'],
        ],
      )
      await advance(server, token)
      assert.deepEqual(mail.mails.map(({ to, isEncrypted }) => [...to, isEncrypted]).sort(), [
        ['london@example.jp', true],
        ['tokyo@example.jp', true],
      ])
      for (const [code, subject, line] of [
        ['tokyo', 'モバイルゲートウェイ 倉庫 tokyo の通信量が上限を超えました', '上限: 1 MB'],
        ['london', 'Mobile gateway 倉庫 london has passed its traffic quota', 'Quota: 1 MB'],
      ] as const) {
        const { raw = '' } = mail.mails.find(({ to }) => to[0] === `${code}@example.jp`) ?? {}
        const read = readMail(raw)
        assert.equal(read.subject, subject)
        assert.ok(read.text.split(/\r?\n/).includes(line), read.text)
        assert.match(read.header('Content-Type'), /^multipart\/alternative;/)
        assert.equal(read.header('From'), 'Kumoi <noreply@example.jp>')
        const ids = sent.map(({ message_id }) => message_id)
        assert.ok(ids.includes(read.header('Message-ID')))
      }
      const shown = await Promise.all(
        ['/world', '/mail', '/outbox/notices', '/requests'].map((path) =>
          server.operator('GET', path, token),
        ),
      )
      const { stdout, stderr } = await server.stop()
      const everything = JSON.stringify(shown.map(({ body }) => body)) + stdout + stderr
      assert.ok(everything.includes('tokyo@example.jp'))
      assert.ok(!everything.includes(LOGIN.password), 'the password is shown nowhere')
    })
  })
}

/** The mail server begins at a port that was free before. */
async function prepare(t: TestContext, folder: string, flags: readonly string[]) {
  const { certificate: cert, key } = makePair('/CN=localhost', 'subjectAltName=DNS:localhost')
  const options = { tls: { cert, key }, login: LOGIN }
  const first = await openMailServer(options)
  await first.close()
  const files = { url: first.url, 'ca.pem': cert, 'world.json': JSON.stringify(WORLD) }
  const at = (name: string) => join(folder, name)
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text)
  const args = [
    ...['--smtp-url-file', at('url'), '--smtp-ca-file', at('ca.pem'), '--smtp-tls', 'required'],
    ...['--mail-from', 'Kumoi <noreply@example.jp>', '--world', at('world.json')],
    ...['--provisioning-seconds', '0', ...flags],
  ]
  const port = Number(URL.parse(first.url)?.port)
  return {
    begin: () => start(at('data'), [...args, '--clock', 'frozen@2026-04-01T00:00:00+09:00']),
    async mails() {
      const server = await openMailServer({ ...options, port })
      t.after(() => server.close())
      return server
    },
    async notices(server: ServerProcess, token: string): Promise<Notice[]> {
      return (await server.operator('GET', '/outbox/notices', token)).body.notices
    },
    async advance(server: ServerProcess, token: string): Promise<void> {
      const answer = await server.operator('POST', '/clock/advance', token, { by: '3m' })
      assert.equal(answer.status, 200)
    },
  }
}

interface Notice {
  readonly status: string
  readonly target: string
  readonly attempts: number
  readonly message_id: string
}
