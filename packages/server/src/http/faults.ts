/** Applies the faults that are armed for an operation (docs/adr/0015-faults.md). */
import type { ServerResponse } from 'node:http'
import { type Clock, pause } from '../kernel/clock.ts'
import { Refusal, type RefusalCode, TooManyRequests } from '../kernel/errors.ts'
import { type Answer, type AnswerWriter, JSON_MEDIA } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { codeOf } from './failure.ts'

export type FaultEffect =
  | { readonly status: number; readonly retryAfterSeconds: number }
  | { readonly latencyMs: number }
  | { readonly reset: true }
  | { readonly truncateBytes: number }

type Phase = 'before' | 'after'

/** Where faults come from. */
export interface FaultSource {
  readonly book: {
    readonly isArmed: boolean
    /** The effects on this call, in the order in which they were armed. */
    strike(call: {
      readonly operation: string
      readonly account: string | undefined
      readonly phase: Phase
      readonly at: Date
    }): readonly FaultEffect[]
  }
  /** By which a request can order its own fault, where a setting allows it. */
  readonly header?:
    | { readonly name: string; parse(text: string): { phase: Phase; effect: FaultEffect } }
    | undefined
}

const NO_ANSWER: Answer = { status: 200, media: JSON_MEDIA, body: '' }

export class Faults {
  readonly #source: FaultSource
  readonly #clock: Clock
  readonly #writer: AnswerWriter

  constructor(source: FaultSource, clock: Clock, writer: AnswerWriter) {
    this.#source = source
    this.#clock = clock
    this.#writer = writer
  }

  /** Whether any fault could concern this request. */
  mayApply({ headers }: Exchange): boolean {
    const { book, header } = this.#source
    return book.isArmed || (header !== undefined && headers[header.name] !== undefined)
  }

  /** Runs `handle` with the faults before and after it; undefined when one has cut the connection. */
  async apply(
    exchange: Exchange,
    response: ServerResponse,
    handle: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { header } = this.#source
    const text = header === undefined ? undefined : exchange.headers[header.name]
    const own = typeof text === 'string' ? header?.parse(text) : undefined
    const effects = (phase: Phase) => [
      ...(own?.phase === phase ? [own.effect] : []),
      ...this.#effectsOn(exchange, phase),
    ]
    if (await this.#cutsOff(effects('before'), exchange, response, NO_ANSWER)) return undefined
    const answer = await handle()
    if (await this.#cutsOff(effects('after'), exchange, response, answer)) return undefined
    return answer
  }

  #effectsOn({ name: operation, caller }: Exchange, phase: Phase): readonly FaultEffect[] {
    const { book } = this.#source
    return book.strike({
      ...{ operation, account: caller?.accountCode, phase },
      at: this.#clock.now(),
    })
  }

  /** True when an effect has ended the connection; a failure is thrown. */
  async #cutsOff(
    effects: readonly FaultEffect[],
    exchange: Exchange,
    response: ServerResponse,
    answer: Answer,
  ): Promise<boolean> {
    for (const effect of effects) {
      if ('status' in effect) throw failureFor(effect.status, effect.retryAfterSeconds)
      if ('latencyMs' in effect) {
        await pause(effect.latencyMs)
        continue
      }
      if ('truncateBytes' in effect) {
        await this.#writer.truncate(exchange, response, answer, effect.truncateBytes)
      } else this.#writer.reset(exchange, response)
      return true
    }
    return false
  }
}

class InjectedFailure extends Refusal {
  readonly code: RefusalCode

  constructor(code: RefusalCode) {
    super('This failure was injected by a test.', 'テストで指定された障害です。')
    this.code = code
  }
}

function failureFor(status: number, retryAfterSeconds: number): Refusal {
  const code = codeOf(status)
  if (code === undefined) throw new Error(`There is no failure with the status ${status}.`)
  if (code !== 'too_many_request') return new InjectedFailure(code)
  const { en, ja } = new InjectedFailure(code).text
  return new TooManyRequests(retryAfterSeconds, en, ja)
}
