/**
 * One request to an origin on behalf of one or more clients that want the same object. Before the head is there they
 * wait; then each of them decides by the outcome. A purge of the object separates the fill from the cache: it is not
 * stored, and nobody joins it any more.
 */
import type { ObjectCache } from '../cache/cache.ts'
import type { StoredObject } from '../cache/object.ts'
import type { OriginFailure } from '../origin/failure.ts'
import type { OriginCall, OriginRequest, OriginSender } from '../origin/origins.ts'
import { type Fields, hasField } from '../policy/fields.ts'
import { type Freshness, freshnessOf, mayServeOnError } from '../policy/freshness.ts'
import { endToEnd, reasonNotToStore, storedFields } from '../policy/storing.ts'
import { freshened } from '../policy/validation.ts'
import { variantOf, varyNames } from '../policy/vary.ts'
import type { SiteRequest } from './admission.ts'
import { StreamBody } from './stream-body.ts'

/** Why a response that came too late is not stored. */
export const PURGED = 'purged'

export type Outcome =
  /** The stored object holds: it was validated, or may be used in the place of an error. */
  | { readonly type: 'object'; readonly object: StoredObject; readonly originStatus: number }
  | { readonly type: 'stream'; readonly stream: FillStream }
  | { readonly type: 'failed'; readonly failure: OriginFailure }

export interface FillStream {
  readonly status: number
  /** With the origin's Age. */
  readonly fields: Fields
  readonly body: StreamBody
  /** Undefined when it is not stored. */
  readonly selection: { readonly vary: readonly string[]; readonly variant: string } | undefined
  /** Why it is not stored. */
  readonly reason: string | undefined
  readonly freshness: Freshness
}

export interface Waiter {
  outcome(outcome: Outcome): void
}

export interface FillParts {
  readonly origins: OriginSender
  readonly cache: ObjectCache
  readonly nowMs: () => number
  /** The fill is over, or nobody may join it. */
  readonly closed: (fill: Fill) => void
}

export class Fill {
  readonly request: SiteRequest
  readonly #parts: FillParts
  /** What is validated. */
  readonly #stored: StoredObject | undefined
  readonly #isBackground: boolean
  readonly #requestedMs: number
  readonly #waiters = new Set<Waiter>()
  readonly #call: OriginCall
  #stream: FillStream | undefined
  #isDetached = false
  #isOver = false
  #reserved = 0

  constructor(
    request: SiteRequest,
    origin: OriginRequest,
    stored: StoredObject | undefined,
    isBackground: boolean,
    parts: FillParts,
  ) {
    this.request = request
    this.#parts = parts
    this.#stored = stored
    this.#isBackground = isBackground
    this.#requestedMs = parts.nowMs()
    this.#call = parts.origins.send(origin, {
      head: (status, fields) => this.#receiveHead(status, fields),
      data: (chunk) => this.#receive(chunk),
      end: () => this.#complete(),
      fail: (failure) => this.#fail(failure),
    })
  }

  /** Undefined until the head has come. */
  get stream(): FillStream | undefined {
    return this.#stream
  }

  /** Gives back how to stop waiting. */
  wait(waiter: Waiter): () => void {
    this.#waiters.add(waiter)
    return () => {
      this.#waiters.delete(waiter)
      this.release()
    }
  }

  /** A purge, or a change of the site: what comes is of before. */
  detach(): void {
    this.#isDetached = true
    this.#parts.closed(this)
  }

  /** Ends the request when nobody needs it: no client, and no object to be stored. */
  release(): void {
    const isStored = this.#stream?.selection !== undefined && !this.#isDetached
    if (this.#isOver || this.#isBackground || isStored) return
    if (this.#waiters.size > 0 || this.#stream?.body.hasReaders) return
    this.#end()
    this.#call.abort()
  }

  #receiveHead(status: number, fields: Fields): void {
    const nowMs = this.#parts.nowMs()
    const stored = this.#stored
    if (stored !== undefined && status === 304) this.#validate(stored, fields, nowMs)
    else if (stored !== undefined && status >= 500 && mayServeOnError(stored.freshness, nowMs)) {
      this.#answerWithStored(stored, status)
    } else this.#begin(status, fields, nowMs)
  }

  #validate(stored: StoredObject, update: Fields, nowMs: number): void {
    const { site } = this.request.active
    const fields = freshened(stored.fields, update)
    const timing = { requestedMs: this.#requestedMs, receivedMs: nowMs }
    // An Age of the 304 is not among the fields that are kept.
    const ages = update.filter((_, at) => update[at - (at % 2)] === 'age')
    const freshness = freshnessOf([...fields, ...ages], timing, site.defaultCacheTtlSeconds)
    const { prepared: _, ...rest } = stored
    const object = { ...rest, fields, freshness }
    if (!this.#isDetached) {
      const { method, fields: asked } = this.request
      const ttl = site.defaultCacheTtlSeconds
      const reason = reasonNotToStore({ method, fields: asked }, object, ttl, nowMs)
      if (reason === undefined) this.#parts.cache.replace(stored, object)
      else this.#parts.cache.remove(stored)
    }
    this.#answerWithStored(object, 304)
  }

  #answerWithStored(object: StoredObject, originStatus: number): void {
    this.#end()
    this.#call.abort()
    this.#tell({ type: 'object', object, originStatus })
  }

  #begin(status: number, fields: Fields, nowMs: number): void {
    const { active, fields: asked, method } = this.request
    const { defaultCacheTtlSeconds: ttl, varySupport } = active.site
    const reason = this.#isDetached
      ? PURGED
      : (reasonNotToStore({ method, fields: asked }, { status, fields }, ttl, nowMs) ??
        this.#reasonOfSize(fields))
    const vary = varySupport ? varyNames(fields) : []
    const isStored = reason === undefined
    this.#stream = {
      status,
      fields: withDate(endToEnd(fields), nowMs),
      body: new StreamBody(this.#call, isStored, this.#parts.cache.objectBytesMax),
      selection: isStored ? { vary, variant: variantOf(vary, asked) } : undefined,
      reason,
      freshness: freshnessOf(fields, { requestedMs: this.#requestedMs, receivedMs: nowMs }, ttl),
    }
    if (!isStored) {
      // What was stored is older than what the origin does not want to be stored.
      if (this.#stored !== undefined && status < 500) this.#parts.cache.remove(this.#stored)
      this.#parts.closed(this)
    }
    this.#tell({ type: 'stream', stream: this.#stream })
    this.release()
  }

  #reasonOfSize(fields: Fields): string | undefined {
    const at = fields.indexOf('content-length')
    const length = at < 0 ? 0 : Number(fields[at + 1])
    return length > this.#parts.cache.objectBytesMax ? 'too large' : undefined
  }

  #receive(chunk: Buffer): void {
    const { cache } = this.#parts
    const { stream } = this
    if (stream === undefined) return
    if (this.#keeps()) {
      const isTooLarge = stream.body.received + chunk.length > cache.objectBytesMax
      if (isTooLarge || !cache.reserve(chunk.length)) this.#giveUpStoring()
      else this.#reserved += chunk.length
    }
    stream.body.push(chunk)
  }

  #keeps(): boolean {
    return this.#stream?.selection !== undefined
  }

  #giveUpStoring(): void {
    if (this.#stream === undefined) return
    this.#stream = { ...this.#stream, selection: undefined, reason: 'too large' }
    this.#parts.cache.release(this.#reserved)
    this.#reserved = 0
    this.#parts.closed(this)
    this.#stream.body.keepWindow()
    this.release()
  }

  #complete(): void {
    const { stream } = this
    if (stream === undefined) return
    const { cache, nowMs } = this.#parts
    // Its room becomes the object's: both at once would drop others for nothing.
    this.#end()
    if (stream.selection !== undefined && !this.#isDetached) {
      const { active, key } = this.request
      const { status, freshness, body, selection } = stream
      const fields = storedFields(stream.fields)
      const object = { status, fields, freshness, body: body.whole(), storedMs: nowMs() }
      cache.add({ ...object, ...selection, siteId: active.site.id, key })
    }
    stream.body.complete()
  }

  #fail(failure: OriginFailure): void {
    this.#end()
    const stored = this.#stored
    if (this.#stream !== undefined) this.#stream.body.fail()
    else if (stored !== undefined && mayServeOnError(stored.freshness, this.#parts.nowMs())) {
      this.#tell({ type: 'object', object: stored, originStatus: 0 })
    } else this.#tell({ type: 'failed', failure })
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.cache.release(this.#reserved)
    this.#reserved = 0
    this.#parts.closed(this)
  }

  #tell(outcome: Outcome): void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const waiter of waiters) waiter.outcome(outcome)
  }
}

/** RFC 9110, section 6.6.1: it is added where the origin has no clock. */
function withDate(fields: string[], nowMs: number): string[] {
  return hasField(fields, 'date') ? fields : [...fields, 'date', new Date(nowMs).toUTCString()]
}
