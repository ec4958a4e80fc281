/** The certificates of sites by the name that a client asks for. A new one is used from the next connection on. */
import { createSecureContext, type SecureContext } from 'node:tls'
import { stopwatch } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/units.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import type { EdgeOptions } from '../options.ts'
import type { Sites } from '../sites.ts'

const CONTEXTS_MAX = 10_000
/** One of the local CA is far from its end by then; the next is as cheap. */
const LOCAL_LIFE_MS = DAY_MS

interface Made {
  readonly made: string
  readonly context: Promise<SecureContext>
  readonly ageMs: () => number
}

export class Certificates {
  readonly #sites: Sites
  readonly #local: EdgeOptions['localCertificate']
  readonly #startWatch: typeof stopwatch
  /** By site, with what they were made of. */
  readonly #contexts = new Map<string, Made>()

  constructor(
    sites: Sites,
    local: EdgeOptions['localCertificate'],
    startWatch: typeof stopwatch = stopwatch,
  ) {
    this.#startWatch = startWatch
    this.#sites = sites
    this.#local = local
  }

  /** Undefined when there is no site of that name, or it has no certificate. */
  async find(servername: string): Promise<SecureContext | undefined> {
    const site = this.#sites.find(servername.toLowerCase())?.site
    if (site === undefined) return undefined
    const { certificate, hosts, id } = site
    if (certificate === null && this.#local === undefined) return undefined
    const made = certificate?.id ?? hosts.join()
    const before = this.#contexts.get(id)
    const isLocal = certificate === null
    if (before?.made === made && !(isLocal && before.ageMs() > LOCAL_LIFE_MS)) return before.context
    const context = this.#make(site)
    if (this.#contexts.size >= CONTEXTS_MAX) this.#contexts.clear()
    this.#contexts.set(id, { made, context, ageMs: this.#startWatch() })
    // The next connection tries again.
    context.catch(() => this.#contexts.delete(id))
    return context
  }

  async #make({ certificate, hosts }: EdgeSite): Promise<SecureContext> {
    const pair = certificate ?? (await this.#local?.(hosts))
    return createSecureContext({ cert: pair?.chain, key: pair?.key })
  }
}
