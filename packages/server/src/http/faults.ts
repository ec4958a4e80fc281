/** Lets a request suffer the faults that are armed for its operation (docs/adr/0072). */
import type { ServerResponse } from 'node:http'
import { type Clock, pause } from '../kernel/clock.ts'
import { Refusal, type RefusalCode, TooManyRequests } from '../kernel/errors.ts'
import {
  FAULT_CODES,
  FAULT_HEADER,
  type FaultBook,
  type FaultEffect,
  parseFaultHeader,
} from '../services/control/public.ts'
import { type Answer, type Answers, JSON_MEDIA } from './answers.ts'
import type { Arrival } from './arrival.ts'

export interface FaultsOptions {
  readonly book: FaultBook
  readonly clock: Clock
  /** Whether a request may ask for a fault of its own. */
  readonly headerCounts: boolean
  readonly answers: Answers
}

const NOTHING: Answer = { status: 200, media: JSON_MEDIA, body: '' }

export class Faults {
  readonly #options: FaultsOptions

  constructor(options: FaultsOptions) {
    this.#options = options
  }

  /** Whether this request could have to suffer anything. */
  concern({ headers }: Arrival): boolean {
    const { book, headerCounts } = this.#options
    return book.isArmed || (headerCounts && headers[FAULT_HEADER] !== undefined)
  }

  /**
   * `work` reads the input, runs the handler and commits; its refusals come through untouched. Undefined
   * when the connection is gone and nothing can be answered any more.
   */
  async suffer(
    arrival: Arrival,
    response: ServerResponse,
    work: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { headerCounts, answers } = this.#options
    const header = headerCounts ? arrival.headers[FAULT_HEADER] : undefined
    const own = typeof header === 'string' ? parseFaultHeader(header) : undefined
    const strike = (phase: 'before' | 'after') => [
      ...(own?.phase === phase ? [own.effect] : []),
      ...this.#strike(arrival, phase),
    ]
    const isCut = async (phase: 'before' | 'after', answer: Answer) => {
      for (const effect of strike(phase)) {
        if ('status' in effect) throw failureFor(effect.status, effect.retryAfterSeconds)
        if ('latencyMs' in effect) {
          await pause(effect.latencyMs)
          continue
        }
        if ('truncateBytes' in effect) {
          await answers.cut(arrival, response, answer, effect.truncateBytes)
        } else answers.reset(arrival, response)
        return true
      }
      return false
    }
    if (await isCut('before', NOTHING)) return undefined
    const answer = await work()
    return (await isCut('after', answer)) ? undefined : answer
  }

  #strike(arrival: Arrival, phase: 'before' | 'after'): FaultEffect[] {
    const { book, clock } = this.#options
    const { name: operation, caller } = arrival
    return book.strike({ operation, account: caller?.accountCode, phase, at: clock.now() })
  }
}

class InjectedFailure extends Refusal {
  readonly code: RefusalCode

  constructor(code: RefusalCode) {
    super('This failure was ordered by a test.', 'テストで指定された障害です。')
    this.code = code
  }
}

function failureFor(status: number, retryAfterSeconds: number): Refusal {
  const code = FAULT_CODES.get(status)
  if (code === undefined) throw new Error(`There is no failure with the status ${status}.`)
  if (code !== 'too_many_request') return new InjectedFailure(code)
  const { en, ja } = new InjectedFailure(code).text
  return new TooManyRequests(retryAfterSeconds, en, ja)
}
