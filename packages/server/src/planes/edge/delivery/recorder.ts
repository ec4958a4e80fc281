/** What is written down about each request: usage, hits and misses, and the access log. */
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import type { AccessLog } from '../options.ts'
import type { UsageCounters } from '../usage.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'

/** `none`: the edge answered by itself. */
export type CacheWord = 'hit' | 'stale' | 'revalidated' | 'miss' | 'pass' | 'none'

export class Recorder {
  readonly #usage: UsageCounters
  readonly #accessLog: AccessLog | undefined
  readonly #nowMs: () => number
  hits = 0
  misses = 0

  constructor(usage: UsageCounters, accessLog: AccessLog | undefined, nowMs: () => number) {
    this.#usage = usage
    this.#accessLog = accessLog
    this.#nowMs = nowMs
  }

  /** `bytes` is the body's; `startMs` is when the answer was decided on. */
  record(
    exchange: Exchange,
    site: EdgeSite | undefined,
    head: Head,
    bytes: number,
    word: CacheWord,
    startMs: number,
  ): void {
    if (site === undefined) return
    // Nothing was taken from the origin for these; a validated object is sent from here, too.
    const isHit = word === 'hit' || word === 'stale' || word === 'revalidated'
    if (isHit) this.hits += 1
    else if (word !== 'none') this.misses += 1
    const sent = head.bytes + bytes
    this.#usage.count(site.id, startMs, sent, isHit ? 'cache' : word === 'none' ? 'edge' : 'origin')
    if (site.logUpload !== null) this.#log(exchange, site, head.status, sent, word, startMs)
  }

  #log(
    exchange: Exchange,
    site: EdgeSite,
    status: number,
    bytes: number,
    cacheStatus: CacheWord,
    startMs: number,
  ): void {
    const { address, method, target, httpVersion, fields, host } = exchange
    this.#accessLog?.write(site, {
      ...{ address, method, target, httpVersion, status, bytes, cacheStatus, host },
      time: new Date(startMs),
      referer: fields.referer,
      userAgent: fields['user-agent'],
      durationMs: this.#nowMs() - startMs,
    })
  }
}
