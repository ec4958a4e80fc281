/** The fetches that run, so that others may join them, and so that a purge reaches them. */
import { variantOf } from '../policy/vary.ts'
import type { SiteRequest } from './admission.ts'
import type { Fill } from './fill.ts'
import { PURGED } from './outcome.ts'

/** What was not stored is not waited for so long. */
const PRIVATE_MS = 10_000
const PRIVATE_MAX = 10_000

export class Fills {
  /** All that may be stored, by the URL. */
  readonly #running = new Map<string, Set<Fill>>()
  readonly #shared = new WeakSet<Fill>()
  /** URLs whose responses are for one client each, until when. */
  readonly #private = new Map<string, number>()

  open(fill: Fill, isShared: boolean): void {
    const { key } = fill.request
    const fills = this.#running.get(key) ?? new Set()
    fills.add(fill)
    this.#running.set(key, fills)
    if (isShared) this.#shared.add(fill)
  }

  /** One that this request may join: what it selects is not known yet, or is what the request wants. */
  find(request: SiteRequest): Fill | undefined {
    const fills = this.#running.get(request.key)
    if (fills === undefined) return undefined
    for (const fill of fills) {
      if (!this.#shared.has(fill)) continue
      const selection = fill.stream?.selection
      if (fill.stream === undefined) return fill
      if (selection && variantOf(selection.vary, request.fields) === selection.variant) return fill
    }
    return undefined
  }

  close(fill: Fill, nowMs: number): void {
    const { key } = fill.request
    const fills = this.#running.get(key)
    fills?.delete(fill)
    if (fills?.size === 0) this.#running.delete(key)
    const { stream } = fill
    if (stream === undefined || stream.reason === PURGED) return
    if (stream.selection !== undefined) this.#private.delete(key)
    else this.#markPrivate(key, nowMs + PRIVATE_MS)
  }

  isPrivate(key: string, nowMs: number): boolean {
    const until = this.#private.get(key)
    if (until === undefined) return false
    if (until > nowMs) return true
    this.#private.delete(key)
    return false
  }

  detach(siteId: string | undefined, key: string | undefined): void {
    const keys = key === undefined ? [...this.#running.keys()] : [key]
    for (const one of keys) {
      for (const fill of [...(this.#running.get(one) ?? [])]) {
        if (siteId === undefined || fill.request.active.site.id === siteId) fill.detach()
      }
    }
  }

  #markPrivate(key: string, until: number): void {
    this.#private.delete(key)
    this.#private.set(key, until)
    const [oldest] = this.#private.keys()
    if (this.#private.size > PRIVATE_MAX && oldest !== undefined) this.#private.delete(oldest)
  }
}
