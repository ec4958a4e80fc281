/** Requests by HTTP/2, through streams: Node's compatible interface costs more than a third of the speed. */
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Readable } from 'node:stream'
import { textAnswer } from '../delivery/answers.ts'
import type { Exchange } from '../delivery/exchange.ts'
import type { Head } from '../delivery/head.ts'
import type { RequestFields } from '../policy/fields.ts'
import { HEADER_BYTES_MAX, HEADER_COUNT_MAX, type Http1Parts } from './http1.ts'
import { isForwarded, targetOf } from './request-target.ts'

const SESSION_IDLE_MS = 120_000
const STREAMS_MAX = 128

/** Connections come from the TLS server, which has seen that they speak HTTP/2. */
export function newHttp2Server(parts: Http1Parts): Http2Server {
  const server = createServer({
    maxHeaderListPairs: HEADER_COUNT_MAX,
    maxSessionMemory: 16,
    settings: {
      maxConcurrentStreams: STREAMS_MAX,
      maxHeaderListSize: HEADER_BYTES_MAX,
      enablePush: false,
    },
  })
  server.on('session', (session: ServerHttp2Session) => {
    session.setTimeout(SESSION_IDLE_MS, () => session.close())
  })
  // What a client does to its own connection is no fault of ours.
  server.on('sessionError', () => undefined)
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number) => {
    stream.on('error', () => undefined)
    receive(stream, headers, flags, parts)
  })
  return server
}

function receive(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  parts: Http1Parts,
): void {
  const fields = asFields(headers)
  const { ':method': method = '', ':path': path = '', ':authority': authority } = fields
  if (!isForwarded(method)) {
    refuse(stream, 405, 'The method is not allowed.')
    return
  }
  const isContradictory =
    authority !== undefined && fields.host !== undefined && fields.host !== authority
  const target = isContradictory ? undefined : targetOf(path, authority ?? fields.host)
  if (target === undefined || !path.startsWith('/')) {
    refuse(stream, 400, 'The request is malformed.')
    return
  }
  const hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0
  parts.handle(new Http2Exchange(stream, fields, target.host, target.target, hasBody, parts))
}

function refuse(stream: ServerHttp2Stream, status: number, text: string): void {
  const { head, body } = textAnswer(status, text)
  stream.respond({ ...head.http2 })
  stream.end(body)
}

/** Node gives lists for Set-Cookie alone, and joins the rest. */
function asFields(headers: IncomingHttpHeaders): RequestFields {
  return headers as RequestFields
}

class Http2Exchange implements Exchange {
  readonly #stream: ServerHttp2Stream
  readonly #hasBody: boolean
  readonly #parts: Http1Parts
  readonly fields: RequestFields
  readonly host: string
  readonly target: string
  readonly isTls = true
  readonly httpVersion = '2.0'

  constructor(
    stream: ServerHttp2Stream,
    fields: RequestFields,
    host: string,
    target: string,
    hasBody: boolean,
    parts: Http1Parts,
  ) {
    this.#stream = stream
    this.#hasBody = hasBody
    this.#parts = parts
    this.fields = fields
    this.host = host
    this.target = target
  }

  get method(): string {
    return this.fields[':method'] ?? ''
  }

  get address(): string {
    return this.#parts.addressOf(this.#stream.session?.socket.remoteAddress ?? '', this.fields)
  }

  get body(): Readable | undefined {
    return this.#hasBody ? this.#stream : undefined
  }

  get isClosed(): boolean {
    return this.#stream.closed || this.#stream.destroyed
  }

  send(head: Head, body: Buffer | undefined): void {
    if (this.isClosed) return
    this.#stream.respond(head.http2, { endStream: body === undefined })
    if (body !== undefined) this.#stream.end(body)
  }

  begin(head: Head): void {
    if (!this.isClosed) this.#stream.respond(head.http2)
  }

  write(chunk: Buffer): boolean {
    return this.#stream.write(chunk)
  }

  onDrain(drained: () => void): void {
    this.#stream.once('drain', drained)
  }

  end(): void {
    this.#stream.end()
  }

  abort(): void {
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  onClose(closed: () => void): void {
    this.#stream.once('close', closed)
  }
}
