/**
 * The server's side of edges, in this process, in others on the same database, and on other machines. An edge asks
 * for what has changed and says by that what holds there already, so a purge knows whom it has to wait for.
 */
import type { Clock } from '../../kernel/clock.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { CertificateStore } from './certificate-store.ts'
import { addDelivered } from './deliveries.ts'
import { EdgeFeedStore, type FeedEvent, type SeenEdge } from './edge-feed-store.ts'
import { PROBE_LIMIT_MS } from './edge-requests.ts'
import { before, type KnownEdge } from './edge-rules.ts'
import { edgeSiteOf } from './edge-site.ts'
import { EdgeStore } from './edge-store.ts'
import type {
  EdgeChanges,
  EdgeProbe,
  EdgeProbeAnswer,
  EdgeServer,
  EdgeSite,
  EdgeStatus,
  EdgeUsage,
} from './edge-types.ts'
import type { SiteId } from './site-rules.ts'
import { listSites } from './site-store.ts'
import type { Vault } from './vault.ts'

/** That an edge is there is written no more often than this. */
const SEEN_EVERY_MS = 2000
const REMOTE_KEPT_MS = 7 * DAY_MS
const LOCAL_KEPT_MS = MINUTE_MS
/** An edge that missed more than so many gets everything instead. */
const EVENTS_MAX = 10_000
const SITES_AT_ONCE = 500

export class DatabaseEdges implements EdgeServer {
  readonly #database: Database
  readonly #vault: Vault
  /** The machine's: edges run by it, whatever the world's clock says. */
  readonly #clock: Pick<Clock, 'now'>
  readonly #wake: Wake
  readonly #listeners = new Set<() => void>()

  constructor(parts: {
    readonly database: Database
    readonly vault: Vault
    readonly clock: Pick<Clock, 'now'>
    readonly wake: Wake
  }) {
    this.#database = parts.database
    this.#vault = parts.vault
    this.#clock = parts.clock
    this.#wake = parts.wake
  }

  /** Something was written that edges in this process need not find by polling. */
  notify(): void {
    for (const changed of this.#listeners) changed()
  }

  watch(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  async changes(
    status: EdgeStatus,
    since: number | undefined,
    isRemote = false,
  ): Promise<EdgeChanges> {
    const { edge: known, ...state } = await this.#database.read((tx) =>
      new EdgeFeedStore(tx).stateFor(status.id),
    )
    // An edge that is not known here may have been away while the database was another one.
    const isUpToDate =
      since !== undefined && known !== undefined && isWithin(since, state) ? since : undefined
    await this.#see(
      { status, isRemote, seenAt: this.#clock.now(), appliedVersion: isUpToDate ?? -1 },
      known,
    )
    if (isUpToDate === state.version) return { ...NOTHING, version: state.version }
    return this.#database.read(async (tx) => {
      const since = isUpToDate === undefined ? undefined : await this.#since(tx, isUpToDate)
      return since ?? this.#everything(tx)
    })
  }

  /** Before anything is read for it: a purge that it does not get yet finds it in the table, and waits. */
  async #see(edge: KnownEdge, known: SeenEdge | undefined): Promise<void> {
    const isNews =
      known === undefined ||
      known.appliedVersion !== edge.appliedVersion ||
      edge.seenAt.getTime() - known.seenAt.getTime() >= SEEN_EVERY_MS
    if (!isNews) return
    await this.#database.write(async (tx) => {
      const store = new EdgeStore(tx)
      if (known === undefined) {
        const oldest = before(edge.seenAt, REMOTE_KEPT_MS)
        await store.forget(oldest, before(edge.seenAt, LOCAL_KEPT_MS))
      }
      await store.put(edge)
    })
  }

  async #everything(tx: Tx): Promise<EdgeChanges> {
    const { version } = await new EdgeFeedStore(tx).state()
    const sites = await this.#sitesOf(tx)
    return { ...NOTHING, version, isComplete: true, sites }
  }

  /** Undefined when that is too much, or not known any more. */
  async #since(tx: Tx, from: number): Promise<EdgeChanges | undefined> {
    const feed = new EdgeFeedStore(tx)
    const state = await feed.state()
    const range = { from, to: state.version }
    const events = await feed.events(range, EVENTS_MAX + 1)
    if (!isWithin(from, state) || events.length > EVENTS_MAX) return undefined
    const ids = await feed.changedSites(range)
    const oldest = before(this.#clock.now(), PROBE_LIMIT_MS)
    const ofKind = (kind: FeedEvent['kind']) => events.filter((event) => event.kind === kind)
    return {
      version: state.version,
      isComplete: false,
      sites: ids.length === 0 ? [] : await this.#sitesOf(tx, ids),
      removedSiteIds: ofKind('removal').map(({ siteId }) => siteId),
      purges: ofKind('purge').map(({ version, siteId, detail }) => ({
        ...{ version, siteId, target: detail },
      })),
      probes: ofKind('probe')
        .filter(({ at }) => at >= oldest)
        .map(probeOf),
    }
  }

  async #sitesOf(tx: Tx, ids?: readonly SiteId[]): Promise<EdgeSite[]> {
    const sites = await listSites(tx, ids)
    const certificates = new CertificateStore(tx)
    const shown: EdgeSite[] = []
    for (let at = 0; at < sites.length; at += SITES_AT_ONCE) {
      const some = sites.slice(at, at + SITES_AT_ONCE)
      const current = await certificates.currentOf(some.map(({ id }) => id))
      shown.push(...some.map((site) => edgeSiteOf(site, current.get(site.id), this.#vault)))
    }
    return shown
  }

  report(edgeId: string, sequence: number, usage: readonly EdgeUsage[]): Promise<void> {
    return this.#database.write(async (tx) => {
      const edges = new EdgeStore(tx)
      if (await edges.takeReport(edgeId, sequence)) return addDelivered(tx, usage, this.#wake)
      if ((await edges.find(edgeId)) === undefined) throw unknownEdge(edgeId)
    })
  }

  answer(edgeId: string, probeVersion: number, answer: EdgeProbeAnswer): Promise<void> {
    return this.#database.write((tx) =>
      new EdgeFeedStore(tx).answerProbe(probeVersion, edgeId, JSON.stringify(answer)),
    )
  }

  leave(edgeId: string): Promise<void> {
    return this.#database.write(async (tx) => {
      await new EdgeStore(tx).delete(edgeId)
    })
  }
}

const NOTHING = { isComplete: false, sites: [], removedSiteIds: [], purges: [], probes: [] }

function isWithin(version: number, state: { version: number; knownFrom: number }): boolean {
  return version >= state.knownFrom && version <= state.version
}

function probeOf({ version, siteId, detail }: FeedEvent): EdgeProbe {
  return { ...JSON.parse(detail ?? '{}'), version, siteId }
}

function unknownEdge(id: string): NotFound {
  return new NotFound(`There is no edge ${id}.`, `エッジ ${id} はありません。`)
}
