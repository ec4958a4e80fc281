/** Requests that go to the origin for one client alone: other methods, HEAD, and ranges of what is not stored. */
import type { ObjectCache } from '../cache/cache.ts'
import type { StoredObject } from '../cache/object.ts'
import type { OriginFailure } from '../origin/failure.ts'
import type { OriginCall, OriginSender } from '../origin/origins.ts'
import { forwardedFields } from '../origin/request-fields.ts'
import type { Fields } from '../policy/fields.ts'
import { freshnessOf } from '../policy/freshness.ts'
import { invalidated } from '../policy/invalidation.ts'
import type { Forward } from '../policy/status-fields.ts'
import { endToEnd } from '../policy/storing.ts'
import { freshened, isSameByHead } from '../policy/validation.ts'
import { keyOf, type SiteRequest } from './admission.ts'
import { originHead } from './answers.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'
import type { Recorder } from './recorder.ts'
import { StreamBody } from './stream-body.ts'

export interface PassParts {
  readonly origins: OriginSender
  readonly cache: ObjectCache
  readonly recorder: Recorder
  readonly nowMs: () => number
  readonly isVirtual: () => boolean
  readonly forward: Forward
  /** What HEAD may bring up to date. */
  readonly stored: StoredObject | undefined
  readonly fail: (failure: OriginFailure) => void
  readonly invalidate: (key: string) => void
}

export function passOn(exchange: Exchange, request: SiteRequest, parts: PassParts): void {
  const { active, client, method, target } = request
  const startMs = parts.nowMs()
  const body = method === 'GET' || method === 'HEAD' ? undefined : exchange.body
  const fields = forwardedFields(request.fields, client.address, active.site.id, false)
  const length = request.fields['content-length']
  if (body !== undefined && length !== undefined) fields.push('content-length', length)
  let head: Head | undefined
  const call: OriginCall = parts.origins.send(
    { site: active.site, method, target, fields, body },
    {
      head: (status, received) => {
        settle(request, status, received, startMs, parts)
        const response = { status, fields: endToEnd(received) }
        head = originHead(response, { forward: parts.forward }, active, request.fields)
        if (method === 'HEAD' || status === 204 || status === 304) {
          exchange.send(head, undefined)
          return parts.recorder.record(exchange, active.site, head, 0, 'pass', startMs)
        }
        exchange.begin(head)
        const begun = head
        stream.attach(exchange, undefined, (bytes) =>
          parts.recorder.record(exchange, active.site, begun, bytes, 'pass', startMs),
        )
      },
      data: (chunk) => stream.push(chunk),
      end: () => stream.complete(),
      fail: (failure) => (head === undefined ? parts.fail(failure) : stream.fail()),
    },
  )
  const stream = new StreamBody(call, false, Number.POSITIVE_INFINITY, () => call.abort())
  exchange.onClose(() => call.abort())
}

/** What the answer means for what is stored (RFC 9111, sections 4.3.5 and 4.4). */
function settle(
  request: SiteRequest,
  status: number,
  fields: Fields,
  requestedMs: number,
  { cache, invalidate, isVirtual, nowMs, stored }: PassParts,
): void {
  const { active, method } = request
  for (const target of invalidated(request, { status, fields })) {
    invalidate(keyOf(active.site.id, target))
  }
  if (method !== 'HEAD' || stored === undefined || status !== 200) return
  if (!isSameByHead(stored.fields, fields)) {
    cache.remove(stored)
    return
  }
  const timing = { requestedMs, receivedMs: nowMs(), isVirtual: isVirtual() }
  const merged = freshened(stored.fields, fields)
  const freshness = freshnessOf(merged, timing, active.site.defaultCacheTtlSeconds)
  const { prepared: _, ...rest } = stored
  cache.replace(stored, { ...rest, fields: merged, freshness })
}
