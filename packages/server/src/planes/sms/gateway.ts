/** What both transports do alike: ask their gateway, judge its answer, and log when it begins to fail. */
import type { Log } from '../../kernel/log.ts'
import type { SubmitAnswer, TransportCheck, TransportName } from '../../services/sms/public.ts'
import { type Meaning, throttled } from './answer-rules.ts'
import {
  type GatewayAnswer,
  GatewayFailure,
  type GatewayRequest,
  requestGateway,
} from './gateway-request.ts'
import { ProblemLog } from './problem-log.ts'

/** A message on its way to the gateway. */
export interface Submit extends GatewayRequest {
  readonly url: URL
  readonly retryCount: number
  readonly meaningOf: (status: number) => Meaning
  /** Of an accepted message; undefined when the answer names none. */
  readonly referenceIn: (answer: GatewayAnswer) => string | undefined
}

export class Gateway {
  readonly #problems: ProblemLog

  constructor(transport: TransportName, log: Log) {
    this.#problems = new ProblemLog(log, transport)
  }

  /** Throws when nobody can know whether the gateway has the message. */
  async submit(submit: Submit): Promise<SubmitAnswer> {
    const { retryCount, meaningOf, referenceIn } = submit
    const answer = await this.#send(submit)
    if (answer === undefined) return throttled(retryCount)
    const { status, headers } = answer
    const meaning = meaningOf(status)
    if (meaning !== 'accepted') this.#problems.add(`it answers ${status}`)
    if (meaning === undefined) throw new Error(`The gateway answers ${status}.`)
    if (meaning === 'throttled') return throttled(retryCount, headers)
    if (meaning === 'refused') return { answer: 'refused' }
    const reference = referenceIn(answer)
    if (reference === undefined) {
      this.#problems.add(`it answers ${status} without a reference`)
      throw new Error('The answer of the gateway has no reference.')
    }
    this.#problems.clear()
    return { answer: 'accepted', reference }
  }

  async check(
    url: URL,
    method: GatewayRequest['method'],
    judge: (answer: GatewayAnswer) => TransportCheck,
  ): Promise<TransportCheck> {
    try {
      return judge(await requestGateway(url, { method }))
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error
      return { state: 'unreachable', detail: error.message }
    }
  }

  /** Undefined without a connection: nothing was sent, and the message is tried again. */
  async #send({ url, ...request }: Submit): Promise<GatewayAnswer | undefined> {
    try {
      return await requestGateway(url, request)
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error
      this.#problems.add(error.message)
      if (error.isSent) throw error
      return undefined
    }
  }
}
