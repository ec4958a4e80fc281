/** The server of an edge in the hands of a test: its sites, what is purged, and what the edge has reported. */
import type {
  EdgeChanges,
  EdgeProbe,
  EdgeProbeAnswer,
  EdgeServer,
  EdgeSite,
  EdgeStatus,
  EdgeUsage,
} from '../services/webaccel/public.ts'

export const DOMAIN = 'www.example.jp'

/** A site that stores what its origin allows, and each variant of it. */
export function testSite(originPort: number, change: Partial<EdgeSite> = {}): EdgeSite {
  return {
    ...{ id: '113000000001', hosts: [DOMAIN], status: 'enabled', requestProtocol: 'both' },
    origin: {
      ...{ type: 'server', protocol: 'http' },
      ...{ host: `127.0.0.1:${originPort}`, hostHeader: DOMAIN },
    },
    ...{ defaultCacheTtlSeconds: -1, varySupport: true, normalize: 'gzip', cors: null },
    ...{ onetimeSecrets: [], guardToken: '', acl: '', certificate: null, logUpload: null },
    ...change,
  }
}

type Change = Omit<EdgeChanges, 'version' | 'isComplete'>
const NOTHING: Change = { sites: [], removedSiteIds: [], purges: [], probes: [] }

export class TestEdgeServer implements EdgeServer {
  readonly reports: { readonly sequence: number; readonly usage: readonly EdgeUsage[] }[] = []
  readonly answers: EdgeProbeAnswer[] = []
  /** Thrown by each call while it is set: the server is away. */
  problem: Error | undefined
  #version = 1
  readonly #sites = new Map<string, EdgeSite>()
  readonly #log: { readonly version: number; readonly change: Change }[] = []
  readonly #watchers = new Set<() => void>()
  readonly #applied: { readonly version: number; readonly done: () => void }[] = []

  constructor(...sites: readonly EdgeSite[]) {
    for (const site of sites) this.#sites.set(site.id, site)
  }

  /** Each of these resolves when the change is in force at the edge. */
  set(site: EdgeSite): Promise<void> {
    this.#sites.set(site.id, site)
    return this.#add({ ...NOTHING, sites: [site] })
  }

  remove(id: string): Promise<void> {
    this.#sites.delete(id)
    return this.#add({ ...NOTHING, removedSiteIds: [id] })
  }

  /** Null is everything of the site. */
  purge(target: string | null, siteId = '113000000001'): Promise<void> {
    return this.#add({ ...NOTHING, purges: [{ version: this.#version + 1, siteId, target }] })
  }

  probe(probe: Omit<EdgeProbe, 'version'>): Promise<void> {
    return this.#add({ ...NOTHING, probes: [{ ...probe, version: this.#version + 1 }] })
  }

  async changes(_status: EdgeStatus, since: number | undefined): Promise<EdgeChanges> {
    this.#check()
    if (since === undefined) {
      const sites = [...this.#sites.values()]
      return { ...NOTHING, version: this.#version, isComplete: true, sites }
    }
    this.#confirm(since)
    const news = this.#log.filter(({ version }) => version > since).map(({ change }) => change)
    return {
      version: this.#version,
      isComplete: false,
      sites: news.flatMap(({ sites }) => sites),
      removedSiteIds: news.flatMap(({ removedSiteIds }) => removedSiteIds),
      purges: news.flatMap(({ purges }) => purges),
      probes: news.flatMap(({ probes }) => probes),
    }
  }

  async report(_edgeId: string, sequence: number, usage: readonly EdgeUsage[]): Promise<void> {
    this.#check()
    if (this.reports.every((one) => one.sequence !== sequence))
      this.reports.push({ sequence, usage })
  }

  async answer(_edgeId: string, _probe: number, answer: EdgeProbeAnswer): Promise<void> {
    this.#check()
    this.answers.push(answer)
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => void this.#watchers.delete(changed)
  }

  /** The sum of all reports. */
  total(name: 'accessCount' | 'hitCount' | 'bytesSent' | 'cacheMissBytesSent'): number {
    const rows = this.reports.flatMap(({ usage }) => usage)
    return rows.reduce((sum, row) => sum + row[name], 0)
  }

  #check(): void {
    if (this.problem !== undefined) throw this.problem
  }

  #add(change: Change): Promise<void> {
    this.#version += 1
    const version = this.#version
    this.#log.push({ version, change })
    const applied = new Promise<void>((done) => this.#applied.push({ version, done }))
    for (const changed of this.#watchers) changed()
    return applied
  }

  #confirm(since: number): void {
    for (const { version, done } of this.#applied) if (version <= since) done()
  }
}
