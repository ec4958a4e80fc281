/** Requests to origins: with time limits, a limit of the body, and one failure for everything that can go wrong. */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { after, type Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { http, https } from '../../../kernel/node-http.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import { fieldValue, fromRaw } from '../policy/fields.ts'
import { type Agents, checkLiteral, newAgents } from './connect.ts'
import { endpointOf, type OriginCallOptions, serverCall, storageCall } from './endpoint.ts'
import { failureOf, OriginFailure } from './failure.ts'
import { plainStorageError, storageFields } from './storage-answer.ts'

export interface OriginRequest {
  readonly site: EdgeSite
  readonly method: string
  readonly target: string
  readonly fields: readonly string[]
  readonly body: Readable | undefined
}

/** Called in this order: `head`, any number of `data`, then `end`; or `fail` at any time, once, and nothing after it. */
export interface OriginHandlers {
  head(status: number, fields: string[]): void
  data(chunk: Buffer): void
  end(): void
  fail(failure: OriginFailure): void
}

export interface OriginCall {
  pause(): void
  resume(): void
  /** Nothing is called any more. */
  abort(): void
}

export interface OriginLimits {
  readonly connectMs: number
  /** From the request to the end of the head, however it comes. */
  readonly headMs: number
  /** Without a byte in either direction. */
  readonly idleMs: number
  readonly bodyBytes: number
}

export const ORIGIN_LIMITS: OriginLimits = {
  connectMs: 10_000,
  headMs: 60_000,
  idleMs: 60_000,
  bodyBytes: 2 ** 31 - 1,
}

const HEADER_BYTES_MAX = 65_536
/** A connection that was kept may have ended just when it was used. */
const ATTEMPTS_MAX = 3

export interface OriginOptions {
  readonly isForbiddenAddress: (address: string) => boolean
  readonly originRoots: readonly string[]
  readonly limits: OriginLimits
  readonly log: Log
  /** The machine's. */
  readonly machine: Clock
}

export interface OriginSender {
  send(request: OriginRequest, handlers: OriginHandlers): OriginCall
}

export class Origins implements OriginSender {
  readonly #options: OriginOptions
  readonly #agents: Agents

  constructor(options: OriginOptions) {
    this.#options = options
    this.#agents = newAgents(options.isForbiddenAddress, options.originRoots)
  }

  send(request: OriginRequest, handlers: OriginHandlers): OriginCall {
    const call = new Call(handlers, this.#options)
    this.#callOptions(request).then(
      (options) => this.#attempt(call, request, options, 1),
      (error: unknown) => call.fail(failureOf(error)),
    )
    return call
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  async #callOptions({ site, method, target, fields }: OriginRequest): Promise<OriginCallOptions> {
    const { origin, guardToken } = site
    if (origin.type === 'server') return serverCall(origin, target, fields, guardToken)
    return storageCall(origin, method, target, fields, this.#options.machine.now())
  }

  #attempt(call: Call, request: OriginRequest, options: OriginCallOptions, attempt: number): void {
    if (call.isOver) return
    try {
      const { origin } = request.site
      const { isTls, host, port, servername } = endpointOf(origin)
      checkLiteral(host, this.#options.isForbiddenAddress)
      const outgoing = (isTls ? https : http).request({
        ...{ host, port, method: request.method, path: options.path, headers: options.fields },
        agent: isTls ? this.#agents.https : this.#agents.http,
        timeout: this.#options.limits.idleMs,
        maxHeaderSize: HEADER_BYTES_MAX,
        ...(isTls && servername !== undefined && { servername }),
      } satisfies RequestOptions & { servername?: string })
      const isRepeatable = request.body === undefined && /^(?:GET|HEAD)$/.test(request.method)
      call.follow(outgoing, origin.type === 'storage', (error) => {
        const again = isRepeatable && outgoing.reusedSocket && attempt < ATTEMPTS_MAX
        if (again && failureOf(error).type === 'connection_terminated') {
          this.#attempt(call, request, options, attempt + 1)
        } else call.fail(failureOf(error))
      })
      if (request.body === undefined) outgoing.end()
      else request.body.pipe(outgoing)
    } catch (error) {
      call.fail(failureOf(error))
    }
  }
}

/** One request, over all attempts. */
class Call implements OriginCall {
  readonly #handlers: OriginHandlers
  readonly #limits: OriginLimits
  readonly #log: Log
  #outgoing: ClientRequest | undefined
  #message: IncomingMessage | undefined
  #received = 0
  isOver = false

  constructor(handlers: OriginHandlers, { limits, log }: OriginOptions) {
    this.#handlers = handlers
    this.#limits = limits
    this.#log = log
  }

  pause(): void {
    this.#message?.pause()
  }

  resume(): void {
    this.#message?.resume()
  }

  abort(): void {
    this.isOver = true
    this.#outgoing?.destroy()
  }

  fail(failure: OriginFailure): void {
    if (this.isOver) return
    this.abort()
    this.#handlers.fail(failure)
  }

  /** `failed` is called only before the head. */
  follow(outgoing: ClientRequest, isStorage: boolean, failed: (error: Error) => void): void {
    this.#outgoing = outgoing
    this.#limitConnecting(outgoing)
    this.#limitHead(outgoing)
    outgoing.on('timeout', () => {
      const type = this.#message ? 'connection_read_timeout' : 'http_response_timeout'
      this.fail(new OriginFailure(type, 'The origin is too slow.'))
    })
    outgoing.on('error', (error) => {
      if (this.isOver) return
      if (this.#message === undefined) failed(error)
      // Bytes after a complete body end the connection, but they are not the body's.
      else if (!this.#message.complete) this.fail(incomplete(error))
    })
    outgoing.on('response', (message) => this.#receive(message, isStorage))
    // Nobody has asked for another protocol. Without this, nothing would end the connection.
    outgoing.on('upgrade', (_message, socket) => {
      socket.destroy()
      this.fail(new OriginFailure('http_protocol_error', 'The origin speaks another protocol.'))
    })
  }

  /** One that sends a byte now and then is never idle. */
  #limitHead(outgoing: ClientRequest): void {
    const alarm = after(this.#limits.headMs, () =>
      this.fail(new OriginFailure('http_response_timeout', 'The origin is too slow.')),
    )
    outgoing.once('response', () => alarm.cancel())
    outgoing.once('close', () => alarm.cancel())
  }

  #limitConnecting(outgoing: ClientRequest): void {
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return
      const alarm = after(this.#limits.connectMs, () =>
        this.fail(
          new OriginFailure('connection_timeout', 'The origin does not accept connections.'),
        ),
      )
      socket.once('connect', () => alarm.cancel())
      socket.once('close', () => alarm.cancel())
    })
  }

  #receive(message: IncomingMessage, isStorage: boolean): void {
    this.#message = message
    const status = message.statusCode ?? 0
    const fields = fromRaw(message.rawHeaders)
    if (Number(fieldValue(fields, 'content-length') ?? 0) > this.#limits.bodyBytes) {
      this.fail(tooLarge())
      return
    }
    if (isStorage && status >= 400) {
      this.#answerPlainly(status)
      return
    }
    message.on('data', (chunk: Buffer) => {
      this.#received += chunk.length
      if (this.#received > this.#limits.bodyBytes) this.fail(tooLarge())
      else this.#guard(() => this.#handlers.data(chunk))
    })
    const end = () => {
      if (this.isOver) return
      this.isOver = true
      this.#handlers.end()
    }
    message.on('end', end)
    message.on('error', (error) => (message.complete ? end() : this.fail(incomplete(error))))
    this.#guard(() => this.#handlers.head(status, isStorage ? storageFields(fields) : fields))
  }

  /** A fault of ours ends this request, not the process. */
  #guard(work: () => void): void {
    if (this.isOver) return
    try {
      work()
    } catch (cause) {
      this.#log.error({ err: cause }, 'edge has failed to deliver')
      this.fail(new OriginFailure('proxy_internal_error', 'The edge has failed.', { cause }))
    }
  }

  /** What a bucket says about an error is for its owner, not for visitors. */
  #answerPlainly(given: number): void {
    this.#message?.resume()
    const { status, fields, text } = plainStorageError(given)
    this.#handlers.head(status, fields)
    if (this.isOver) return
    this.isOver = true
    this.#handlers.data(Buffer.from(text))
    this.#handlers.end()
  }
}

function incomplete(cause: Error): OriginFailure {
  return new OriginFailure('http_response_incomplete', 'The origin broke off.', { cause })
}

function tooLarge(): OriginFailure {
  return new OriginFailure('http_response_body_size', 'The origin has sent too large a body.')
}
