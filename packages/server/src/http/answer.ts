/** Sends answers. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Clock, pause } from '../kernel/clock.ts'
import { httpDate } from '../kernel/datetime.ts'
import type { Exchange } from './exchange.ts'

export const JSON_MEDIA = 'application/json; charset=utf-8'

/** How long, and how much, a client that was refused may go on sending. */
const LINGER_MS = 2000
const LINGER_BYTES = 64 * 1024 * 1024

export function toText(body: object, isIndented: boolean): string {
  return isIndented ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body)
}

/** An answer that is ready to be sent. */
export interface Answer {
  readonly status: number
  readonly media: string
  readonly headers?: Readonly<Record<string, OutgoingHttpHeader>>
  readonly body: string | Buffer | Readable
}

/** How an exchange ended, for the log, the metrics and the inspector. */
export interface Outcome {
  readonly exchange: Exchange
  readonly status: number
  /** Undefined for a stream, and when the connection was cut off. */
  readonly body: string | Buffer | undefined
  readonly at: Date
  readonly milliseconds: number
}

export class AnswerWriter {
  readonly #clock: Clock
  readonly #onResponse: (outcome: Outcome) => void
  #isClosing = false

  constructor(clock: Clock, onResponse: (outcome: Outcome) => void) {
    this.#clock = clock
    this.#onResponse = onResponse
  }

  /** From now on every answer closes its connection. */
  close(): void {
    this.#isClosing = true
  }

  send(exchange: Exchange, response: ServerResponse, answer: Answer): void {
    const { status, body } = answer
    const now = this.#clock.now()
    const head = this.#head(exchange, answer, now)
    if (body instanceof Readable) {
      response.writeHead(status, head)
      void this.#stream(exchange, response, status, body)
      return
    }
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    if (status !== 204) head.push('content-length', String(length))
    response.writeHead(status, head)
    const isEarly = answer.headers?.connection === 'close' && !exchange.message.readableEnded
    if (exchange.method === 'HEAD') response.end()
    else if (isEarly) endAfterRequest(exchange, response, body)
    // Where each character is one byte, no encoding is needed.
    else if (length === body.length && typeof body === 'string') response.end(body, 'latin1')
    else response.end(body)
    this.#report(exchange, status, body, now)
  }

  /** Promises the whole body in the head, sends its first bytes and cuts the connection. */
  async truncate(
    exchange: Exchange,
    response: ServerResponse,
    answer: Answer,
    bytes: number,
  ): Promise<void> {
    const body = Buffer.from(typeof answer.body === 'string' ? answer.body : '')
    const head = this.#head(exchange, answer, this.#clock.now())
    response.writeHead(answer.status, [...head, 'content-length', String(body.length)])
    response.flushHeaders()
    await new Promise<void>((resolve) => {
      response.write(body.subarray(0, bytes), () => resolve())
    })
    this.reset(exchange, response)
  }

  reset(exchange: Exchange, response: ServerResponse): void {
    response.destroy()
    this.#report(exchange, response.statusCode, undefined, this.#clock.now())
  }

  async #stream(exchange: Exchange, response: ServerResponse, status: number, body: Readable) {
    const { socket } = response
    let isReported = false
    const onEnd = () => {
      if (!isReported) this.#report(exchange, status, undefined, this.#clock.now())
      isReported = true
      // Its head was sent before the closing began and promised to keep the connection.
      if (this.#isClosing) socket?.end()
    }
    response.once('finish', onEnd).once('close', onEnd)
    try {
      if (exchange.method !== 'HEAD') return await pipeline(body, response)
      body.destroy()
      response.end()
    } catch {
      // Either side has gone; what was sent cannot be taken back.
      response.destroy()
    }
  }

  /** In the flat form of `writeHead`, which copies no object: name, value, name, value. */
  #head({ requestId }: Exchange, { media, headers }: Answer, now: Date): string[] {
    // Node would send the machine's time, also while the world's clock stands elsewhere.
    const head = ['content-type', media, 'x-request-id', requestId, 'date', httpDate(now)]
    for (const name in headers) {
      for (const value of [headers[name]].flat()) head.push(name, String(value))
    }
    if (this.#isClosing && headers?.connection === undefined) head.push('connection', 'close')
    return head
  }

  #report(exchange: Exchange, status: number, body: Outcome['body'], at: Date): void {
    this.#onResponse({ exchange, status, body, at, milliseconds: exchange.elapsedMs })
  }
}

/**
 * Ends an answer whose request is still being received. Closing the connection at once would reset it,
 * and the client could lose what it has not read yet; so the rest is received and dropped, within limits.
 */
function endAfterRequest(
  { message }: Exchange,
  response: ServerResponse,
  body: string | Buffer,
): void {
  response.write(body)
  const end = () => response.end()
  void pause(LINGER_MS).then(end)
  let size = 0
  message.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > LINGER_BYTES) end()
  })
  message.once('end', end).once('close', end).resume()
}
