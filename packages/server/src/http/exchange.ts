/** One request and its response, with what the server has found out about it so far. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../kernel/caller.ts'
import type { Changes } from '../kernel/changes.ts'
import { stopwatch } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import type { RefusalCode } from '../kernel/errors.ts'
import type { Proxies } from '../kernel/proxies.ts'
import type { Zone } from '../kernel/zone.ts'

const NO_PARAMS: Readonly<Record<string, string>> = {}

export class Exchange {
  /** Identifies this request in the failure body and in the log. */
  readonly serial: string
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** Without the query, and without the ending that older tools put on (docs/requests.md). */
  readonly path: string
  /** What follows the question mark, as it came; kernel/query-string.ts reads it. */
  readonly queryText: string
  readonly headers: IncomingHttpHeaders
  readonly #proxies: Proxies
  readonly #elapsed = stopwatch()
  #signal: AbortSignal | undefined
  params = NO_PARAMS
  /** Set when it was received as a whole; files are read from the message. */
  body: Buffer | undefined
  /** Set when a route was found. */
  name = 'unknown'
  operation: Operation | undefined
  /** False for what is no call of the interface; see inspector.ts. */
  isInspected = true
  zone: Zone | undefined
  /** Set when the credentials are right. */
  caller: Caller | undefined
  /** Set when the token of the operator is right. */
  isOperator = false
  /** The account that a call of the operator is about, when the handler has said so. */
  concerned: string | undefined
  /** Whether the audit trail has an entry of it. */
  isAudited = false
  /** Of a refusal. */
  code: RefusalCode | undefined
  /** What the handler has changed; set when it runs. */
  changes: Changes | undefined
  /** Whom a token of its own kind was handed out to. */
  holder: unknown

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    serial: string,
    prefix: string,
    proxies: Proxies,
  ) {
    this.message = message
    this.response = response
    this.serial = serial
    this.method = message.method ?? ''
    this.headers = message.headers
    this.#proxies = proxies
    const url = pathOnly(message.url ?? '/')
    const mark = url.indexOf('?')
    this.path = withoutSuffix(mark < 0 ? url : url.slice(0, mark), prefix)
    this.queryText = mark < 0 ? '' : url.slice(mark + 1)
  }

  get url(): string {
    return this.queryText === '' ? this.path : `${this.path}?${this.queryText}`
  }

  /** The `X-Request-Id` that the client sent, when it is a sensible one; else our serial. */
  get requestId(): string {
    const given = this.headers['x-request-id']
    return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : this.serial
  }

  /** What the client calls itself in `X-Kumoi-Client` (docs/testing.md), when it is a sensible name. */
  get client(): string | undefined {
    const given = this.headers['x-kumoi-client']
    return typeof given === 'string' && /^[\w.-]{1,32}$/.test(given) ? given : undefined
  }

  /** The origin under which the client reached us, such as `https://cloud.example.jp`. */
  get origin(): string {
    return this.#proxies.originOf(this.message)
  }

  /** Where the client is, behind the proxies that we trust. */
  get clientAddress(): string {
    return this.#proxies.clientOf(this.message)
  }

  /** Aborted when the connection is gone before the answer: nobody waits for it any more. */
  get signal(): AbortSignal {
    this.#signal ??= abortedByClose(this.response)
    return this.#signal
  }

  get elapsedMs(): number {
    return this.#elapsed()
  }
}

function abortedByClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => response.writableFinished || controller.abort())
  return controller.signal
}

/** What a client sends to a proxy names the server, too (RFC 9112, 3.2.2). */
function pathOnly(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
}

function withoutSuffix(path: string, prefix: string): string {
  return path.endsWith('.json') && path.startsWith(`${prefix}/`)
    ? path.slice(0, -'.json'.length)
    : path
}
