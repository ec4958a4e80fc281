/** Short messages through a real Kannel to the phones of an SMSC, and their receipts back. */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { engines } from './engines.ts'
import {
  configureKannel,
  documentedCommands,
  documentedFlags,
  noKannel,
  startKannel,
  startSmsc,
} from './kannel.ts'
import { freePort } from './ports.ts'
import { bannerOf, CLOUD, KUMOI, start, temporaryFolder } from './server.ts'
import { shellEnv } from './shell.ts'
import { waitFor } from './wait.ts'

const ITEM = '900000099201'
const SENDERS = 8
const MESSAGES = 400
/** The password of docs/sms.md. */
const PASSWORD = 'change-me'

interface Shown {
  readonly messageId: string
  readonly status: string
  readonly transport: string
  readonly reference: string | null
  readonly uncertain: boolean
  readonly retryCount: number
  readonly reports: readonly { readonly id: string; readonly status: string }[]
}

async function open(t: TestContext, flags: readonly string[]) {
  const folder = temporaryFolder(t)
  const smsc = await startSmsc(t)
  const kannel = await startKannel(t, folder, smsc)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'kannel.password')
  writeFileSync(passwordFile, `${PASSWORD}\n`)
  const begin = () => start(data, [...documentedFlags(kannel, passwordFile), ...flags])
  let server = await begin()
  t.after(() => server.stop())
  const token = () => readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const operator = (method: string, path: string, body?: unknown) =>
    server.operator(method, path, token(), body)
  const shown = async (id: string): Promise<Shown> => {
    const query = encodeURIComponent(JSON.stringify({ Filter: { messageId: [id] } }))
    return (await operator('GET', `/outbox/sms?${query}`)).body.messages[0]
  }
  return {
    ...{ smsc, kannel, data, passwordFile, operator, shown },
    /** The server ends without a warning, and another one goes on. */
    async restart(): Promise<void> {
      await server.stop('SIGKILL')
      server = await begin()
    },
    async send(destination: string, more: object = {}): Promise<string> {
      const ESME = {
        ...{ destination, sender: 'Acme', otpOperation: 'input', otp: 'A1B2C3', ...more },
      }
      const path = `${CLOUD}/commonserviceitem/${ITEM}/esme/2fa`
      const { status, body } = await server.ask('PUT', path, { body: { ESME } })
      assert.equal(status, 200, JSON.stringify(body))
      return body.ESME.messageId
    },
    async delivered(id: string): Promise<Shown> {
      await waitFor(`message ${id} to be Delivered`, async () => {
        return (await shown(id)).status === 'Delivered'
      })
      return shown(id)
    },
  }
}

for (const engine of engines) {
  describe(`Kannel on ${engine.name}`, { skip: noKannel }, () => {
    test('a message reaches the phone, and its receipt makes it Delivered', async (t) => {
      const { smsc, send, delivered, operator } = await open(t, await engine.flags())
      const id = await send('819012340001')
      const message = await delivered(id)
      assert.deepEqual(
        [message.transport, message.reference, message.uncertain],
        ['kannel', id, false],
      )
      // The report that the SMSC has it may come after the receipt.
      assert.ok(message.reports.some((one) => one.id === '1-smsc1' && one.status === 'Delivered'))
      const japanese = { destination: '819012340001', text: 'Acmeの認証コードは A1B2C3 です。' }
      assert.deepEqual(smsc.received, [{ ...japanese, parts: 1, coding: 8 }])

      await operator('POST', '/world', { version: 1, settings: { sms_language: 'en' } })
      const sender = 'Acme [x] {y} £5 é_~'
      await delivered(await send('819012340002', { sender }))
      assert.deepEqual(smsc.received[1], {
        ...{ destination: '819012340002', text: `Your ${sender} code is A1B2C3.` },
        ...{ parts: 1, coding: 0 },
      })
      await delivered(await send('819012340003', { domain_name: 'example.jp' }))
      assert.deepEqual(smsc.received[2], {
        destination: '819012340003',
        text: 'Your Acme code is A1B2C3.\n@example.jp #A1B2C3',
        ...{ parts: 1, coding: 8 },
      })
      await operator('POST', '/world', { version: 1, settings: { sms_language: 'ja' } })
      const long = { sender: '長'.repeat(64), domain_name: `${'a'.repeat(60)}.example.jp` }
      await delivered(await send('819012340004', long))
      assert.deepEqual(smsc.received[3], {
        destination: '819012340004',
        text: `${long.sender}の認証コードは A1B2C3 です。\n@${long.domain_name} #A1B2C3`,
        ...{ parts: 3, coding: 8 },
      })
      assert.equal(smsc.received.length, 4)
    })
  })
}

describe('Kannel', { skip: noKannel }, () => {
  test('that is throttled by its SMSC, or killed and started again, loses nothing', async (t) => {
    // Retries that are due after 5 seconds are due after half a second.
    const { smsc, kannel, send, shown, delivered, operator } = await open(t, [
      ...['--clock', 'scale:10'],
    ])
    smsc.throttle = 2
    await delivered(await send('819012340010'))
    assert.equal(smsc.throttled, 2)

    // One that Kannel has taken and not sent on, then some while there is no Kannel.
    smsc.stop()
    const taken = await send('819012340011')
    await waitFor('Kannel to take it', async () => (await shown(taken)).reference === taken)
    await kannel.kill()
    const away = [await send('819012340012'), await send('819012340013')]
    await waitFor('a retry', async () => (await shown(away[1] ?? '')).retryCount > 0)
    const { state } = (await operator('GET', '/sms/transport')).body
    assert.equal(state, 'unreachable')
    await smsc.start()
    await kannel.start()
    for (const id of [taken, ...away]) {
      const { uncertain } = await delivered(id)
      assert.equal(uncertain, false)
    }
    for (const destination of ['819012340010', '819012340011', '819012340012', '819012340013']) {
      assert.equal(smsc.textsOf(destination).length, 1, destination)
    }
  })

  test('gets no message twice from a server that is killed while it sends', async (t) => {
    const port = await freePort()
    const { smsc, send, restart, shown } = await open(t, [
      // Reports find the server again by the same address.
      ...['--http-port', `${port}`, '--public-url', `http://127.0.0.1:${port}`],
      ...['--clock', 'scale:10'],
    ])
    const answered = new Map<string, string>()
    const sender = async (first: number) => {
      for (let nth = first; nth < MESSAGES; nth += SENDERS) {
        const destination = `${819_012_350_000 + nth}`
        answered.set(await send(destination), destination)
      }
    }
    const sending = Promise.allSettled(Array.from({ length: SENDERS }, (_, nth) => sender(nth)))
    await waitFor('the first messages', () => smsc.received.length >= MESSAGES / 4)
    const before = smsc.received.length
    await restart()
    await sending
    assert.ok(answered.size > before, 'some were not sent when the server was killed')
    for (const [id, destination] of answered) {
      // Without a text, nobody knows whether it was submitted; with one, its receipt tells.
      await waitFor(`the receipt of ${id}, or that it is uncertain`, async () => {
        const { status, uncertain } = await shown(id)
        return smsc.textsOf(destination).length === 1 ? status === 'Delivered' : uncertain
      })
    }
    assert.equal(new Set(smsc.received.map((one) => one.destination)).size, smsc.received.length)
  })

  test('is set up by the walkthrough of its page, from the first command to the receipt', async (t) => {
    const folder = temporaryFolder(t)
    const smsc = await startSmsc(t)
    const kannel = await configureKannel(folder, smsc)
    const origin = `https://localhost:${await freePort()}`
    const [starting, then] = documentedCommands(kannel, origin)
    const options = { cwd: folder, env: shellEnv(folder) }
    // A process group of its own, so that the programs in the background end with it.
    const shell = spawn('bash', ['-e', '-c', starting], { ...options, detached: true })
    t.after(() => {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    })
    await bannerOf(shell)
    const run = (text: string) => promisify(execFile)('bash', ['-e', '-c', text], options)
    await waitFor('Kannel', () => kannel.isReady())
    const { stdout } = await run(then)
    assert.match(stdout, /^ok +sms +kannel at \S+ takes messages/m)
    assert.match(stdout, /"status":"Accepted"/)
    await waitFor('the receipt', async () => {
      const listed = await run('npx kumoi sms outbox-list --output json')
      return /"status": ?"Delivered"/.test(listed.stdout)
    })
    assert.equal(smsc.textsOf('819012345678').length, 1)
  })

  test('is checked by the doctor, who tells a wrong password from a right one', async (t) => {
    const { data, kannel, passwordFile, smsc } = await open(t, [])
    const doctor = (folder: string) => {
      const args = [KUMOI, 'doctor', '--data', folder]
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return { status, line: stdout.split('\n').find((line) => line.includes('  sms ')) ?? '' }
    }
    const well = doctor(data)
    assert.deepEqual([well.status, well.line.slice(0, 2)], [0, 'ok'])
    assert.match(well.line, /kannel at http:\/\/127\.0\.0\.1:\d+\/cgi-bin\/sendsms takes messages/)
    writeFileSync(passwordFile, 'another')
    const other = join(temporaryFolder(t), 'data')
    const second = await start(other, documentedFlags(kannel, passwordFile))
    t.after(() => second.stop())
    const ill = doctor(other)
    assert.equal(ill.status, 1)
    assert.match(ill.line, /^wrong .* is unauthorized: user or password is wrong$/)
    assert.deepEqual(smsc.received, [])
  })
})
