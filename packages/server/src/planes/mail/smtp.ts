/**
 * Mail by SMTP, through `nodemailer`, which is loaded when the first mail is sent. Each mail has a connection of its
 * own: notices are few, and a connection that is kept open would have to be watched. We drive the connection ourselves
 * instead of through a transport, to be able to close it when the whole takes too long: a server that answers a byte
 * at a time passes every limit of silence.
 */
import { getCACertificates } from 'node:tls'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Mailbox } from '../../kernel/mail-address.ts'
import { type SmtpAddress, smtpText } from '../../kernel/smtp-address.ts'
import {
  type Mail,
  type Mailer,
  SEND_SECONDS_MAX,
  type SendResult,
} from '../../services/mail/public.ts'
import { failureOf } from './failure.ts'

export interface SmtpParts {
  readonly address: SmtpAddress
  readonly from: Mailbox
  /** Whether `smtp://` has to use STARTTLS; it is not used otherwise. */
  readonly needsStartTls: boolean
  /** A CA in PEM that is trusted besides those of Node. */
  readonly ca: string | undefined
  readonly times?: Times
}

interface Times {
  readonly connectMs: number
  readonly silenceMs: number
  readonly wholeMs: number
}

const TIMES: Times = {
  connectMs: 10_000,
  silenceMs: 20_000,
  // The rest is for the job that sends it.
  wholeMs: SEND_SECONDS_MAX * 1000 - 10_000,
}

/** No answer of a mail server needs more. */
const ANSWER_BYTES_MAX = 64 * 1024

export class SmtpMailer implements Mailer {
  readonly server: string
  readonly from: Mailbox
  readonly #parts: SmtpParts
  readonly #times: Times

  constructor(parts: SmtpParts) {
    this.server = smtpText(parts.address)
    this.from = parts.from
    this.#parts = parts
    this.#times = parts.times ?? TIMES
  }

  send(mail: Mail): Promise<SendResult> {
    return this.#use(async (connection) => {
      const content = await compose(mail, this.from)
      const envelope = { from: this.from.address, to: [mail.to] }
      await called((done) => connection.send(envelope, content, done))
    })
  }

  /** Connected and logged in is all there is to see. */
  check(): Promise<SendResult> {
    return this.#use(async () => undefined)
  }

  async #use(act: (connection: SmtpConnection) => Promise<void>): Promise<SendResult> {
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const { login } = this.#parts.address
    const connection = new Connection(this.#options())
    const broken = new Promise<never>((_resolve, reject) => {
      connection.on('error', reject)
      connection.on('end', () => reject(new Error('the server has closed the connection')))
      const limit = AbortSignal.timeout(this.#times.wholeMs)
      limit.addEventListener('abort', () => reject(new Error('it has taken too long')))
    })
    const steps = async () => {
      await called((done) => connection.connect(done))
      if (login !== undefined) {
        const credentials = { user: login.user, pass: login.password }
        await called((done) => connection.login({ credentials }, done))
      }
      await act(connection)
    }
    try {
      await Promise.race([steps(), broken])
      return { outcome: 'sent' }
    } catch (error) {
      return failureOf(error, login?.password)
    } finally {
      connection.close()
    }
  }

  #options() {
    const { address, needsStartTls, ca } = this.#parts
    const { host, port, isSmtps } = address
    const { connectMs, silenceMs } = this.#times
    return {
      ...{ host, port, secure: isSmtps, maxResponseSize: ANSWER_BYTES_MAX },
      ...(isSmtps ? {} : { requireTLS: needsStartTls, ignoreTLS: !needsStartTls }),
      tls: {
        minVersion: 'TLSv1.2' as const,
        ...(ca && { ca: [...getCACertificates('default'), ca] }),
      },
      ...{ connectionTimeout: connectMs, dnsTimeout: connectMs },
      ...{ greetingTimeout: connectMs, socketTimeout: silenceMs },
    }
  }
}

async function compose(mail: Mail, from: Mailbox): Promise<Buffer> {
  const { to, messageId, language, subject, text, html } = mail
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    ...{ from, to: { name: '', address: to }, messageId, subject, text, html },
    headers: {
      'Content-Language': language,
      // RFC 3834: nobody answers it by machine.
      'Auto-Submitted': 'auto-generated',
    },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  return composer.compile().build()
}

/** Calls what takes a callback with an error. */
function called(call: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()))
  })
}
