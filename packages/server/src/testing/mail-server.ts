/** A real SMTP server (npm `smtp-server`) in the hands of a test, with TLS, a login and answers that the test chooses. */
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { RunningClock } from '../kernel/clock.ts'
import { systemRandom } from '../kernel/random.ts'
import { loadOrMakeTls } from '../tls/local-ca.ts'

/** For localhost, and not for its address. */
export const MAIL_TLS = loadOrMakeTls({
  folder: undefined,
  names: ['localhost'],
  now: new RunningClock().now(),
  randomBytes: (count) => systemRandom.bytes(count),
})

export const LOGIN = { user: 'kumoi', password: 'mail-p4ssword' }

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  readonly login: string | undefined
  /** Head and body as they came. */
  readonly raw: string
}

export interface MailServerOptions {
  /** TLS from the first byte. */
  readonly isSmtps?: boolean
  readonly hasStartTls?: boolean
  readonly needsLogin?: boolean
  /** The code that a recipient, or the content of a mail, is refused with; 0 takes it. */
  readonly recipientCode?: (address: string) => number
  readonly contentCode?: (count: number) => number
  /** A mail that has come is not answered: the connection is closed. Without TLS. */
  readonly breaksOff?: boolean
}

export async function openMailServer(
  t: Pick<TestContext, 'after'>,
  options: MailServerOptions = {},
) {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const refusal = (code: number) =>
    Object.assign(new Error(`${code === 450 ? 'Come back later' : 'No such mailbox'}`), {
      responseCode: code,
    })
  const server = new SMTPServer({
    ...{ cert: MAIL_TLS.cert, key: MAIL_TLS.key, secure: options.isSmtps ?? false },
    ...{
      authOptional: !options.needsLogin,
      allowInsecureAuth: true,
      logger: false,
      closeTimeout: 1,
    },
    disabledCommands: options.hasStartTls === false ? ['STARTTLS'] : [],
    onAuth({ username, password }, _session, callback) {
      const isRight = username === LOGIN.user && password === LOGIN.password
      if (isRight) callback(null, { user: username })
      else callback(new Error(`Wrong password ${password}`))
    },
    onRcptTo({ address }, _session, callback) {
      const code = options.recipientCode?.(address) ?? 0
      callback(code === 0 ? null : refusal(code))
    },
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.once('end', () => {
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          login: user,
          raw: Buffer.concat(chunks).toString('latin1'),
        })
        if (options.breaksOff) {
          for (const socket of sockets) socket.destroy()
          return
        }
        const code = options.contentCode?.(mails.length) ?? 0
        callback(code === 0 ? null : refusal(code))
      })
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { mails, port }
}
