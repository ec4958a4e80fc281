/**
 * Short messages by any HTTP gateway: a POST that is signed as webhooks are (docs/sms.md). Whether a gateway
 * recognises a repeat by its messageId is not known, so a submit whose answer was lost is not repeated.
 */
import type { Log } from '../../kernel/log.ts'
import { signWebhook } from '../../services/iot/public.ts'
import type {
  Submission,
  SubmitAnswer,
  Transport,
  TransportCheck,
} from '../../services/sms/public.ts'
import { httpMeaning, referenceIn } from './answer-rules.ts'
import { Gateway } from './gateway.ts'

export interface HttpOptions {
  readonly url: string
  readonly secret: string
  readonly log: Log
}

export class HttpTransport implements Transport {
  readonly name = 'http'
  readonly address: string
  readonly leavesMachine = true
  readonly recognisesRepeats = false
  readonly #options: HttpOptions
  readonly #gateway: Gateway

  constructor(options: HttpOptions) {
    this.#options = options
    this.address = options.url
    this.#gateway = new Gateway(this.name, options.log)
  }

  submit(message: Submission, now: Date): Promise<SubmitAnswer> {
    const { messageId, destination, sender, text, encoding, segments, retryCount } = message
    const body = Buffer.from(
      JSON.stringify({ messageId, destination, sender, text, encoding, segments }),
    )
    const { url, secret } = this.#options
    const seconds = Math.floor(now.getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(secret, messageId, seconds, body),
    }
    return this.#gateway.submit({
      ...{ url: new URL(url), method: 'POST', headers, body, retryCount },
      ...{ meaningOf: httpMeaning, referenceIn },
    })
  }

  /** Only that something answers: a gateway shows with the first message whether it knows the secret. */
  check(): Promise<TransportCheck> {
    return this.#gateway.check(new URL(this.#options.url), 'HEAD', ({ status }) => {
      if (status === 401 || status === 403) {
        return { state: 'unauthorized', detail: `it answers ${status}` }
      }
      // Few answer HEAD where they take POST; that there is an answer is enough.
      if (status < 500) return { state: 'ready', detail: '' }
      return { state: 'unexpected', detail: `it answers ${status}` }
    })
  }
}
