/** The HTTP server: finds the route of each request, serves it, and listens on one or several ports. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InjectOptions, Response as InjectResponse } from 'light-my-request'
import { Batch } from '../kernel/batch.ts'
import type { Clock } from '../kernel/clock.ts'
import { BadRequest, NotFound } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { Proxies } from '../kernel/proxies.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { ServedCertificate } from '../kernel/served-certificate.ts'
import type { Tracing } from '../kernel/tracing.ts'
import { type Answer, AnswerWriter, type Outcome } from './answer.ts'
import { type Audit, auditAnswer } from './audit.ts'
import { isLoopbackAddress } from './auth/access.ts'
import { checkHostName, type IsOwnName } from './auth/bearer.ts'
import { Exchange } from './exchange.ts'
import { ExpectationFailed, failureOf, MethodNotAllowed } from './failure.ts'
import { type FaultSource, Faults } from './faults.ts'
import { BODY_LIMIT_MIB, collectBody, hasBody } from './input.ts'
import { type Inspection, inspect } from './inspector.ts'
import { Listener } from './listener.ts'
import { type Mount, pathOf, type Route, type RouteOptions, routesOf } from './operation.ts'
import { logRequest } from './request-log.ts'
import { Router } from './router.ts'
import { type Upgrades, upgradeListener } from './upgrade.ts'

export interface RequestMetrics {
  record(operation: string, status: number, milliseconds: number): void
}

export interface ApiServerOptions extends RouteOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: RequestMetrics
  readonly tracing?: Tracing | undefined
  readonly faults: FaultSource
  readonly inspection: Inspection
  readonly audit: Audit
  readonly prefix: string
  readonly trustProxy: readonly string[]
  /** Where it is given, requests to a loopback address are refused under other names. */
  readonly isOwnName?: IsOwnName | undefined
  /** Without it the server speaks plain HTTP, as for `inject` in tests. */
  readonly tls: ServedCertificate | undefined
}

export class ApiServer {
  readonly #options: ApiServerOptions
  readonly #router = new Router<Route>()
  readonly #proxies: Proxies
  readonly #writer: AnswerWriter
  readonly #faults: Faults
  readonly #listeners: Listener[] = []
  #upgrades: Upgrades | undefined
  /** The last one that passed: most requests come under the same name. */
  #checkedHost: string | undefined

  constructor(options: ApiServerOptions) {
    const { clock, log, metrics, tracing, inspection, faults, audit } = options
    this.#options = options
    this.#proxies = new Proxies(options.trustProxy)
    this.#writer = new AnswerWriter(clock, (outcome) => {
      metrics.record(outcome.exchange.name, outcome.status, outcome.milliseconds)
      if (tracing !== undefined) trace(tracing, outcome)
      logRequest(log, outcome)
      inspect(inspection, outcome)
      auditAnswer(audit, outcome)
    })
    this.#faults = new Faults(faults, clock, this.#writer)
  }

  /** Serves the operations of a contract. */
  mount(mounted: Mount): void {
    for (const route of routesOf(mounted, this.#options)) {
      const { operation } = route
      const path = pathOf(mounted.family, operation, this.#options.prefix)
      this.#router.add(operation.method, path, route)
    }
  }

  /** A document that is no operation of a contract. */
  get(path: string, handle: (exchange: Exchange) => Promise<Answer>): void {
    this.#router.add('GET', path, { ...PUBLIC, isInspected: true, handle })
  }

  /** As `get`; the console's own files are no calls of the interface. */
  getPage(path: string, handle: (exchange: Exchange) => Promise<Answer>): void {
    this.#router.add('GET', path, { ...PUBLIC, isInspected: false, handle })
  }

  /** For connections that change to another protocol, on all listeners. */
  upgrade(upgrades: Upgrades): void {
    this.#upgrades = upgrades
  }

  /** Resolves with the port, which the system chooses when it is 0. */
  listen(host: string, port: number): Promise<number> {
    return this.#newListener(this.#options.tls).listen(host, port)
  }

  /** A second listener without TLS, for tools on this machine. */
  listenPlain(port: number): Promise<number> {
    return this.#newListener(undefined).listen('127.0.0.1', port)
  }

  /** Answers requests under way and closes all connections; see Listener for the times. */
  async close(graceMs = 0, drainMs?: number): Promise<void> {
    this.#upgrades?.close()
    // An event stream has no end of its own.
    this.#options.inspection.log.endStreams()
    // Who is told before would connect again to a socket that is about to close, and be reset.
    const tell = () => this.#writer.close()
    await Promise.all(this.#listeners.map((listener) => listener.close(graceMs, drainMs, tell)))
    await this.#options.audit.settled()
  }

  /** Serves a request without a socket. */
  async inject(options: InjectOptions): Promise<InjectResponse> {
    // Loaded only by tests.
    const { inject } = await import('light-my-request')
    return inject((message, response) => this.#onRequest(message, response), options)
  }

  #newListener(tls: ServedCertificate | undefined): Listener {
    const { random, log } = this.#options
    const listener = new Listener({
      ...{ tls, random },
      onRequest: (message, response) => this.#onRequest(message, response),
      onExpectation: (message, response) =>
        this.#fail(this.#exchangeOf(message, response), response, new ExpectationFailed(), PUBLIC),
      onUpgrade: this.#upgrades && upgradeListener(this.#upgrades, random, log),
    })
    this.#listeners.push(listener)
    return listener
  }

  #exchangeOf(message: IncomingMessage, response: ServerResponse): Exchange {
    const { random, prefix, tracing } = this.#options
    const serial = randomHex(random, 32)
    const exchange = new Exchange(message, response, serial, prefix, this.#proxies)
    tracing?.begin(exchange)
    return exchange
  }

  #onRequest(message: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#exchangeOf(message, response)
    const found = this.#router.find(exchange.method, exchange.path)
    if (found === undefined) {
      this.#fail(exchange, response, this.#notFound(exchange), PUBLIC)
      return
    }
    const { name, operation, isInspected } = found.value
    exchange.name = name
    exchange.operation = operation
    exchange.isInspected = isInspected
    exchange.params = found.params
    received.add(() => void this.#serve(exchange, response, found.value))
  }

  async #serve(exchange: Exchange, response: ServerResponse, route: Route): Promise<void> {
    try {
      this.#checkHost(exchange)
      // Not awaited without need: a key that was verified before is known at once.
      const authenticated = route.authenticate(exchange)
      if (authenticated !== undefined) await authenticated
      if (hasBody(exchange)) {
        const limitMib = route.operation?.bodyLimitMib ?? BODY_LIMIT_MIB
        exchange.body = await collectBody(exchange.message, limitMib)
      }
      const answer = this.#faults.mayApply(exchange)
        ? await this.#faults.apply(exchange, response, () => route.handle(exchange))
        : await route.handle(exchange)
      if (answer !== undefined) this.#writer.send(exchange, response, answer)
    } catch (error) {
      this.#fail(exchange, response, error, route)
    }
  }

  #checkHost({ message, headers: { host } }: Exchange): void {
    if (host !== undefined && host === this.#checkedHost) return
    if (host === undefined) {
      if (message.httpVersion === '1.0') return
      throw new BadRequest('The request has no Host header.', 'Host ヘッダーがありません。')
    }
    const { isOwnName } = this.#options
    if (isOwnName === undefined || !isLoopbackAddress(message.socket.localAddress)) return
    checkHostName(host, isOwnName)
    this.#checkedHost = host
  }

  #notFound({ path }: Exchange): Error {
    const methods = this.#router.methodsOf(path)
    return methods.length > 0
      ? new MethodNotAllowed(methods)
      : new NotFound('There is nothing at this path.', 'このパスには何もありません。')
  }

  #fail(
    exchange: Exchange,
    response: ServerResponse,
    error: unknown,
    { challenges, beautifies }: Pick<Route, 'challenges' | 'beautifies'>,
  ): void {
    const { log, beautifyHeader } = this.#options
    const isIndented = beautifies && exchange.headers[beautifyHeader] === '1'
    const answer = failureOf(error, exchange, { log, challenges, isIndented })
    if (response.headersSent) this.#writer.reset(exchange, response)
    else this.#writer.send(exchange, response, answer)
  }
}

function trace(tracing: Tracing, { exchange, status }: Outcome): void {
  const { name, operation, caller } = exchange
  tracing.end(exchange, { name, route: operation?.path, status, account: caller?.accountCode })
}

/** Requests are served after all that were received in one iteration of the event loop were parsed. */
const received = new Batch()

/** What every route has that is no operation. */
const PUBLIC = {
  name: 'unknown',
  operation: undefined,
  beautifies: true,
  challenges: () => [],
  authenticate: () => undefined,
}
