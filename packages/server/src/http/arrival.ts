/** One request, and what the edge has found out about it so far. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../kernel/caller.ts'
import type { Changes } from '../kernel/changes.ts'
import { stopwatch } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import type { Language } from '../kernel/errors.ts'
import type { Zone } from '../kernel/zone.ts'
import { languageOf } from './error-body.ts'
import type { Head } from './head.ts'
import type { Proxies } from './proxies.ts'

const NO_PARAMS: Readonly<Record<string, string>> = {}

export class Arrival {
  /** Identifies this request in the failure body and in the log. */
  readonly serial: string
  readonly head: Head
  readonly method: string
  /** Without the query, and without the ending that older tools put on (docs/adr/0006). */
  readonly path: string
  /** What follows the question mark, as it came; kernel/query-string.ts reads it. */
  readonly queryText: string
  readonly headers: IncomingHttpHeaders
  readonly #proxies: Proxies
  readonly #elapsed = stopwatch()
  params = NO_PARAMS
  /** Set unless the request came whole (express.ts). */
  message: IncomingMessage | undefined
  /** Set when it has come in whole; files are read from the message. */
  body: Buffer | undefined
  /** Set when a route was found. */
  name = 'unknown'
  operation: Operation | undefined
  /** False for what is no call of the interface; see inspection.ts. */
  isInspected = true
  zone: Zone | undefined
  /** Set when the credentials are right. */
  caller: Caller | undefined
  /** What the handler has changed; set when it runs. */
  changes: Changes | undefined
  /** Whom a token of its own kind was handed out to. */
  holder: unknown

  constructor(head: Head, serial: string, prefix: string, proxies: Proxies) {
    this.head = head
    this.serial = serial
    this.method = head.method ?? ''
    this.headers = head.headers
    this.#proxies = proxies
    const url = pathOnly(head.url ?? '/')
    const mark = url.indexOf('?')
    this.path = withoutSuffix(mark < 0 ? url : url.slice(0, mark), prefix)
    this.queryText = mark < 0 ? '' : url.slice(mark + 1)
  }

  get url(): string {
    return this.queryText === '' ? this.path : `${this.path}?${this.queryText}`
  }

  get language(): Language {
    return languageOf(this.headers['accept-language'])
  }

  /** The id by which the caller knows its request, when it sent a sensible one; else our serial. */
  get requestId(): string {
    const given = this.headers['x-request-id']
    return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : this.serial
  }

  /** How the caller came here, such as `https://cloud.example.jp`. */
  get origin(): string {
    return this.#proxies.originOf(this.head)
  }

  get elapsedMs(): number {
    return this.#elapsed()
  }
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
