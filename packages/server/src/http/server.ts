/** The HTTP edge: what is the same for every operation. Only `http/` knows Fastify. */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer, type Server as TlsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Clock, stopwatch } from '../kernel/clock.ts'
import type { Contract } from '../kernel/contract.ts'
import { NotFound, Refusal } from '../kernel/errors.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { FaultBook } from '../services/control/public.ts'
import { requestIdOf } from './arrival.ts'
import { languageOf } from './error-body.ts'
import { answerBrokenRequest, answerFailure, plainHttpBody } from './failures.ts'
import { type Faults, faultsFrom } from './faults.ts'
import { type Inspection, inspect } from './inspection.ts'
import { type Mount, mount } from './mount.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { KnownRoutes } from './routes-known.ts'
import { refusePlainHttp } from './tls/tls-port.ts'
import { type Upgrades, upgradeListener } from './upgrade.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
/** From the first byte of a request to its last; large files go by another door. */
const REQUEST_TIMEOUT_MS = 300_000

export interface EdgeOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
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
  #plain: Server | undefined
  #onUpgrade: ReturnType<typeof upgradeListener> | undefined

  constructor(options: EdgeOptions) {
    this.#options = options
    this.#withFaults = faultsFrom(options.faults, options.clock, options.faultHeader)
    this.server = fastify(frameworkOptions(options))
    this.server.removeAllContentTypeParsers()
    this.server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    this.#addHooks()
    inspect(this.server, options.inspection, options.clock)
    this.server.setErrorHandler((error: Error, request, reply) =>
      answerFailure(error, request, reply, options),
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
    const withFaults = this.#withFaults
    mount(this.server, { prefix, beautifyHeader, checkAnswers, withFaults }, mounted)
  }

  /** For connections that ask for another protocol, on both listeners. */
  upgrade(upgrades: Upgrades): void {
    const { random, log } = this.#options
    this.#onUpgrade = upgradeListener(upgrades, random, log)
    this.server.server.on('upgrade', this.#onUpgrade)
    this.server.addHook('preClose', async () => upgrades.close())
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
    const plain = createHttpServer((request, response) => this.server.routing(request, response))
    if (this.#onUpgrade !== undefined) plain.on('upgrade', this.#onUpgrade)
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

  #addHooks(): void {
    const { clock, log, metrics } = this.#options
    this.server.decorateRequest('arrival')
    this.server.addHook('onRequest', async (request, reply) => {
      request.arrival = {
        serial: request.id,
        language: languageOf(request.headers['accept-language']),
        elapsedMs: stopwatch(),
        contentType: request.headers['content-type'],
      }
      // Bodies are JSON whatever the Content-Type says (docs/adr/0008).
      request.headers['content-type'] = 'application/json'
      reply.header('x-request-id', requestIdOf(request))
      // Node would write the machine's time, also while the world's clock stands elsewhere.
      if (clock.mode !== 'real') reply.header('date', clock.now().toUTCString())
    })
    this.server.addHook('onResponse', async (request, reply) => {
      const { arrival } = request
      const name = arrival.operation?.name ?? 'unknown'
      const milliseconds = arrival.elapsedMs()
      metrics.record(name, reply.statusCode, milliseconds)
      log.info({
        serial: request.id,
        request_id: requestIdOf(request),
        method: request.method,
        operation: name,
        account: arrival.caller?.accountCode,
        status: reply.statusCode,
        ms: Math.round(milliseconds * 1000) / 1000,
      })
    })
  }
}

function frameworkOptions(options: EdgeOptions): FastifyHttpOptions<Server> {
  const { random, tls, prefix } = options
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
    frameworkErrors: (error, request, reply) => answerFailure(error, request, reply, options),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, random),
    serverFactory: (handler) =>
      tls === undefined ? createHttpServer(handler) : tlsServer(tls, handler, random),
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
