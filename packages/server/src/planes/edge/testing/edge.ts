/** An edge with an origin that a test scripts, on real sockets. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, RunningClock } from '../../../kernel/clock.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import { DOMAIN, TestEdgeServer, testSite } from '../../../testing/edge-server.ts'
import { startEdge } from '../edge.ts'
import type { Edge, EdgeOptions } from '../options.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
  readonly host?: string
}

export class TestEdge {
  readonly edge: Edge
  readonly server: TestEdgeServer
  readonly site: EdgeSite
  readonly #origin: TestOrigin

  private constructor(edge: Edge, server: TestEdgeServer, site: EdgeSite, origin: TestOrigin) {
    this.edge = edge
    this.server = server
    this.site = site
    this.#origin = origin
  }

  static async start(
    handler: Handler,
    change: Partial<EdgeSite> = {},
    options: Partial<EdgeOptions> = {},
  ): Promise<TestEdge> {
    const origin = await TestOrigin.start(handler)
    const site = testSite(origin.port, change)
    const server = new TestEdgeServer(site)
    const edge = await startEdge({ ...edgeOptions(server), ...options })
    return new TestEdge(edge, server, site, origin)
  }

  /** What the origin was asked: `GET /path`. */
  get requests(): string[] {
    return this.#origin.requests
  }

  answerBy(handler: Handler): void {
    this.#origin.handler = handler
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    return this.ask(path, { headers })
  }

  ask(path: string, options: AskOptions = {}): Promise<Reply> {
    return ask(this.edge.address.port ?? 0, path, options)
  }

  async stop(): Promise<void> {
    await this.edge.stop()
    await this.#origin.stop()
  }
}

export function edgeOptions(server: EdgeOptions['server'], clock?: Clock): EdgeOptions {
  return {
    ...{ server, id: 'edge-1', name: 'edge-1', softwareVersion: '0' },
    listen: { host: '127.0.0.1', port: 0 },
    cache: { memoryBytes: 16 * 2 ** 20 },
    originRoots: [],
    isForbiddenAddress: () => false,
    isTrustedProxy: () => false,
    localCertificate: undefined,
    settingsLimitMs: undefined,
    clock: clock ?? new RunningClock(),
    log: silentLog,
    accessLog: undefined,
  }
}

export class TestOrigin {
  readonly #server = createServer()
  readonly requests: string[] = []
  handler: Handler
  port = 0

  private constructor(handler: Handler) {
    this.handler = handler
    this.#server.on('request', (request, response) => {
      this.requests.push(`${request.method} ${request.url}`)
      this.handler(request, response)
    })
  }

  static async start(handler: Handler): Promise<TestOrigin> {
    const origin = new TestOrigin(handler)
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve))
    origin.port = (origin.#server.address() as AddressInfo).port
    return origin
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, host = DOMAIN }: AskOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Answers each request with a count, so that one sees which of them a client got. */
export function counting(headers: OutgoingHttpHeaders): Handler {
  let count = 0
  return (_request, response) => {
    count += 1
    response.writeHead(200, headers)
    response.end(`answer ${count}`)
  }
}
