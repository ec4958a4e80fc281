/** Puts answers on the wire. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../kernel/clock.ts'
import { httpDate } from '../kernel/datetime.ts'
import { http } from '../kernel/node-http.ts'
import type { Arrival } from './arrival.ts'
import { endLate } from './bodies.ts'
import type { PlainAnswer } from './express.ts'

/** Longer than most clients and proxies keep a connection, so that it is not us who cut one in use. */
export const KEEP_ALIVE_SECONDS = 72
const KEEP_ALIVE = `connection: keep-alive\r\nkeep-alive: timeout=${KEEP_ALIVE_SECONDS}\r\n`

export const JSON_MEDIA = 'application/json; charset=utf-8'

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

/** Told of each request that has its answer, and of those that were cut off instead. */
export type Answered = (arrival: Arrival, status: number, body: unknown, at: Date) => void

/** As told by the edge to those who keep it: when it was, and how long it took. */
export interface Outcome {
  readonly arrival: Arrival
  readonly status: number
  readonly body: unknown
  readonly at: Date
  readonly milliseconds: number
}

export class Answers {
  readonly #clock: Clock
  readonly #answered: Answered
  #isClosing = false

  constructor(clock: Clock, answered: Answered) {
    this.#clock = clock
    this.#answered = answered
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** From now on clients are told to come back on another connection. */
  close(): void {
    this.#isClosing = true
  }

  send(arrival: Arrival, response: ServerResponse, answer: Answer): void {
    const { status, body } = answer
    const now = this.#clock.now()
    const head = this.#head(arrival, answer, now)
    if (body instanceof Readable) {
      response.writeHead(status, head)
      void this.#pour(arrival, response, status, body)
      return
    }
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    head.push('content-length', String(length))
    response.writeHead(status, head)
    const rest = restOf(arrival, answer)
    if (arrival.method === 'HEAD') response.end()
    else if (rest !== undefined) endLate(rest, response, body)
    // Bytes of which each is a character need no encoding.
    else if (length === body.length && typeof body === 'string') response.end(body, 'latin1')
    else response.end(body)
    this.#answered(arrival, status, body, now)
  }

  /** The same, all of it, for a connection that is not Node's. */
  plain(arrival: Arrival, answer: Answer): PlainAnswer {
    const { status, body } = answer
    if (typeof body !== 'string') throw new Error(`${arrival.name} has answered with no text.`)
    const now = this.#clock.now()
    const head = this.#head(arrival, answer, now)
    const length = Buffer.byteLength(body)
    let text = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`
    for (let at = 0; at < head.length; at += 2) text += `${head[at]}: ${head[at + 1]}\r\n`
    const isLast = this.#isClosing || answer.headers?.connection === 'close'
    text += `${isLast ? '' : KEEP_ALIVE}content-length: ${length}\r\n\r\n${body}`
    this.#answered(arrival, status, body, now)
    return { text, encoding: length === body.length ? 'latin1' : 'utf8', isLast }
  }

  /** The head promises the whole body; so many bytes of it follow, and then the connection is cut. */
  async cut(
    arrival: Arrival,
    response: ServerResponse,
    answer: Answer,
    bytes: number,
  ): Promise<void> {
    const body = Buffer.from(typeof answer.body === 'string' ? answer.body : '')
    const head = this.#head(arrival, answer, this.#clock.now())
    response.writeHead(answer.status, [...head, 'content-length', String(body.length)])
    response.flushHeaders()
    await new Promise<void>((resolve) => {
      response.write(body.subarray(0, bytes), () => resolve())
    })
    this.reset(arrival, response)
  }

  reset(arrival: Arrival, response: ServerResponse): void {
    response.destroy()
    this.#answered(arrival, response.statusCode, undefined, this.#clock.now())
  }

  async #pour(arrival: Arrival, response: ServerResponse, status: number, body: Readable) {
    const { socket } = response
    let isTold = false
    const tell = () => {
      if (!isTold) this.#answered(arrival, status, undefined, this.#clock.now())
      isTold = true
      // Its head was sent before the closing began, so the client would keep the connection.
      if (this.#isClosing) socket?.end()
    }
    response.once('finish', tell).once('close', tell)
    try {
      if (arrival.method !== 'HEAD') return await pipeline(body, response)
      body.destroy()
      response.end()
    } catch {
      // Either side went away in the middle; what was sent cannot be taken back.
      response.destroy()
    }
  }

  /** As `writeHead` takes it without making an object of it: names and values in turns. */
  #head(arrival: Arrival, { media, headers }: Answer, now: Date): string[] {
    // Node would write the machine's time, also while the world's clock stands elsewhere.
    const date = httpDate(now)
    const head = ['content-type', media, 'x-request-id', arrival.requestId, 'date', date]
    for (const name in headers) {
      for (const value of [headers[name]].flat()) head.push(name, String(value))
    }
    if (this.#isClosing && headers?.connection === undefined) head.push('connection', 'close')
    return head
  }
}

/** What the client may still be sending while the connection ends here. */
function restOf({ message }: Arrival, { headers }: Answer): IncomingMessage | undefined {
  return headers?.connection === 'close' && !message?.readableEnded ? message : undefined
}
