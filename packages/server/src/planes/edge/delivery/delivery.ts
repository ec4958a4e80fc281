/** What is done with a request: an answer of the edge itself, of the cache, or of the origin. */
import { type ObjectCache, select } from '../cache/cache.ts'
import { type StoredObject, textOf } from '../cache/object.ts'
import { OriginFailure } from '../origin/failure.ts'
import type { OriginSender } from '../origin/origins.ts'
import { forwardedFields, isLoop } from '../origin/request-fields.ts'
import { hasCondition } from '../policy/conditional.ts'
import { isFresh, mayServeWhileRevalidating } from '../policy/freshness.ts'
import { isFromStart } from '../policy/ranges.ts'
import type { Forward } from '../policy/status-fields.ts'
import { forwardStatus } from '../policy/status-fields.ts'
import { conditionOf } from '../policy/validation.ts'
import { variantOf } from '../policy/vary.ts'
import type { Sites } from '../sites.ts'
import { admit, type SiteRequest } from './admission.ts'
import { failureAnswer, originHead, ownAnswer, revalidatedHead, storedHead } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { Fill } from './fill.ts'
import { Fills } from './fills.ts'
import type { Head } from './head.ts'
import { type FillStream, type Outcome, PURGED } from './outcome.ts'
import { passOn } from './pass.ts'
import type { CacheWord, Recorder } from './recorder.ts'
import { isSelective, sendObject, sendStream } from './send.ts'

export interface DeliveryParts {
  readonly sites: Sites
  readonly cache: ObjectCache
  readonly origins: OriginSender
  readonly recorder: Recorder
  readonly nowMs: () => number
  /** Whether that is another time than the origins'. */
  readonly isVirtual: () => boolean
  readonly tlsPort: () => number
  /** False when the server has not answered for too long: a purge may be missing, so nothing stored is used unasked. */
  readonly isCurrent: () => boolean
}

/** How often a follower looks again before it goes by itself. */
const ROUNDS_MAX = 3

export class Delivery {
  readonly #parts: DeliveryParts
  readonly #fills = new Fills()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Nothing of before is served or stored any more. Undefined target: all of the site; undefined site: everything. */
  purge(siteId: string | undefined, key: string | undefined): void {
    if (key === undefined) this.#parts.cache.removeSite(siteId)
    else this.#parts.cache.removeUrl(key)
    this.#fills.detach(siteId, key)
  }

  handle(exchange: Exchange): void {
    const { sites, recorder, tlsPort } = this.#parts
    const nowMs = this.#parts.nowMs()
    const active = sites.find(exchange.host)
    const request = admit(exchange, active, { nowMs, tlsPort: tlsPort() })
    if ('rule' in request) {
      const { head, body } = ownAnswer(request)
      const isHead = exchange.method === 'HEAD'
      exchange.send(head, isHead ? undefined : body)
      recorder.record(exchange, active?.site, head, isHead ? 0 : (body?.length ?? 0), 'none', nowMs)
      return
    }
    if (isLoop(request.fields, request.active.site.id)) {
      const failure = new OriginFailure('proxy_loop_detected', 'The origin leads back to the site.')
      this.#sendFailure(exchange, request, failure, 'bypass')
    } else if (request.method === 'GET' || request.method === 'HEAD')
      this.#lookUp(exchange, request, 1, nowMs)
    else this.#pass(exchange, request, 'method')
  }

  #lookUp(exchange: Exchange, request: SiteRequest, round: number, nowMs: number): void {
    const { cache, isCurrent, recorder } = this.#parts
    const objects = cache.use(request.key)
    const stored = objects.length === 0 ? undefined : select(objects, request.fields)
    if (stored !== undefined && isCurrent()) {
      const isUsable = isFresh(stored.freshness, nowMs)
      if (isUsable || mayServeWhileRevalidating(stored.freshness, nowMs)) {
        const head = storedHead(stored, request.active, request.fields, nowMs)
        const word = isUsable ? 'hit' : 'stale'
        if (Buffer.isBuffer(stored.body) && !isSelective(request.method, request.fields)) {
          // What most requests are: nothing is left to decide.
          exchange.send(head, stored.body, textOf(stored))
          recorder.record(exchange, request.active.site, head, stored.body.length, word, nowMs)
        } else this.#sendObject(exchange, request, stored, head, word, nowMs)
        if (!isUsable) this.#revalidate(request, stored)
        return
      }
    }
    const forward = stored ? 'stale' : objects.length > 0 ? 'vary-miss' : 'uri-miss'
    const { range } = request.fields
    if (request.method === 'HEAD') this.#pass(exchange, request, forward, stored)
    else if (range !== undefined && !isFromStart(range)) this.#pass(exchange, request, 'partial')
    else if (round > ROUNDS_MAX || this.#fills.isPrivate(request.key, nowMs)) {
      this.#fetch(exchange, request, stored, forward, round, false)
    } else this.#fetch(exchange, request, stored, forward, round, true)
  }

  /** Joins the fetch that runs, or begins one. */
  #fetch(
    exchange: Exchange,
    request: SiteRequest,
    stored: StoredObject | undefined,
    forward: Forward,
    round: number,
    isShared: boolean,
  ): void {
    const running = isShared ? this.#fills.find(request) : undefined
    const { stream } = running ?? {}
    if (stream?.selection !== undefined) {
      this.#sendStream(exchange, request, { type: 'stream', stream }, forward, true)
      return
    }
    // By itself, the client's own conditions go to the origin.
    if (!isShared && stored === undefined && hasCondition(request.fields)) {
      this.#pass(exchange, request, forward)
      return
    }
    const fill = running ?? this.#begin(request, stored, false, isShared)
    const stop = fill.wait({
      outcome: (outcome) => {
        if (exchange.isClosed) return
        if (running !== undefined && !isFor(request, outcome)) {
          if (outcome.type === 'stream' && isForOne(outcome.stream)) {
            this.#fetch(exchange, request, undefined, forward, round + 1, false)
          } else this.#lookUp(exchange, request, round + 1, this.#parts.nowMs())
        } else this.#sendOutcome(exchange, request, outcome, forward, running !== undefined)
      },
    })
    exchange.onClose(stop)
  }

  #begin(
    request: SiteRequest,
    stored: StoredObject | undefined,
    isBackground: boolean,
    isShared: boolean,
  ): Fill {
    const { origins, cache, nowMs, isCurrent, isVirtual } = this.#parts
    const { site } = request.active
    const condition = stored === undefined ? {} : conditionOf(stored.fields)
    const fields = forwardedFields(request.fields, request.client.address, site.id, true)
    fields.push(...Object.entries(condition).flatMap(([name, value]) => [name, value ?? '']))
    const origin = { site, method: 'GET', target: request.target, fields, body: undefined }
    // A HEAD may be what has found something stale.
    const fill = new Fill({ ...request, method: 'GET' }, origin, stored, isBackground, {
      ...{ origins, cache, nowMs, isCurrent, isVirtual },
      closed: (closed) => this.#fills.close(closed, nowMs()),
    })
    this.#fills.open(fill, isShared)
    return fill
  }

  /** RFC 5861: while the stale object is served. */
  #revalidate(request: SiteRequest, stored: StoredObject): void {
    if (this.#fills.find(request) === undefined) this.#begin(request, stored, true, true)
  }

  #sendOutcome(
    exchange: Exchange,
    request: SiteRequest,
    outcome: Outcome,
    forward: Forward,
    isCollapsed: boolean,
  ): void {
    if (outcome.type === 'failed') {
      this.#sendFailure(exchange, request, outcome.failure, forward)
    } else if (outcome.type === 'stream') {
      this.#sendStream(exchange, request, outcome, forward, isCollapsed)
    } else this.#sendValidated(exchange, request, outcome, forward, isCollapsed)
  }

  #sendValidated(
    exchange: Exchange,
    request: SiteRequest,
    { object, originStatus }: Extract<Outcome, { type: 'object' }>,
    forward: Forward,
    isCollapsed: boolean,
  ): void {
    const nowMs = this.#parts.nowMs()
    const forwarded = { forward, forwardStatus: originStatus || undefined, isCollapsed }
    const head = revalidatedHead(object, forwarded, request.active, request.fields, nowMs)
    const word = originStatus === 304 ? 'revalidated' : 'stale'
    this.#sendObject(exchange, request, object, head, word, nowMs)
  }

  #sendObject(
    exchange: Exchange,
    request: SiteRequest,
    object: StoredObject,
    head: Head,
    word: CacheWord,
    nowMs: number,
  ): void {
    const { cache, recorder } = this.#parts
    if (!Buffer.isBuffer(object.body)) cache.useFile(object.body)
    sendObject(exchange, request, object, head, nowMs, {
      sent: (sent, bytes) =>
        recorder.record(exchange, request.active.site, sent, bytes, word, nowMs),
      missing: () => {
        cache.remove(object)
        this.#lookUp(exchange, request, 1, nowMs)
      },
    })
  }

  #sendStream(
    exchange: Exchange,
    request: SiteRequest,
    { stream }: Extract<Outcome, { type: 'stream' }>,
    forward: Forward,
    isCollapsed: boolean,
  ): void {
    const { recorder } = this.#parts
    const nowMs = this.#parts.nowMs()
    const forwarded = { forward, isStored: stream.selection !== undefined, isCollapsed }
    const head = originHead(stream, forwarded, request.active, request.fields)
    const word = stream.selection === undefined ? 'pass' : 'miss'
    sendStream(exchange, request, stream, head, nowMs, (sent, bytes) =>
      recorder.record(exchange, request.active.site, sent, bytes, word, nowMs),
    )
  }

  #sendFailure(
    exchange: Exchange,
    request: SiteRequest,
    failure: OriginFailure,
    forward: Forward,
  ): void {
    const { recorder, nowMs } = this.#parts
    const { head, body } = failureAnswer(failure, forwardStatus({ forward }))
    const isHead = request.method === 'HEAD'
    exchange.send(head, isHead ? undefined : body)
    const bytes = isHead ? 0 : (body?.length ?? 0)
    recorder.record(exchange, request.active.site, head, bytes, 'miss', nowMs())
  }

  #pass(
    exchange: Exchange,
    request: SiteRequest,
    forward: Forward,
    stored?: StoredObject | undefined,
  ): void {
    passOn(exchange, request, {
      ...this.#parts,
      forward,
      stored,
      fail: (failure) => this.#sendFailure(exchange, request, failure, forward),
      invalidate: (key) => this.purge(request.active.site.id, key),
    })
  }
}

/** What a purge has separated from the cache may still be for all: those who wait share the next request, too. */
function isForOne({ selection, reason }: FillStream): boolean {
  return selection === undefined && reason !== PURGED
}

/** Whether what came for another client is for this one, too. */
function isFor(request: SiteRequest, outcome: Outcome): boolean {
  if (outcome.type === 'failed') return true
  const selection = outcome.type === 'object' ? outcome.object : outcome.stream.selection
  if (selection === undefined) return false
  return variantOf(selection.vary, request.fields) === selection.variant
}
