/** What is asked of all edges: to forget what they have stored, or what they would do with a request. */
import { type Clock, pause, stopwatch } from '../../kernel/clock.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import { isLive, type KnownEdge, type ProbedEdge } from './edge-rules.ts'
import { EdgeStore } from './edge-store.ts'
import type { EdgeProbe } from './edge-types.ts'
import type { SiteId } from './site-rules.ts'

export const PROBE_LIMIT_MS = 3000
const LIMITS = { purgeMs: 12_000, probeMs: PROBE_LIMIT_MS }
const POLL_MS = 20

export class EdgeRequests {
  readonly #database: Database
  /** The machine's: edges run by it, whatever the world's clock says. */
  readonly #clock: Pick<Clock, 'now'>
  readonly #notify: () => void
  readonly #limits: typeof LIMITS

  constructor(database: Database, clock: Pick<Clock, 'now'>, notify: () => void, limits = LIMITS) {
    this.#limits = limits
    this.#database = database
    this.#clock = clock
    this.#notify = notify
  }

  /** Answers with the version by which edges confirm it. A target is a path and query; null is all of the site. */
  async purge(
    tx: Tx,
    targets: readonly { readonly siteId: SiteId; readonly target: string | null }[],
  ): Promise<number> {
    const events = targets.map(({ siteId, target }) => ({
      ...{ kind: 'purge' as const, siteId, detail: target },
    }))
    return this.#add(tx, events)
  }

  async probe(tx: Tx, siteId: SiteId, probe: Omit<EdgeProbe, 'version' | 'siteId'>) {
    return this.#add(tx, [{ kind: 'probe', siteId, detail: JSON.stringify(probe) }])
  }

  async #add(tx: Tx, events: Parameters<EdgeFeedStore['add']>[0]): Promise<number> {
    const feed = new EdgeFeedStore(tx)
    tx.afterCommit(this.#notify)
    return feed.add(events, this.#clock.now())
  }

  /** Fulfilled when all that are there have confirmed, or have stopped; with the names of those that did not in time. */
  async confirmed(version: number): Promise<string[]> {
    const isOpen = (edge: KnownEdge) =>
      edge.appliedVersion < version && (edge.isRemote || isLive(edge, this.#clock.now()))
    const late = await this.#waitFor(isOpen, this.#limits.purgeMs)
    return late.map(({ status }) => status.name)
  }

  async answersTo(version: number): Promise<ProbedEdge[]> {
    let answers: ReadonlyMap<string, string> = new Map()
    const asked = await this.#live()
    const read = async () => {
      answers = await this.#database.read((tx) => new EdgeFeedStore(tx).answersTo(version))
    }
    const age = stopwatch()
    for (await read(); answers.size < asked.length && age() < this.#limits.probeMs; await read()) {
      await pause(POLL_MS)
    }
    return asked.map(({ status }) => {
      const answer = answers.get(status.id)
      return { edge: status, answer: answer === undefined ? undefined : JSON.parse(answer) }
    })
  }

  /** Those that are live now, until none of them is open any more. */
  async #waitFor(isOpen: (edge: KnownEdge) => boolean, limitMs: number): Promise<KnownEdge[]> {
    const age = stopwatch()
    let open = (await this.#live()).filter(isOpen)
    while (open.length > 0 && age() < limitMs) {
      await pause(POLL_MS)
      const ids = new Set(open.map(({ status }) => status.id))
      const all = await this.#database.read((tx) => new EdgeStore(tx).list())
      open = all.filter((edge) => ids.has(edge.status.id) && isOpen(edge))
    }
    return open
  }

  async #live(): Promise<KnownEdge[]> {
    const all = await this.#database.read((tx) => new EdgeStore(tx).list())
    return all.filter((edge) => isLive(edge, this.#clock.now()))
  }
}
