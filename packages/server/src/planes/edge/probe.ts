/** What would be done with a request, and why; nothing is fetched, and nothing counts as used. */
import type { EdgeObject, EdgeProbe, EdgeProbeAnswer } from '../../services/webaccel/public.ts'
import { type ObjectCache, select } from './cache/cache.ts'
import { bodyLength, type StoredObject } from './cache/object.ts'
import { admit, type OwnAnswer, RULES, type SiteRequest } from './delivery/admission.ts'
import { targetOf } from './listeners/request-target.ts'
import { isLoop } from './origin/request-fields.ts'
import { freshUntilMs, isFresh, mayServeWhileRevalidating } from './policy/freshness.ts'
import { isFromStart } from './policy/ranges.ts'
import { conditionOf } from './policy/validation.ts'
import type { Sites } from './sites.ts'

export interface ProbeParts {
  readonly sites: Sites
  readonly cache: ObjectCache
  readonly nowMs: number
  readonly tlsPort: number
}

type Step = EdgeProbeAnswer['steps'][number]

export function answerProbe(probe: EdgeProbe, parts: ProbeParts): EdgeProbeAnswer {
  const url = URL.parse(probe.url)
  const target = targetOf(`${url?.pathname ?? ''}${url?.search ?? ''}`, url?.host)
  if (url === null || target === undefined) {
    return { ...refused(400), steps: [{ name: 'URL', result: 'The URL is malformed.' }] }
  }
  const names = Object.entries(probe.headers).map(([name, value]) => [name.toLowerCase(), value])
  const client = {
    ...{ ...target, method: probe.method, address: probe.address },
    fields: Object.fromEntries(names),
    isTls: url.protocol === 'https:',
  }
  const request = admit(client, parts.sites.find(target.host), parts)
  if ('rule' in request) return ownAnswer(request)
  const steps: Step[] = RULES.map((name) => ({ name, result: 'passed' }))
  if (isLoop(request.fields, request.active.site.id)) {
    return { ...refused(508), steps: [...steps, { name: 'Via', result: 'The origin leads back.' }] }
  }
  const objects = parts.cache.peek(request.key)
  const { action, found } = actionOf(request, objects, parts.nowMs)
  return {
    ...{ action, status: null, objects: objects.map(shown) },
    steps: [...steps, { name: 'Cache', result: found }],
  }
}

function refused(status: number) {
  return { action: 'refuse', status, objects: [] } as const
}

function ownAnswer({ rule, status, text }: OwnAnswer): EdgeProbeAnswer {
  const passed = RULES.slice(0, RULES.indexOf(rule)).map((name) => ({ name, result: 'passed' }))
  const result = text === '' ? `The edge answers ${status}.` : text
  const action =
    status === 301 ? 'redirect' : rule === 'CORSRules' && status === 204 ? 'preflight' : 'refuse'
  return { action, status, steps: [...passed, { name: rule, result }], objects: [] }
}

function actionOf(
  { method, fields }: SiteRequest,
  objects: readonly StoredObject[],
  nowMs: number,
): { readonly action: EdgeProbeAnswer['action']; readonly found: string } {
  if (method !== 'GET' && method !== 'HEAD') {
    return { action: 'pass', found: `${method} goes to the origin.` }
  }
  const stored = select(objects, fields)
  if (stored !== undefined) {
    const left = (freshUntilMs(stored.freshness) - nowMs) / 1000
    if (isFresh(stored.freshness, nowMs)) {
      return { action: 'hit', found: `Fresh for ${Math.ceil(left)} more seconds.` }
    }
    // One of an unknown age is older than anything.
    const since = Number.isFinite(left) ? `Stale for ${Math.ceil(-left)} seconds` : 'Stale'
    if (mayServeWhileRevalidating(stored.freshness, nowMs)) {
      return { action: 'stale', found: `${since}; it is validated meanwhile.` }
    }
    const hasValidator = Object.keys(conditionOf(stored.fields)).length > 0
    const how = hasValidator ? 'the origin is asked whether it holds' : 'it has no validator'
    return { action: 'revalidate', found: `${since}; ${how}.` }
  }
  if (method === 'HEAD') return { action: 'pass', found: 'Not stored; HEAD goes to the origin.' }
  if (fields.range !== undefined && !isFromStart(fields.range)) {
    return { action: 'pass', found: 'Not stored; a range goes to the origin.' }
  }
  const why = objects.length > 0 ? 'Other variants are stored, not this one.' : 'Not stored.'
  return { action: 'miss', found: why }
}

function shown(object: StoredObject): EdgeObject {
  const values: (string | null)[] = object.variant === '' ? [] : JSON.parse(object.variant)
  const variant = object.vary.map((name, index) => [name, values[index] ?? ''])
  return {
    status: object.status,
    variant: Object.fromEntries(variant),
    storedAt: shownTime(object.storedMs),
    freshUntil: shownTime(freshUntilMs(object.freshness)),
    bytes: bodyLength(object),
    tier: Buffer.isBuffer(object.body) ? 'memory' : 'disk',
  }
}

/** Of the time that a Date can have: a response may be older than anything. */
const LATEST_MS = 8.64e15

function shownTime(ms: number): string {
  return new Date(Math.max(0, Math.min(ms, LATEST_MS))).toISOString()
}
