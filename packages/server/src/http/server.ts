/** The HTTP edge: what is the same for every operation. Only `http/` knows Fastify. */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer, type Server as TlsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { InjectOptions, Response as InjectResponse } from 'light-my-request'
import type { Logger } from 'pino'
import type { Clock } from '../kernel/clock.ts'
import type { Contract } from '../kernel/contract.ts'
import { NotFound, Refusal } from '../kernel/errors.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { FaultBook } from '../services/control/public.ts'
import { type Incoming, newArrival, requestIdOf } from './arrival.ts'
import { answerBrokenRequest, answerFailure, plainHttpBody } from './failures.ts'
import { type Faults, faultsFrom } from './faults.ts'
import { type Inspection, inspect, inspector } from './inspection.ts'
import { Lane } from './lane.ts'
import { type Mount, mount } from './mount.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { KnownRoutes } from './routes-known.ts'
import { refusePlainHttp } from './tls/tls-port.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
/** From the first byte of a request to its last; large files go by another door. */
const REQUEST_TIMEOUT_MS = 300_000

export interface EdgeOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Takes the line of an answered request, whole; without it the log makes and writes them. */
  readonly writeLine?: (line: string) => void
  readonly metrics: RequestMetrics
  readonly faults: FaultBook
  /** Whether a request may ask for a fault of its own. */
  readonly faultHeader: boolean
  readonly inspection: Inspection
  readonly prefix: string
  /** The header that asks for an indented answer; its name is a vendor word. */
  readonly beautifyHeader: string
  readonly checkAnswers: boolean
  readonly trustProxy: readonly string[]
  /** Without it the server speaks plain HTTP, as for `inject` in tests. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
}

class MethodNotAllowed extends Refusal {
  readonly code = 'method_not_allowed'
}

export class Edge {
  readonly server: FastifyInstance
  readonly #options: EdgeOptions
  readonly #known = new KnownRoutes()
  readonly #withFaults: Faults
  readonly #lane: Lane
  #plain: Server | undefined

  constructor(options: EdgeOptions) {
    this.#options = options
    this.#withFaults = faultsFrom(options.faults, options.clock, options.faultHeader)
    const note = inspector(options.inspection, options.clock)
    this.#lane = new Lane({
      ...options,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      answered: (request, status, answer) => {
        this.#record(request, status)
        note(request, status, answer)
      },
    })
    this.server = fastify(frameworkOptions(options, this.#lane))
    this.server.removeAllContentTypeParsers()
    this.server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    this.#addHooks()
    inspect(this.server, note, options.inspection.log)
    this.server.addHook('preClose', async () => this.#lane.close())
    this.server.setErrorHandler((error: Error, request, reply) =>
      answerFailure(error, request, reply, options.log),
    )
    this.server.setNotFoundHandler((request, reply) => {
      const methods = this.#known.methodsOf(request.url.split('?')[0] ?? '')
      if (methods.length === 0) {
        throw new NotFound('There is nothing at this path.', 'このパスには何もありません。')
      }
      reply.header('allow', methods.join(', '))
      throw new MethodNotAllowed(
        `This path has: ${methods.join(', ')}.`,
        `使えるメソッド: ${methods.join(', ')}`,
      )
    })
  }

  mount<C extends Contract, HandlerContext>(mounted: Mount<C, HandlerContext>): void {
    const { prefix, beautifyHeader, checkAnswers } = this.#options
    this.#known.add(mounted.family, mounted.contract, prefix)
    const parts = { withFaults: this.#withFaults, lane: this.#lane }
    mount(this.server, { prefix, beautifyHeader, checkAnswers, ...parts }, mounted)
  }

  /** Answers with the port, which the system has chosen when 0 was asked for. */
  async listen(host: string, port: number): Promise<number> {
    try {
      await this.server.listen({ host, port })
    } catch (error) {
      throw cannotListen(host, port, error)
    }
    return portOf(this.server.server)
  }

  /** A second listener without TLS, for tools on this machine. */
  async listenPlain(port: number): Promise<number> {
    await this.server.ready()
    const plain = createHttpServer((request, response) => {
      if (!this.#lane.take(request, response)) this.server.routing(request, response)
    })
    await new Promise<void>((resolve, reject) => {
      plain.once('error', (error) => reject(cannotListen('127.0.0.1', port, error)))
      plain.listen(port, '127.0.0.1', resolve)
    })
    this.#plain = plain
    return portOf(plain)
  }

  /** Requests under way are answered; no new connection is taken. */
  async close(): Promise<void> {
    const plain = this.#plain
    await Promise.all([
      this.server.close(),
      plain &&
        new Promise<void>((resolve) => {
          plain.close(() => resolve())
          plain.closeIdleConnections()
        }),
    ])
  }

  /** Calls the edge as a request over a socket would, without one. */
  async inject(options: InjectOptions): Promise<InjectResponse> {
    await this.server.ready()
    // Loaded only by tests.
    const { inject } = await import('light-my-request')
    return inject((request, response) => {
      if (!this.#lane.take(request, response)) this.server.routing(request, response)
    }, options)
  }

  #addHooks(): void {
    const { clock } = this.#options
    this.server.decorateRequest('arrival')
    this.server.addHook('onRequest', (request, reply, done) => {
      request.arrival = newArrival(request.id, request.headers)
      // Bodies are JSON whatever the Content-Type says (docs/adr/0008).
      request.headers['content-type'] = 'application/json'
      reply.header('x-request-id', requestIdOf(request))
      // Node would write the machine's time, also while the world's clock stands elsewhere.
      if (clock.mode !== 'real') reply.header('date', clock.now().toUTCString())
      done()
    })
    this.server.addHook('onResponse', (request, reply, done) => {
      this.#record(request, reply.statusCode)
      done()
    })
  }

  /** One line in the log, and the counts. */
  #record(request: Incoming, status: number): void {
    const { clock, log, metrics, writeLine } = this.#options
    const { arrival } = request
    const name = arrival.operation?.name ?? 'unknown'
    const milliseconds = arrival.elapsedMs()
    metrics.record(name, status, milliseconds)
    if (!log.isLevelEnabled('info')) return
    const requestId = requestIdOf(request)
    const account = arrival.caller?.accountCode
    const ms = Math.round(milliseconds * 1000) / 1000
    if (writeLine === undefined) {
      const { id: serial, method } = request
      log.info({ serial, request_id: requestId, method, operation: name, account, status, ms })
      return
    }
    // By hand: what can hold anything is quoted by JSON, the rest are our own names and numbers.
    const shownId = requestId === request.id ? `"${requestId}"` : JSON.stringify(requestId)
    const shownAccount = account === undefined ? '' : `"account":${JSON.stringify(account)},`
    writeLine(
      `{"level":"info","time":"${clock.now().toISOString()}","serial":"${request.id}","request_id":${shownId},"method":${JSON.stringify(request.method)},"operation":"${name}",${shownAccount}"status":${status},"ms":${ms}}\n`,
    )
  }
}

function frameworkOptions(options: EdgeOptions, lane: Lane): FastifyHttpOptions<Server> {
  const { random, tls, prefix, log } = options
  return {
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestIdHeader: false,
    genReqId: () => randomHex(random, 32),
    routerOptions: {
      maxParamLength: 200,
      // Left as it came: kernel/query-string.ts reads it, where an operation takes one.
      querystringParser: (text: string) => ({ text }),
    },
    rewriteUrl: (request) => withoutSuffix(request.url ?? '/', prefix),
    frameworkErrors: (error, request, reply) => answerFailure(error, request, reply, log),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, random),
    serverFactory: (handler) => {
      const listener: RequestListener = (request, response) => {
        if (!lane.take(request, response)) handler(request, response)
      }
      return tls === undefined ? createHttpServer(listener) : tlsServer(tls, listener, random)
    },
  }
}

function tlsServer(
  tls: { readonly cert: string; readonly key: string },
  handler: RequestListener,
  random: Random,
): TlsServer {
  const server = createHttpsServer({ cert: tls.cert, key: tls.key }, handler)
  server.on('secureConnection', neverPause)
  const closePending = refusePlainHttp(server, (head) => plainHttpBody(head, random))
  const close = server.close.bind(server)
  // Connections that have not said yet what they are would hold up the closing.
  server.close = (callback) => {
    const closing = close(callback)
    closePending()
    return closing
  }
  return server
}

/** Far more than any answer; what one connection may have waiting to be sent. */
const OUTGOING_MAX_BYTES = 16 * 1024 * 1024

/**
 * When more than the high-water mark is still going out as the next request comes in, Node pauses its
 * parser; over TLS the body that follows is then parsed while it is paused, and a good request is taken
 * for a broken one (HPE_PAUSED, seen with Node 24.21). So the mark is put where no answer reaches it.
 * There is no public way to set it on the sockets of a TLS server.
 */
function neverPause(socket: TLSSocket): void {
  const { _writableState: state } = socket as unknown as {
    readonly _writableState?: { highWaterMark: number }
  }
  if (state !== undefined) state.highWaterMark = OUTGOING_MAX_BYTES
}

/** Older tools end each path in `.json` (docs/adr/0006). */
function withoutSuffix(url: string, prefix: string): string {
  if (!url.startsWith(`${prefix}/`)) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.endsWith('.json') ? path.slice(0, -'.json'.length) + url.slice(path.length) : url
}

function portOf(server: Server | TlsServer | FastifyInstance['server']): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A sentence for the person who starts the server. */
function cannotListen(host: string, port: number, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use by another program.`)
  if (code === 'EACCES') return new Error(`Port ${port} on ${host} is not ours to open.`)
  return new Error(`Cannot listen on ${host}, port ${port}: ${code ?? error}.`)
}
