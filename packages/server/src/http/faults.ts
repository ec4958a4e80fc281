/** Lets a request suffer the faults that are armed for its operation (docs/adr/0072). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, pause } from '../kernel/clock.ts'
import { Refusal, type RefusalCode, TooManyRequests } from '../kernel/errors.ts'
import {
  FAULT_CODES,
  FAULT_HEADER,
  type FaultBook,
  type FaultEffect,
  parseFaultHeader,
} from '../services/control/public.ts'

/** An answer that is ready to be sent. */
export interface Rendered {
  readonly status: number
  readonly media: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export type Faults = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Rendered>,
) => Promise<FastifyReply>

/** `work` reads the input, runs the handler and commits; its refusals come through untouched. */
export function faultsFrom(book: FaultBook, clock: Clock, headerCounts: boolean): Faults {
  return async (request, reply, work) => {
    const header = headerCounts ? request.headers[FAULT_HEADER] : undefined
    const own = typeof header === 'string' ? parseFaultHeader(header) : undefined
    const strike = (phase: 'before' | 'after') => [
      ...(own?.phase === phase ? [own.effect] : []),
      ...book.strike({
        operation: request.arrival.operation?.name ?? '',
        account: request.arrival.caller?.accountCode,
        phase,
        at: clock.now(),
      }),
    ]
    for (const effect of strike('before')) {
      if (await suffer(effect, reply)) return reply
    }
    const answer = await work()
    for (const effect of strike('after')) {
      if (await suffer(effect, reply, answer)) return reply
    }
    return send(reply, answer)
  }
}

export function send(reply: FastifyReply, answer: Rendered): FastifyReply {
  const { status, media, headers = {}, body } = answer
  return reply.status(status).headers(headers).type(media).send(body)
}

/** True when the connection is gone and nothing can be answered any more. */
async function suffer(
  effect: FaultEffect,
  reply: FastifyReply,
  answer?: Rendered,
): Promise<boolean> {
  if ('status' in effect) throw failureOf(effect.status, effect.retryAfterSeconds)
  if ('latencyMs' in effect) {
    await pause(effect.latencyMs)
    return false
  }
  reply.hijack()
  if ('truncateBytes' in effect) await sendPart(reply, effect.truncateBytes, answer)
  reply.raw.destroy()
  return true
}

/** The head promises the whole body; so many bytes of it follow. */
async function sendPart(reply: FastifyReply, count: number, answer?: Rendered): Promise<void> {
  const body = Buffer.from(typeof answer?.body === 'string' ? answer.body : '')
  reply.type(answer?.media ?? '').header('content-length', body.length)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.statusCode = answer?.status ?? 200
  reply.raw.flushHeaders()
  await new Promise<void>((resolve) => {
    reply.raw.write(body.subarray(0, count), () => resolve())
  })
}

class InjectedFailure extends Refusal {
  readonly code: RefusalCode

  constructor(code: RefusalCode) {
    super('This failure was ordered by a test.', 'テストで指定された障害です。')
    this.code = code
  }
}

function failureOf(status: number, retryAfterSeconds: number): Refusal {
  const code = FAULT_CODES.get(status)
  if (code === undefined) throw new Error(`There is no failure with the status ${status}.`)
  if (code !== 'too_many_request') return new InjectedFailure(code)
  const { en, ja } = new InjectedFailure(code).text
  return new TooManyRequests(retryAfterSeconds, en, ja)
}
