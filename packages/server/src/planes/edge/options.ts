/** What an edge is given by whoever starts it, and what it is to them. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { EdgeServer, EdgeSite, EdgeStatus } from '../../services/webaccel/public.ts'
import type { OriginLimits } from './origin/origins.ts'

export interface EdgeOptions {
  readonly server: EdgeServer
  readonly id: string
  readonly name: string
  readonly softwareVersion: string
  /** 0 picks a port; undefined opens none. */
  readonly listen: {
    readonly host: string
    readonly port?: number | undefined
    readonly tlsPort?: number | undefined
  }
  /** Of redirects to https; the TLS port itself unless given. */
  readonly publicTlsPort?: number | undefined
  readonly cache: {
    readonly memoryBytes: number
    readonly folder?: string | undefined
    readonly diskBytes?: number | undefined
  }
  /** More roots for https origins, PEM. */
  readonly originRoots: readonly string[]
  /** Whether no origin may be at this address. Checked after name resolution, when connecting. */
  readonly isForbiddenAddress: (address: string) => boolean
  /** Peers whose X-Forwarded-For counts. */
  readonly isTrustedProxy: (address: string) => boolean
  /** A certificate of the local CA for a site that has none; undefined where there is no such CA. */
  readonly localCertificate:
    | ((hosts: readonly string[]) => Promise<{ readonly chain: string; readonly key: string }>)
    | undefined
  /** What is answered to an authority that asks by ACME; undefined where none is asked for certificates. */
  readonly findChallenge?: ((token: string) => Promise<string | undefined>) | undefined
  /**
   * After so long without an answer of the server, stored objects are revalidated before use, so that a purge that was
   * answered without this edge is not undone. Undefined: they are served on (`kumoi edge`).
   */
  readonly settingsLimitMs: number | undefined
  /** In the place of the usual ones. */
  readonly originLimits?: Partial<OriginLimits>
  readonly clientHeadMs?: number
  readonly clock: Clock
  readonly log: Log
  readonly accessLog: AccessLog | undefined
}

export interface Edge {
  readonly address: { readonly port?: number; readonly tlsPort?: number }
  status(): EdgeStatus
  /** As it is in force. */
  site(id: string): EdgeSite | undefined
  /** When the server last answered; undefined: never. */
  readonly settingsAt: Date | undefined
  /** Stops listening, finishes what runs within seconds, reports usage. */
  stop(): Promise<void>
}

/** Where requests are recorded; nothing happens when the site has no upload. */
export interface AccessLog {
  write(site: EdgeSite, entry: AccessEntry): void
}

export interface AccessEntry {
  readonly address: string
  readonly time: Date
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** `1.1`, `2.0` */
  readonly httpVersion: string
  readonly status: number
  /** Of headers and body. */
  readonly bytes: number
  readonly referer: string | undefined
  readonly userAgent: string | undefined
  /** As in Cache-Status: `hit`, `stale`, `revalidated`, `miss`, `pass`; `none` where the edge answered by itself. */
  readonly cacheStatus: string
  readonly host: string
  readonly durationMs: number
}
