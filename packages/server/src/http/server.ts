/** The HTTP edge: what is the same for every operation, from `node:http` to the handler and back. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'
import type { InjectOptions, Response as InjectResponse } from 'light-my-request'
import type { Clock } from '../kernel/clock.ts'
import type { Contract } from '../kernel/contract.ts'
import { BadRequest, NotFound } from '../kernel/errors.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { FaultBook } from '../services/control/public.ts'
import { type Answer, Answers } from './answers.ts'
import { Arrival } from './arrival.ts'
import { collectBody, hasBody } from './bodies.ts'
import type { PlainAnswer } from './express.ts'
import { failureOf, MethodNotAllowed } from './failures.ts'
import { Faults } from './faults.ts'
import { type Inspection, inspector } from './inspection.ts'
import { closeListener, listenOn, newListener, stopTaking, type Tls } from './listeners.ts'
import { type Mount, type MountOptions, pathOf, type Route, routesOf } from './mount.ts'
import type { Passing } from './passing.ts'
import type { PlainRequest } from './plain-request.ts'
import type { PrivateLine } from './private-line.ts'
import { Proxies } from './proxies.ts'
import { type LineOptions, lineWriter } from './request-lines.ts'
import { Routes } from './routes.ts'
import { atEndOfTurn } from './turn.ts'
import { type Upgrades, upgradeListener } from './upgrade.ts'

/** Unless the operation says otherwise. */
export const BODY_LIMIT_MIB = 1

export interface EdgeOptions extends LineOptions, MountOptions {
  readonly clock: Clock
  readonly random: Random
  readonly faults: FaultBook
  /** Whether a request may ask for a fault of its own. */
  readonly faultHeader: boolean
  readonly inspection: Inspection
  readonly prefix: string
  readonly trustProxy: readonly string[]
  /** Without it the server speaks plain HTTP, as for `inject` in tests. */
  readonly tls: Tls | undefined
  /** For an edge that leaves some of its requests to another process (docs/adr/0160). */
  readonly front?: Front | undefined
}

export interface Front {
  serves(route: Route): boolean
  readonly passing: Passing
}

export class Edge {
  readonly #options: EdgeOptions
  readonly #routes = new Routes<Route>()
  readonly #proxies: Proxies
  readonly #answers: Answers
  readonly #faults: Faults
  readonly #listeners: Server[] = []
  #upgrades: Upgrades | undefined

  constructor(options: EdgeOptions) {
    const { clock, inspection, faults: book, faultHeader: headerCounts } = options
    this.#options = options
    this.#proxies = new Proxies(options.trustProxy)
    const writeLine = lineWriter(options)
    const inspect = inspector(inspection)
    this.#answers = new Answers(clock, (arrival, status, body, at) => {
      const outcome = { arrival, status, body, at, milliseconds: arrival.elapsedMs }
      writeLine(outcome)
      inspect(outcome)
    })
    this.#faults = new Faults({ book, clock, headerCounts, answers: this.#answers })
  }

  mount<C extends Contract, HandlerContext>(mounted: Mount<C, HandlerContext>): void {
    for (const route of routesOf(mounted, this.#options)) {
      const { operation } = route
      const path = pathOf(mounted.family, operation, this.#options.prefix)
      this.#routes.add(operation.method, path, route)
    }
  }

  /** A document that is no operation of a contract. */
  get(path: string, serve: (arrival: Arrival) => Promise<Answer>): void {
    this.#routes.add('GET', path, { ...OPEN, isInspected: true, serve })
  }

  /** As `get`; the console's own files are no calls of the interface. */
  getPage(path: string, serve: (arrival: Arrival) => Promise<Answer>): void {
    this.#routes.add('GET', path, { ...OPEN, isInspected: false, serve })
  }

  /** For connections that ask for another protocol, on all listeners. */
  upgrade(upgrades: Upgrades): void {
    this.#upgrades = upgrades
  }

  /** Answers with the port, which the system has chosen when 0 was asked for. */
  listen(host: string, port: number): Promise<number> {
    return listenOn(this.#newListener(this.#options.tls), host, port)
  }

  /** A second listener without TLS, for tools on this machine. */
  listenPlain(port: number): Promise<number> {
    return listenOn(this.#newListener(undefined), '127.0.0.1', port)
  }

  /** On a socket that another process has opened. */
  listenAlong(socket: NetServer, isTls: boolean): void {
    this.#newListener(isTls ? this.#options.tls : undefined).listen(socket)
  }

  /** The sockets that it listens on, for other processes to listen along. */
  get sockets(): { readonly socket: NetServer; readonly isTls: boolean }[] {
    return this.#listeners.map((socket) => ({ socket, isTls: 'setSecureContext' in socket }))
  }

  /** For what fronts pass on. It outlives `close`, until they are gone; answers with what ends it. */
  async listenToFronts({ path, secret }: PrivateLine): Promise<() => Promise<void>> {
    // Loaded only where there are any.
    const { takeLines } = await import('./private-line.ts')
    // Who cuts an idle connection may meet a request on it; these are the fronts' to cut.
    const listener = this.#attend(undefined, true)
    takeLines(listener, secret)
    await once(listener.listen(path), 'listening')
    return () => closeListener(listener, 0)
  }

  /** Before `close`, where other processes take connections from the same sockets. */
  async stopTaking(): Promise<void> {
    await Promise.all(this.#listeners.map(stopTaking))
  }

  /** Requests under way are answered; no new connection is taken. See `closeListener` for the grace. */
  async close(graceMs = 0): Promise<void> {
    this.#answers.close()
    this.#upgrades?.close()
    // A stream of events would hold up the closing for ever.
    this.#options.inspection.log.endStreams()
    await Promise.all(this.#listeners.map((listener) => closeListener(listener, graceMs)))
  }

  /** Calls the edge as a request over a socket would, without one. */
  async inject(options: InjectOptions): Promise<InjectResponse> {
    // Loaded only by tests.
    const { inject } = await import('light-my-request')
    return inject((message, response) => this.#take(message, response), options)
  }

  #newListener(tls: Tls | undefined): Server {
    const listener = this.#attend(tls)
    this.#listeners.push(listener)
    return listener
  }

  #attend(tls: Tls | undefined, keepsIdle = false): Server {
    const { random, log, front } = this.#options
    const listener = newListener({
      ...{ tls, random, keepsIdle },
      listener: (message, response) => this.#take(message, response),
      takePlain: (request) => this.#takePlain(request),
    })
    if (front !== undefined) {
      listener.on('upgrade', (...request) => front.passing.passUpgrade(...request))
    } else if (this.#upgrades !== undefined) {
      listener.on('upgrade', upgradeListener(this.#upgrades, random, log))
    }
    return listener
  }

  #take(message: IncomingMessage, response: ServerResponse): void {
    const { random, prefix, front } = this.#options
    const arrival = new Arrival(message, randomHex(random, 32), prefix, this.#proxies)
    arrival.message = message
    const route = this.#routeOf(arrival)
    if (front !== undefined && !(route !== undefined && front.serves(route))) {
      front.passing.pass(message, response, () => this.#answers.isClosing)
    } else if (route === undefined) {
      this.#fail(arrival, response, this.#nothingAt(arrival), OPEN)
    } else atEndOfTurn(() => void this.#serve(arrival, response, route))
  }

  /** See express.ts; what may not be answered in one piece is left to Node. */
  #takePlain(request: PlainRequest): Promise<PlainAnswer> | undefined {
    const { random, prefix, front } = this.#options
    const arrival = new Arrival(request, randomHex(random, 32), prefix, this.#proxies)
    const route = this.#routeOf(arrival)
    if (!route?.isPlain || this.#faults.concern(arrival)) return undefined
    if (front !== undefined && !front.serves(route)) {
      return front.passing.passPlain(request, () => this.#answers.isClosing)
    }
    arrival.body = request.body
    return this.#answerPlain(arrival, route)
  }

  async #answerPlain(arrival: Arrival, route: Route): Promise<PlainAnswer> {
    try {
      checkHost(arrival)
      const admitted = route.admit(arrival)
      if (admitted !== undefined) await admitted
      return this.#answers.plain(arrival, await route.serve(arrival))
    } catch (error) {
      return this.#answers.plain(arrival, this.#failure(arrival, error, route))
    }
  }

  #routeOf(arrival: Arrival): Route | undefined {
    const found = this.#routes.find(arrival.method, arrival.path)
    if (found === undefined) return undefined
    const { name, operation, isInspected } = found.value
    arrival.name = name
    arrival.operation = operation
    arrival.isInspected = isInspected
    arrival.params = found.params
    return found.value
  }

  async #serve(arrival: Arrival, response: ServerResponse, route: Route): Promise<void> {
    try {
      checkHost(arrival)
      const admitted = route.admit(arrival)
      if (admitted !== undefined) await admitted
      const { message, operation } = arrival
      // A file is not collected: the operation reads it as it comes in.
      if (operation?.fileBody === undefined && message !== undefined && hasBody(message)) {
        arrival.body = await collectBody(message, operation?.bodyLimitMib ?? BODY_LIMIT_MIB)
      }
      const answer = this.#faults.concern(arrival)
        ? await this.#faults.suffer(arrival, response, () => route.serve(arrival))
        : await route.serve(arrival)
      if (answer !== undefined) this.#answers.send(arrival, response, answer)
    } catch (error) {
      this.#fail(arrival, response, error, route)
    }
  }

  #nothingAt({ path }: Arrival): Error {
    const methods = this.#routes.methodsOf(path)
    return methods.length > 0
      ? new MethodNotAllowed(methods)
      : new NotFound('There is nothing at this path.', 'このパスには何もありません。')
  }

  #fail(arrival: Arrival, response: ServerResponse, error: unknown, route: Failing): void {
    const answer = this.#failure(arrival, error, route)
    if (response.headersSent) this.#answers.reset(arrival, response)
    else this.#answers.send(arrival, response, answer)
  }

  #failure(arrival: Arrival, error: unknown, { challenges, beautifies }: Failing): Answer {
    const { log, beautifyHeader } = this.#options
    const isIndented = beautifies && arrival.headers[beautifyHeader] === '1'
    return failureOf(error, arrival, { log, challenges, isIndented })
  }
}

/** What a failure needs to know of its route. */
type Failing = Pick<Route, 'challenges' | 'beautifies'>

/** What every route has that is no operation. */
const OPEN = {
  name: 'unknown',
  operation: undefined,
  isPlain: false,
  isAnywhere: false,
  beautifies: true,
  challenges: () => [],
  admit: () => undefined,
}

function checkHost({ message, headers }: Arrival): void {
  if (headers.host !== undefined || message?.httpVersion === '1.0') return
  throw new BadRequest('The request has no Host header.', 'Host ヘッダーがありません。')
}
