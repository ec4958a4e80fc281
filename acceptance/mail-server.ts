/** A real mail server (npm `smtp-server`) that keeps what it is sent. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface KeptMail {
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** Head and body as they came. */
  readonly raw: string
}

export interface MailServer {
  readonly url: string
  readonly mails: readonly KeptMail[]
  close(): Promise<void>
}

export interface MailServerOptions {
  /** With them it speaks STARTTLS, and takes mail only after TLS and the login. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly login?: { readonly user: string; readonly password: string }
  /** A free one unless it is given. */
  readonly port?: number
}

export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, login } = options
  const mails: KeptMail[] = []
  const server = new SMTPServer({
    ...{ ...tls, logger: false, closeTimeout: 1, authOptional: login === undefined },
    onAuth({ username, password }, _session, callback) {
      const isRight = username === login?.user && password === login?.password
      if (isRight) callback(null, { user: username })
      else callback(new Error('Wrong login'))
    },
    onData(stream, { envelope, secure }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.once('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, isEncrypted: secure, raw: Buffer.concat(chunks).toString('latin1') })
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const user = login === undefined ? '' : `${login.user}:${login.password}@`
  return {
    ...{ mails, url: `smtp://${user}localhost:${port}` },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
