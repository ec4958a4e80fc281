/**
 * What edges are to know of, as rows. One counter, increased by the transaction that changes something, gives each
 * change a version in the order of commits: whoever has read up to a version misses nothing before it.
 */
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { SiteId } from './site-rules.ts'

/**
 * When all rows are replaced (a reset, a snapshot) counted changes say nothing any more. So a version has two parts:
 * how often that was, and the counter.
 */
const SPAN = 2 ** 31

export interface FeedState {
  readonly version: number
  /** Of what was before it, too little is known to name it. */
  readonly knownFrom: number
}

export interface FeedEvent {
  readonly version: number
  readonly kind: 'purge' | 'removal' | 'probe'
  readonly siteId: SiteId
  readonly detail: string | null
  readonly at: Date
}

/** When an edge last asked, and with which version. */
export interface SeenEdge {
  readonly appliedVersion: number
  readonly seenAt: Date
}

type NewEvent = Omit<FeedEvent, 'version' | 'at'>

export class EdgeFeedStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** One statement, since every edge asks for it all the time. */
  async stateFor(edgeId: string): Promise<FeedState & { readonly edge: SeenEdge | undefined }> {
    const row = await this.#tx.first<StateRow>(
      sql`SELECT version, forgotten, count, applied_version, seen_at
          FROM edge_feed CROSS JOIN replacement LEFT JOIN edge ON edge.id = ${edgeId}
          WHERE edge_feed.id = 1`,
    )
    if (row === undefined) throw new Error('The row of edge_feed is missing.')
    const base = row.count * SPAN
    const { applied_version: appliedVersion, seen_at: seenAt } = row
    return {
      version: base + row.version,
      knownFrom: base + row.forgotten,
      edge:
        appliedVersion === null || seenAt === null
          ? undefined
          : { appliedVersion, seenAt: new Date(seenAt) },
    }
  }

  async state(): Promise<FeedState> {
    const { version, knownFrom } = await this.stateFor('')
    return { version, knownFrom }
  }

  /** Something of the site has changed. */
  async touch(siteId: SiteId): Promise<void> {
    const version = await this.#next(1)
    await this.#tx.run(sql`UPDATE site SET edge_version = ${version} WHERE id = ${siteId}`)
  }

  /** Answers with the version of the last one. */
  async add(events: readonly NewEvent[], now: Date): Promise<number> {
    const last = await this.#next(events.length)
    const first = last - events.length + 1
    await this.#tx.insertMany(
      'edge_event',
      ['version', 'kind', 'site_id', 'detail', 'at'],
      events.map(({ kind, siteId, detail }, index) => [
        ...[first + index, kind, siteId, detail, now.getTime()],
      ]),
    )
    return (await this.#base()) + last
  }

  async changedSites({ from, to }: VersionRange): Promise<SiteId[]> {
    const rows = await this.#tx.all<{ id: SiteId }>(
      sql`SELECT id FROM site WHERE edge_version > ${from % SPAN} AND edge_version <= ${to % SPAN}`,
    )
    return rows.map(({ id }) => id)
  }

  /** In their order; at most `limit`. */
  async events({ from, to }: VersionRange, limit: number): Promise<FeedEvent[]> {
    const base = to - (to % SPAN)
    const rows = await this.#tx.all<EventRow>(
      sql`SELECT version, kind, site_id, detail, at FROM edge_event
          WHERE version > ${from % SPAN} AND version <= ${to % SPAN} ORDER BY version LIMIT ${limit}`,
    )
    return rows.map(({ version, site_id, kind, detail, at }) => ({
      ...{ version: base + version, siteId: site_id, kind, detail, at: new Date(at) },
    }))
  }

  async answerProbe(version: number, edgeId: string, answer: string): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO edge_answer (version, edge_id, answer)
          SELECT version, ${edgeId}, ${answer} FROM edge_event
          WHERE version = ${version % SPAN} AND kind = 'probe' ON CONFLICT DO NOTHING`,
    )
  }

  /** JSON, by the edge. */
  async answersTo(version: number): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#tx.all<{ edge_id: string; answer: string }>(
      sql`SELECT edge_id, answer FROM edge_answer WHERE version = ${version % SPAN}`,
    )
    return new Map(rows.map((row) => [row.edge_id, row.answer]))
  }

  async oldest(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      sql`SELECT min(at) AS oldest FROM edge_event`,
    )
    return row?.oldest ?? undefined
  }

  /** Of the events before that time the first ones, and the answers to them; answers with how many events. */
  async forget(before: Date, most: number): Promise<number> {
    const row = await this.#tx.first<{ version: number | null }>(
      sql`SELECT max(version) AS version FROM
            (SELECT version FROM edge_event WHERE at < ${before}
             ORDER BY at, version LIMIT ${most}) AS oldest`,
    )
    const last = row?.version
    if (last == null) return 0
    await this.#tx.run(sql`DELETE FROM edge_answer WHERE version <= ${last}`)
    await this.#tx.run(
      sql`UPDATE edge_feed SET forgotten = ${last} WHERE id = 1 AND forgotten < ${last}`,
    )
    return this.#tx.run(sql`DELETE FROM edge_event WHERE version <= ${last}`)
  }

  async #next(count: number): Promise<number> {
    const row = await this.#tx.first<{ version: number }>(
      sql`UPDATE edge_feed SET version = version + ${count} WHERE id = 1 RETURNING version`,
    )
    if (row === undefined) throw new Error('The row of edge_feed is missing.')
    return row.version
  }

  async #base(): Promise<number> {
    const { version } = await this.state()
    return version - (version % SPAN)
  }
}

export interface VersionRange {
  readonly from: number
  readonly to: number
}

interface StateRow {
  version: number
  forgotten: number
  count: number
  applied_version: number | null
  seen_at: number | null
}

interface EventRow {
  version: number
  kind: FeedEvent['kind']
  site_id: SiteId
  detail: string | null
  at: number
}
