/**
 * What an edge is given and what it reports. All of it is plain JSON: an edge is in this process, in another one on
 * the same database, or on a machine of its own (`kumoi edge`).
 */
import type { Cors } from './site-rules.ts'

/** A site as an edge needs it, with its secrets in plain. */
export interface EdgeSite {
  readonly id: string
  /** In ASCII and lower case, without a port: the domain and the delivery subdomain. */
  readonly hosts: readonly string[]
  readonly status: 'enabled' | 'disabled'
  readonly requestProtocol: 'both' | 'https' | 'redirect'
  readonly origin: EdgeOrigin
  readonly defaultCacheTtlSeconds: number
  readonly varySupport: boolean
  readonly normalize: 'gzip' | 'brotli'
  readonly cors: Cors | null
  readonly onetimeSecrets: readonly string[]
  /** Empty when there is none. */
  readonly guardToken: string
  readonly acl: string
  /** The current one; null when the site has none. */
  readonly certificate: { readonly id: string; readonly chain: string; readonly key: string } | null
  /** Null unless it is enabled. */
  readonly logUpload: EdgeBucket | null
}

export type EdgeOrigin =
  | {
      readonly type: 'server'
      readonly protocol: 'http' | 'https'
      readonly host: string
      readonly hostHeader: string
    }
  | ({ readonly type: 'storage'; readonly docIndex: boolean } & EdgeBucket)

export interface EdgeBucket {
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What has changed since a version. Versions are numbers in the order of commits. */
export interface EdgeChanges {
  readonly version: number
  /** The sites are all there are, and what the edge has stored may miss purges: it is dropped. */
  readonly isComplete: boolean
  readonly sites: readonly EdgeSite[]
  readonly removedSiteIds: readonly string[]
  readonly purges: readonly EdgePurge[]
  readonly probes: readonly EdgeProbe[]
}

export interface EdgePurge {
  readonly version: number
  readonly siteId: string
  /** Path and query as they were given; null is everything of the site. */
  readonly target: string | null
}

/** A question: what would be done with this request, and what is stored of its URL? */
export interface EdgeProbe {
  readonly version: number
  readonly siteId: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Of the client, for the access list. */
  readonly address: string
}

export interface EdgeProbeAnswer {
  readonly action:
    | 'hit'
    | 'stale'
    | 'revalidate'
    | 'miss'
    | 'pass'
    | 'redirect'
    | 'preflight'
    | 'refuse'
  /** Where the edge answers by itself. */
  readonly status: number | null
  /** What was looked at, in order, each with what came of it. */
  readonly steps: readonly { readonly name: string; readonly result: string }[]
  readonly objects: readonly EdgeObject[]
}

/** A stored response of the URL, one for each variant. */
export interface EdgeObject {
  readonly status: number
  /** Names and values of the request's headers that Vary names. */
  readonly variant: Readonly<Record<string, string>>
  readonly storedAt: string
  readonly freshUntil: string
  readonly bytes: number
  readonly tier: 'memory' | 'disk'
}

export interface EdgeStatus {
  readonly id: string
  readonly name: string
  readonly engine: 'embedded' | 'trafficserver'
  readonly softwareVersion: string
  readonly startedAt: string
  readonly cacheBytes: number
  readonly cacheObjects: number
  readonly hits: number
  readonly misses: number
}

/** What was delivered of a site within one hour, since the last report. */
export interface EdgeUsage {
  readonly siteId: string
  /** Of the hour's beginning. */
  readonly hour: string
  readonly accessCount: number
  readonly hitCount: number
  /** Headers and bodies. */
  readonly bytesSent: number
  readonly cacheMissBytesSent: number
}

/** What an edge needs of the server. */
export interface EdgeServer {
  /** `since` also says that everything up to it holds at this edge; undefined asks for everything. */
  changes(status: EdgeStatus, since: number | undefined): Promise<EdgeChanges>
  /** A sequence that was reported before adds nothing. Sequences of an edge count up from 1. */
  report(edgeId: string, sequence: number, usage: readonly EdgeUsage[]): Promise<void>
  answer(edgeId: string, probeVersion: number, answer: EdgeProbeAnswer): Promise<void>
  /** The edge stops: nobody waits for it any more. */
  leave?(edgeId: string): Promise<void>
  /** Called when something has changed, where that is known at once; gives back how to stop that. */
  watch?(changed: () => void): () => void
}
