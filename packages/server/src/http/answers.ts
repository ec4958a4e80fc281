/** Puts answers on the wire. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../kernel/clock.ts'
import type { Arrival } from './arrival.ts'
import { endLate } from './bodies.ts'

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
export type Answered = (arrival: Arrival, status: number, body: unknown) => void

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

  /** From now on clients are told to come back on another connection. */
  close(): void {
    this.#isClosing = true
  }

  send(arrival: Arrival, response: ServerResponse, answer: Answer): void {
    const { status, body } = answer
    if (body instanceof Readable) {
      response.writeHead(status, this.#head(arrival, answer))
      void this.#pour(arrival, response, status, body)
      return
    }
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const head = this.#head(arrival, answer)
    head.push('content-length', String(length))
    response.writeHead(status, head)
    if (arrival.method === 'HEAD') response.end()
    else if (leavesRest(arrival, answer)) endLate(arrival.message, response, body)
    // Bytes of which each is a character need no encoding.
    else if (length === body.length && typeof body === 'string') response.end(body, 'latin1')
    else response.end(body)
    this.#answered(arrival, status, body)
  }

  /** The head promises the whole body; so many bytes of it follow, and then the connection is cut. */
  async cut(
    arrival: Arrival,
    response: ServerResponse,
    answer: Answer,
    bytes: number,
  ): Promise<void> {
    const body = Buffer.from(typeof answer.body === 'string' ? answer.body : '')
    const head = this.#head(arrival, answer)
    response.writeHead(answer.status, [...head, 'content-length', String(body.length)])
    response.flushHeaders()
    await new Promise<void>((resolve) => {
      response.write(body.subarray(0, bytes), () => resolve())
    })
    this.reset(arrival, response)
  }

  reset(arrival: Arrival, response: ServerResponse): void {
    response.destroy()
    this.#answered(arrival, response.statusCode, undefined)
  }

  async #pour(arrival: Arrival, response: ServerResponse, status: number, body: Readable) {
    const { socket } = response
    let isTold = false
    const tell = () => {
      if (!isTold) this.#answered(arrival, status, undefined)
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
  #head(arrival: Arrival, { media, headers }: Answer): string[] {
    const head = ['content-type', media, 'x-request-id', arrival.requestId]
    for (const name in headers) {
      for (const value of [headers[name]].flat()) head.push(name, String(value))
    }
    // Node would write the machine's time, also while the world's clock stands elsewhere.
    if (this.#clock.mode !== 'real') head.push('date', this.#clock.now().toUTCString())
    if (this.#isClosing && headers?.connection === undefined) head.push('connection', 'close')
    return head
  }
}

/** The connection ends here, and the client may still be sending. */
function leavesRest({ message }: Arrival, { headers }: Answer): boolean {
  return headers?.connection === 'close' && !message.readableEnded
}
