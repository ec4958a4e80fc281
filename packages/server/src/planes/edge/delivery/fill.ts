/**
 * One request to an origin on behalf of one or more clients that want the same object. Before the head is there they
 * wait; then each of them decides by the outcome. A purge of the object separates the fill from the cache: it is not
 * stored, and nobody joins it any more.
 */
import type { ObjectCache } from '../cache/cache.ts'
import type { PartialFile } from '../cache/disk.ts'
import type { StoredFile, StoredObject } from '../cache/object.ts'
import type { OriginFailure } from '../origin/failure.ts'
import type { OriginCall, OriginRequest, OriginSender } from '../origin/origins.ts'
import { type Fields, fieldValue, hasField } from '../policy/fields.ts'
import { freshnessOf, mayServeOnError, type Timing } from '../policy/freshness.ts'
import { endToEnd, reasonNotToStore, storedFields } from '../policy/storing.ts'
import { freshened } from '../policy/validation.ts'
import { variantOf, varyNames } from '../policy/vary.ts'
import type { SiteRequest } from './admission.ts'
import { FileBody } from './file-body.ts'
import { type FillStream, type Outcome, PURGED, type Waiter } from './outcome.ts'
import { StreamBody } from './stream-body.ts'

export interface FillParts {
  readonly origins: OriginSender
  readonly cache: ObjectCache
  readonly nowMs: () => number
  readonly isVirtual: () => boolean
  /** Whether no purge can be missing: only then is anything used that the origin has not confirmed. */
  readonly isCurrent: () => boolean
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
  /** Where the body is written, when it is too large for the memory. */
  #file: PartialFile | undefined

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
    this.#dropFile()
  }

  #dropFile(): void {
    this.#file?.discard()
    this.#file?.release()
    this.#file = undefined
  }

  #receiveHead(status: number, fields: Fields): void {
    const nowMs = this.#parts.nowMs()
    const stored = this.#stored
    if (stored !== undefined && status === 304) this.#validate(stored, fields, nowMs)
    else if (stored !== undefined && status >= 500 && this.#mayUse(stored, nowMs)) {
      this.#answerWithStored(stored, status)
    } else this.#begin(status, fields, nowMs)
  }

  /** In the place of an error. */
  #mayUse({ freshness }: StoredObject, nowMs: number): boolean {
    return !this.#isDetached && this.#parts.isCurrent() && mayServeOnError(freshness, nowMs)
  }

  #validate(stored: StoredObject, update: Fields, nowMs: number): void {
    const { site } = this.request.active
    const fields = freshened(stored.fields, update)
    // An Age of the 304 is not among the fields that are kept.
    const ages = update.filter((_, at) => update[at - (at % 2)] === 'age')
    const freshness = freshnessOf(
      [...fields, ...ages],
      this.#timing(nowMs),
      site.defaultCacheTtlSeconds,
    )
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

  #timing(receivedMs: number): Timing {
    return { requestedMs: this.#requestedMs, receivedMs, isVirtual: this.#parts.isVirtual() }
  }

  #answerWithStored(object: StoredObject, originStatus: number): void {
    this.#end()
    this.#call.abort()
    this.#tell({ type: 'object', object, originStatus })
  }

  #begin(status: number, fields: Fields, nowMs: number): void {
    const { active, fields: asked, method } = this.request
    const { defaultCacheTtlSeconds: ttl, varySupport } = active.site
    const response = { status, fields }
    const reason = this.#isDetached
      ? PURGED
      : (reasonNotToStore({ method, fields: asked }, response, ttl, nowMs) ??
        this.#reasonOfSize(fields))
    const vary = varySupport ? varyNames(fields) : []
    const isStored = reason === undefined
    this.#stream = {
      status,
      fields: withDate(endToEnd(fields), nowMs),
      body: this.#newBody(isStored, fields),
      selection: isStored ? { vary, variant: variantOf(vary, asked) } : undefined,
      reason,
      freshness: freshnessOf(fields, this.#timing(nowMs), ttl),
    }
    if (!isStored) {
      // What was stored is older than what the origin does not want to be stored.
      if (this.#stored !== undefined && status < 500) this.#parts.cache.remove(this.#stored)
      this.#parts.closed(this)
    }
    this.#tell({ type: 'stream', stream: this.#stream })
    this.release()
  }

  /** One that is too large for the memory goes to the disk when its length is known before. */
  #reasonOfSize(fields: Fields): string | undefined {
    const { memoryObjectMax, diskObjectMax } = this.#parts.cache
    const isTooLarge = lengthOf(fields) > Math.max(memoryObjectMax, diskObjectMax)
    return isTooLarge ? 'too large' : undefined
  }

  #newBody(isStored: boolean, fields: Fields): StreamBody | FileBody {
    const { cache } = this.#parts
    const length = lengthOf(fields)
    if (isStored && length > cache.memoryObjectMax) this.#file = cache.newFile(length)
    return this.#file === undefined
      ? new StreamBody(this.#call, isStored, cache.memoryObjectMax, () => this.release())
      : new FileBody(this.#file, this.#call, length, () => this.release())
  }

  #receive(chunk: Buffer): void {
    const { cache } = this.#parts
    const { stream } = this
    if (stream === undefined) return
    if (stream.selection !== undefined && stream.body instanceof StreamBody) {
      const isTooLarge = stream.body.received + chunk.length > cache.memoryObjectMax
      if (isTooLarge || !cache.reserve(chunk.length)) this.#giveUpStoring(stream, stream.body)
      else this.#reserved += chunk.length
    }
    stream.body.push(chunk)
  }

  #giveUpStoring(stream: FillStream, body: StreamBody): void {
    this.#stream = { ...stream, selection: undefined, reason: 'too large' }
    this.#parts.cache.release(this.#reserved)
    this.#reserved = 0
    this.#parts.closed(this)
    body.keepWindow()
    this.release()
  }

  #complete(): void {
    const { stream } = this
    if (stream === undefined) return
    if (stream.body instanceof StreamBody) {
      // Its room becomes the object's: both at once would drop others for nothing.
      this.#end()
      if (stream.selection !== undefined) this.#store(stream, stream.body.whole())
      stream.body.complete()
    } else void this.#completeFile(stream)
  }

  /** Others may join until the object takes over. */
  async #completeFile(stream: FillStream): Promise<void> {
    const file = this.#file
    // From here on it is this function's alone to drop.
    this.#file = undefined
    try {
      const stored = await file?.finish()
      if (stored !== undefined && !this.#store(stream, stored)) this.#parts.cache.dropFile(stored)
    } catch {
      file?.discard()
    }
    this.#end()
    file?.release()
  }

  #store(stream: FillStream, body: Buffer | StoredFile): boolean {
    const { status, freshness, selection } = stream
    if (selection === undefined || this.#isDetached) return false
    const { active, key } = this.request
    const { cache, nowMs } = this.#parts
    const fields = storedFields(stream.fields)
    const object = { status, fields, freshness, body, storedMs: nowMs() }
    cache.add({ ...object, ...selection, siteId: active.site.id, key })
    return true
  }

  #fail(failure: OriginFailure): void {
    this.#end()
    const stored = this.#stored
    if (this.#stream?.body instanceof StreamBody) this.#stream.body.fail()
    else if (this.#stream !== undefined) this.#dropFile()
    else if (stored !== undefined && this.#mayUse(stored, this.#parts.nowMs())) {
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

function lengthOf(fields: Fields): number {
  return Number(fieldValue(fields, 'content-length') ?? 0)
}
