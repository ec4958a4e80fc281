/**
 * The express lane: the plain case of an operation, straight from `node:http` to its handler and back. It
 * takes a request when nothing about it is special (a route of a contract, a key that was verified a moment
 * ago, JSON both ways, no fault armed) and leaves every other one to the framework, which can do all of
 * it, also what the lane does (docs/adr/0150).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { Zone } from '../kernel/zone.ts'
import { FAULT_HEADER, type FaultBook } from '../services/control/public.ts'
import { type Arrival, type Incoming, newArrival, requestIdOf } from './arrival.ts'
import { failureOf, JSON_MEDIA } from './failures.ts'
import type { Rendered } from './faults.ts'
import { RouteTree } from './route-tree.ts'

export interface Express {
  readonly name: string
  readonly operation: Operation
  readonly zones: readonly Zone[]
  known(authorization: string | undefined, operation: Operation): Caller | undefined
  serve(request: Incoming): Promise<Rendered>
}

export interface LaneOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly faults: FaultBook
  readonly faultHeader: boolean
  readonly trustProxy: readonly string[]
  readonly bodyLimitBytes: number
  /** Told of each answer, as the framework's hooks are. */
  answered(request: Incoming, status: number, answer: string): void
}

export class Lane {
  readonly #options: LaneOptions
  readonly #routes = new RouteTree<Express>()
  #isClosed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  add(path: string, express: Express): void {
    if (isPlain(express.operation)) this.#routes.add(express.operation.method, path, express)
  }

  /** The framework tells clients to go away while it closes. */
  close(): void {
    this.#isClosed = true
  }

  /** True when the request is taken care of. */
  take(message: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', url = '', headers } = message
    if (this.#isClosed || this.#isSpecial(headers)) return false
    const end = url.indexOf('?')
    const found = this.#routes.find(method, end < 0 ? url : url.slice(0, end))
    if (found === undefined) return false
    const { name, operation, zones, known } = found.value
    const zone = zones.find((one) => one === found.params.zone)
    if (zone === undefined && found.params.zone !== undefined) return false
    const caller = known(headers.authorization, operation)
    if (caller === undefined) return false

    const id = randomHex(this.#options.random, 32)
    const arrival = newArrival(id, headers)
    arrival.operation = { name, operation }
    arrival.caller = caller
    if (zone !== undefined) arrival.zone = zone
    const query = { text: end < 0 ? '' : url.slice(end + 1) }
    const request = new LaneRequest(message, arrival, found.params, query)
    if (hasBody(message)) this.#collect(message, response, request, found.value)
    else void this.#serve(response, request, found.value)
    return true
  }

  #isSpecial(headers: IncomingMessage['headers']): boolean {
    const { faults, faultHeader, trustProxy } = this.#options
    if (faults.isArmed || (faultHeader && headers[FAULT_HEADER] !== undefined)) return true
    // Whose word counts is for the framework to say.
    return trustProxy.length > 0 && headers['x-forwarded-host'] !== undefined
  }

  #collect(
    message: IncomingMessage,
    response: ServerResponse,
    request: LaneRequest,
    express: Express,
  ): void {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = () => this.#fail(response, request, TOO_LARGE)
    if (Number(message.headers['content-length'] ?? 0) > this.#options.bodyLimitBytes) {
      tooLarge()
      return
    }
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= this.#options.bodyLimitBytes) chunks.push(chunk)
      else if (!response.headersSent) tooLarge()
    })
    message.on('end', () => {
      if (response.headersSent) return
      request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
      void this.#serve(response, request, express)
    })
  }

  async #serve(response: ServerResponse, request: LaneRequest, { serve }: Express): Promise<void> {
    try {
      const { status, media, body } = await serve(request)
      this.#send(response, request, status, ['content-type', media], String(body))
    } catch (error) {
      this.#fail(response, request, error)
    }
  }

  #fail(response: ServerResponse, request: LaneRequest, error: unknown): void {
    const { status, headers, body } = failureOf(error, request, this.#options.log)
    const head = [...Object.entries(headers).flat(), 'content-type', JSON_MEDIA]
    this.#send(response, request, status, head, body)
  }

  #send(
    response: ServerResponse,
    request: LaneRequest,
    status: number,
    head: string[],
    body: string,
  ): void {
    const { clock, answered } = this.#options
    const length = Buffer.byteLength(body)
    head.push('x-request-id', requestIdOf(request), 'content-length', String(length))
    // Node would write the machine's time, also while the world's clock stands elsewhere.
    if (clock.mode !== 'real') head.push('date', clock.now().toUTCString())
    response.writeHead(status, head)
    // Bytes of which each is a character need no encoding.
    response.end(body, length === body.length ? 'latin1' : 'utf8')
    answered(request, status, body)
  }
}

/** What the lane can do: JSON in and out, within the usual limit. */
function isPlain({ media, textBody, bodyLimitMib }: Operation): boolean {
  return media === undefined && textBody === undefined && bodyLimitMib === undefined
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET') return false
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** As the framework says it. */
const TOO_LARGE = Object.assign(new Error('The body is too large.'), { statusCode: 413 })

class LaneRequest implements Incoming {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly params: unknown
  readonly query: unknown
  readonly socket: IncomingMessage['socket']
  readonly arrival: Arrival
  body: unknown

  constructor(message: IncomingMessage, arrival: Arrival, params: unknown, query: unknown) {
    this.id = arrival.serial
    this.method = message.method ?? ''
    this.url = message.url ?? ''
    this.headers = message.headers
    this.params = params
    this.query = query
    this.socket = message.socket
    this.arrival = arrival
  }

  get originalUrl(): string {
    return this.url
  }

  get protocol(): 'http' | 'https' {
    return 'encrypted' in this.socket ? 'https' : 'http'
  }

  get host(): string {
    return this.headers.host ?? ''
  }
}
