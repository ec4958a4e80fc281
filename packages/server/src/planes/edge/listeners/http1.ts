/** Requests by HTTP/1.1. */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { textAnswer } from '../delivery/answers.ts'
import type { Exchange } from '../delivery/exchange.ts'
import type { Head } from '../delivery/head.ts'
import type { RequestFields } from '../policy/fields.ts'
import { isForwarded, targetOf } from './request-target.ts'

export const HEADER_BYTES_MAX = 16_384
export const HEADER_COUNT_MAX = 128

export const HTTP1_OPTIONS: ServerOptions = {
  maxHeaderSize: HEADER_BYTES_MAX,
  requestTimeout: 300_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // Two Host fields become one that is no host; Node would drop the second one.
  joinDuplicateHeaders: true,
  noDelay: true,
}

/** Without a byte in either direction, while a body is sent. */
const SOCKET_IDLE_MS = 120_000

export interface Http1Parts {
  readonly handle: (exchange: Exchange) => void
  /** How long the head of a request may take. */
  readonly headMs: number
  readonly addressOf: (peer: string, fields: RequestFields) => string
}

export function serveHttp1(server: Server, isTls: boolean, parts: Http1Parts): void {
  // All are counted below: Node would drop those beyond a limit without a word.
  server.maxHeadersCount = 0
  // Small answers need none of their own: the next request is waited for as long as a connection is kept.
  server.timeout = 0
  server.headersTimeout = parts.headMs
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers, rawHeaders } = request
    if (rawHeaders.length > 2 * HEADER_COUNT_MAX) return refuse(response, 431, 'Too many fields.')
    // Joined fields are texts; the one that stays a list, Set-Cookie, is none of a request.
    const fields = headers as RequestFields
    const target = targetOf(url, fields.host)
    if (target === undefined) return refuse(response, 400, 'The request is malformed.')
    if (!isForwarded(method)) return refuse(response, 405, 'The method is not allowed.')
    parts.handle(new Http1Exchange(request, response, target.host, target.target, isTls, parts))
  })
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
}

function refuse(response: ServerResponse, status: number, text: string): void {
  const { head, body } = textAnswer(status, text, ['connection', 'close'])
  response.writeHead(status, [...head.fields])
  response.end(body)
}

class Http1Exchange implements Exchange {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #parts: Http1Parts
  readonly host: string
  readonly target: string
  readonly isTls: boolean

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    target: string,
    isTls: boolean,
    parts: Http1Parts,
  ) {
    this.#request = request
    this.#response = response
    this.#parts = parts
    this.host = host
    this.target = target
    this.isTls = isTls
  }

  get method(): string {
    return this.#request.method ?? ''
  }

  get fields(): RequestFields {
    return this.#request.headers as RequestFields
  }

  get httpVersion(): string {
    return this.#request.httpVersion
  }

  get address(): string {
    return this.#parts.addressOf(this.#request.socket.remoteAddress ?? '', this.fields)
  }

  get body(): Readable | undefined {
    const { 'content-length': length, 'transfer-encoding': coding } = this.#request.headers
    return coding !== undefined || (length !== undefined && length !== '0')
      ? this.#request
      : undefined
  }

  get isClosed(): boolean {
    return this.#response.closed
  }

  send(head: Head, body: Buffer | undefined, text?: string): void {
    if (text === undefined) {
      this.begin(head)
      this.#response.end(body)
    } else {
      this.#writeHead(head)
      this.#response.end(text, 'latin1')
    }
  }

  begin(head: Head): void {
    this.#response.setTimeout(SOCKET_IDLE_MS)
    this.#writeHead(head)
  }

  #writeHead({ status, fields }: Head): void {
    // Node does not change the list.
    this.#response.writeHead(status, fields as string[])
  }

  write(chunk: Buffer): boolean {
    return this.#response.write(chunk)
  }

  onDrain(drained: () => void): void {
    this.#response.once('drain', drained)
  }

  end(): void {
    this.#response.end()
  }

  abort(): void {
    this.#response.destroy()
  }

  onClose(closed: () => void): void {
    this.#response.once('close', closed)
  }
}
