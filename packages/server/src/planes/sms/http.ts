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
import { httpMeaning, referenceIn, throttled } from './answer-rules.ts'
import { type GatewayAnswer, GatewayFailure, requestGateway } from './gateway-request.ts'
import { ProblemLog } from './problem-log.ts'

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
  readonly #problems: ProblemLog

  constructor(options: HttpOptions) {
    this.#options = options
    this.address = options.url
    this.#problems = new ProblemLog(options.log, this.name)
  }

  async submit(message: Submission, now: Date): Promise<SubmitAnswer> {
    const answer = await this.#post(message, now)
    if (answer === undefined) return throttled(message.retryCount)
    const { status, headers } = answer
    const meaning = httpMeaning(status)
    if (meaning !== 'accepted') this.#problems.add(`it answers ${status}`)
    if (meaning === undefined) throw new Error(`The gateway answers ${status}.`)
    if (meaning === 'throttled') return throttled(message.retryCount, headers)
    if (meaning === 'refused') return { answer: 'refused' }
    const reference = referenceIn(answer)
    if (reference === undefined) {
      this.#problems.add(`it answers ${status} without a reference`)
      throw new Error('The answer of the gateway has no reference.')
    }
    this.#problems.clear()
    return { answer: 'accepted', reference }
  }

  /** Only that something answers: a gateway shows with the first message whether it knows the secret. */
  async check(): Promise<TransportCheck> {
    try {
      const { status } = await requestGateway(new URL(this.#options.url), { method: 'HEAD' })
      if (status === 401 || status === 403) {
        return { state: 'unauthorized', detail: `it answers ${status}` }
      }
      // Few answer HEAD where they take POST; that there is an answer is enough.
      if (status < 500) return { state: 'ready', detail: '' }
      return { state: 'unexpected', detail: `it answers ${status}` }
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error
      return { state: 'unreachable', detail: error.message }
    }
  }

  /** Undefined without a connection: nothing was sent, and the message is tried again. */
  async #post(message: Submission, now: Date): Promise<GatewayAnswer | undefined> {
    const { messageId, destination, sender, text, encoding, segments } = message
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
    try {
      return await requestGateway(new URL(url), { method: 'POST', headers, body })
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error
      this.#problems.add(error.message)
      if (error.isSent) throw error
      return undefined
    }
  }
}
