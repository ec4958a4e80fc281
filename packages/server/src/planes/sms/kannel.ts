/**
 * Short messages by Kannel, through the `sendsms` of its smsbox. Kannel names no message in its answer: reports
 * come to an address that names it by a signed token, so our own id is its reference. A repeat is a second message
 * to Kannel, so a submit whose answer was lost is not repeated.
 */
import type { Log } from '../../kernel/log.ts'
import type {
  MessageId,
  Submission,
  SubmitAnswer,
  Transport,
  TransportCheck,
} from '../../services/sms/public.ts'
import { kannelMeaning } from './answer-rules.ts'
import { Gateway } from './gateway.ts'

export interface KannelOptions {
  readonly url: string
  readonly user: string
  readonly password: string
  /** Where Kannel reports on a message. */
  readonly reportUrl: (messageId: MessageId) => string
  readonly log: Log
}

/** Delivered, failed, buffered, submitted, rejected. */
const ALL_REPORTS = '31'
/** `%d` is the type of a report, `%F` the SMSC's id. Not `%A`: it may quote the text, with the password in it. */
const REPORT_QUERY = 'report=%d-%F'

export class KannelTransport implements Transport {
  readonly name = 'kannel'
  readonly address: string
  readonly leavesMachine = true
  readonly recognisesRepeats = false
  readonly #options: KannelOptions
  readonly #gateway: Gateway

  constructor(options: KannelOptions) {
    this.#options = options
    this.address = options.url
    this.#gateway = new Gateway(this.name, options.log)
  }

  submit(message: Submission, now: Date): Promise<SubmitAnswer> {
    const { messageId, retryCount } = message
    const url = this.#target({
      ...kannelParameters(message, now),
      'dlr-mask': ALL_REPORTS,
      'dlr-url': `${this.#options.reportUrl(messageId)}?${REPORT_QUERY}`,
    })
    return this.#gateway.submit({
      ...{ url, method: 'GET', retryCount, meaningOf: kannelMeaning },
      referenceIn: () => messageId,
    })
  }

  /** Kannel checks the user before it misses the receiver. */
  check(): Promise<TransportCheck> {
    return this.#gateway.check(this.#target({}), 'GET', ({ status, text }) => {
      if (status === 403) return { state: 'unauthorized', detail: 'user or password is wrong' }
      if (status === 400 && text.startsWith('Missing receiver')) {
        return { state: 'ready', detail: '' }
      }
      return { state: 'unexpected', detail: `it answers ${status}` }
    })
  }

  #target(parameters: Readonly<Record<string, string>>): URL {
    const { url, user: username, password } = this.#options
    const target = new URL(url)
    target.search = new URLSearchParams({ username, password, ...parameters }).toString()
    return target
  }
}

/** A Web OTP line is read by programs: its `@` is another character where a network mixes up alphabets. */
export function kannelParameters(
  { destination, text, encoding, validUntil }: Submission,
  now: Date,
): Readonly<Record<string, string>> {
  const isUcs2 = encoding !== 'GSM 7-bit' || text.includes('\n@')
  const minutes = Math.ceil((validUntil.getTime() - now.getTime()) / 60_000)
  return {
    ...{ to: destination, text, charset: 'UTF-8', validity: String(Math.max(1, minutes)) },
    ...(isUcs2 && { coding: '2' }),
  }
}
