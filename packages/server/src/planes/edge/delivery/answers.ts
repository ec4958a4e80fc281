/** The heads of answers: what is stored or has come from the origin, with what the edge adds for this client. */
import { bodyLength, type StoredObject } from '../cache/object.ts'
import type { OriginFailure } from '../origin/failure.ts'
import { type Fields, hasField, type RequestFields, without } from '../policy/fields.ts'
import { ageSeconds } from '../policy/freshness.ts'
import type { ByteRange } from '../policy/ranges.ts'
import { type Forwarded, forwardStatus, hitStatus, proxyStatus } from '../policy/status-fields.ts'
import { corsHeaders } from '../site/cors.ts'
import type { ActiveSite } from '../sites.ts'
import type { OwnAnswer } from './admission.ts'
import { Head } from './head.ts'

/** Of a stored object, as a whole. The same for all requests of a second, unless it depends on the Origin field. */
export function storedHead(
  object: StoredObject,
  active: ActiveSite,
  request: RequestFields,
  nowMs: number,
): Head {
  const age = Math.floor(ageSeconds(object.freshness, nowMs))
  const { prepared } = object
  const isShared = request.origin === undefined || active.site.cors === null
  if (isShared && prepared?.age === age && prepared.site === active) return prepared.head
  const fields = [...object.fields]
  if (!hasField(fields, 'content-length') && object.status !== 204) {
    fields.push('content-length', String(bodyLength(object)))
  }
  addAge(fields, age)
  const status = hitStatus(object.freshness.lifetimeSeconds - age)
  const head = new Head(object.status, forClient(fields, status, active, request))
  if (isShared) object.prepared = { site: active, age, head }
  return head
}

/** Of an object that was used after the origin was asked. */
export function revalidatedHead(
  object: StoredObject,
  forwarded: Forwarded,
  active: ActiveSite,
  request: RequestFields,
  nowMs: number,
): Head {
  const fields = [...object.fields]
  if (!hasField(fields, 'content-length') && object.status !== 204) {
    fields.push('content-length', String(bodyLength(object)))
  }
  addAge(fields, Math.floor(ageSeconds(object.freshness, nowMs)))
  return new Head(object.status, forClient(fields, forwardStatus(forwarded), active, request))
}

/** Of what comes from the origin now; its own Age stays as it is. */
export function originHead(
  response: { readonly status: number; readonly fields: Fields },
  forwarded: Forwarded,
  active: ActiveSite,
  request: RequestFields,
): Head {
  const fields = [...response.fields]
  return new Head(response.status, forClient(fields, forwardStatus(forwarded), active, request))
}

/** RFC 9110, section 15.4.5: what a 304 has of the fields of the 200. */
export function notModifiedHead({ fields }: Head): Head {
  return new Head(
    304,
    without(fields, (name) => name.startsWith('content-') && name !== 'content-location'),
  )
}

export function partialHead({ fields }: Head, range: ByteRange, length: number): Head {
  const kept = without(fields, (name) => name === 'content-length' || name === 'content-range')
  kept.push('content-length', String(range.end - range.start))
  kept.push('content-range', `bytes ${range.start}-${range.end - 1}/${length}`)
  return new Head(206, kept)
}

export function unsatisfiableHead({ fields }: Head, length: number): Head {
  const kept = without(fields, (name) => name.startsWith('content-'))
  return new Head(416, [...kept, 'content-range', `bytes */${length}`, 'content-length', '0'])
}

export function preconditionHead({ fields }: Head): Head {
  const kept = without(fields, (name) => name.startsWith('content-'))
  return new Head(412, [...kept, 'content-length', '0'])
}

export interface TextAnswer {
  readonly head: Head
  readonly body: Buffer | undefined
}

export function ownAnswer({ status, fields, text }: OwnAnswer): TextAnswer {
  return textAnswer(status, text, fields)
}

export function failureAnswer(failure: OriginFailure, cacheStatus: string): TextAnswer {
  const fields = ['proxy-status', proxyStatus(failure.type), 'cache-status', cacheStatus]
  return textAnswer(failure.status, failure.message, fields)
}

export function textAnswer(status: number, text: string, more: Fields = []): TextAnswer {
  const fields = ['cache-control', 'no-store', ...more]
  if (status === 204) return { head: new Head(status, fields), body: undefined }
  const body = Buffer.from(`${text}\n`)
  fields.push('content-type', 'text/plain; charset=utf-8', 'content-length', String(body.length))
  return { head: new Head(status, fields), body }
}

function addAge(fields: string[], age: number): void {
  fields.push('age', Number.isFinite(age) ? String(age) : '2147483648')
}

/** With the site's CORS rules and what the edge says about itself. */
function forClient(
  fields: string[],
  cacheStatus: string,
  { site }: ActiveSite,
  request: RequestFields,
): string[] {
  const cors = corsHeaders(site.cors ?? undefined, request.origin)
  const kept = cors.drop.length === 0 ? fields : without(fields, (name) => cors.drop.includes(name))
  for (const name in cors.set) kept.push(name, cors.set[name] ?? '')
  if (cors.vary) kept.push('vary', 'Origin')
  kept.push('cache-status', cacheStatus)
  return kept
}
