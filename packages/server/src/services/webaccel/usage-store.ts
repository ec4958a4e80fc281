import { japanPlain } from '../../kernel/datetime.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { list, type Sql, sql } from '../../storage/sql.ts'
import type { SiteId } from './site-rules.ts'
import type { Total, Usage } from './usage-rules.ts'

interface UsageRow {
  site_id: SiteId
  access_count: number
  hit_count: number | null
  bytes_sent: number
  cache_miss_bytes_sent: number
}

/** Counters of delivery, a row a site and day of Japan. */
export class UsageStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Adds to what was counted on the day. */
  async add(siteId: SiteId, day: string, usage: Usage): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO site_usage
            (site_id, day, access_count, hit_count, bytes_sent, cache_miss_bytes_sent)
          VALUES (${siteId}, ${day}, ${usage.accessCount}, ${usage.hitCount ?? null},
                  ${usage.bytesSent}, ${usage.cacheMissBytesSent})
          ON CONFLICT (site_id, day) DO UPDATE
          SET access_count = site_usage.access_count + excluded.access_count,
              hit_count = site_usage.hit_count + excluded.hit_count,
              bytes_sent = site_usage.bytes_sent + excluded.bytes_sent,
              cache_miss_bytes_sent = site_usage.cache_miss_bytes_sent + excluded.cache_miss_bytes_sent`,
    )
  }

  /** Of days that have none yet. */
  async insertDays(
    siteId: SiteId,
    days: readonly { readonly day: string; readonly usage: Usage }[],
  ): Promise<void> {
    await this.#tx.insertMany(
      'site_usage',
      ['site_id', 'day', 'access_count', 'hit_count', 'bytes_sent', 'cache_miss_bytes_sent'],
      days.map(({ day, usage }) => [
        ...[siteId, day, usage.accessCount, usage.hitCount ?? null],
        ...[usage.bytesSent, usage.cacheMissBytesSent],
      ]),
    )
  }

  async find(siteId: SiteId, day: string): Promise<Usage | undefined> {
    const row = await this.#tx.first<UsageRow>(
      sql`SELECT site_id, access_count, hit_count, bytes_sent, cache_miss_bytes_sent FROM site_usage
          WHERE site_id = ${siteId} AND day = ${day}`,
    )
    return row && toUsage(row)
  }

  async replace(siteId: SiteId, day: string, usage: Usage): Promise<void> {
    await this.#tx.run(sql`DELETE FROM site_usage WHERE site_id = ${siteId} AND day = ${day}`)
    await this.add(siteId, day, usage)
  }

  /** The sums of a month (202604); a site without any delivery is not among them. */
  async ofMonth(siteIds: readonly SiteId[], month: string): Promise<ReadonlyMap<SiteId, Total>> {
    return this.#sums(siteIds, sql`day >= ${`${month}00`} AND day <= ${`${month}99`}`)
  }

  /** Whole days: today and the six before. */
  async ofLastWeek(siteIds: readonly SiteId[], now: Date): Promise<ReadonlyMap<SiteId, Total>> {
    const first = new Date(now.getTime() - 6 * DAY_MS)
    // What is known of a month alone was not delivered on any of these days.
    return this.#sums(
      siteIds,
      sql`day >= ${dayOf(first)} AND day <= ${dayOf(now)} AND day NOT LIKE '%00'`,
    )
  }

  /** Of all months: for an export. */
  async listMonths(): Promise<{ siteId: SiteId; day: string; usage: Usage }[]> {
    const rows = await this.#tx.all<UsageRow & { day: string }>(
      sql`SELECT site_id, day, access_count, hit_count, bytes_sent, cache_miss_bytes_sent FROM site_usage
          ORDER BY site_id, day`,
    )
    return rows.map((row) => ({ siteId: row.site_id, day: row.day, usage: toUsage(row) }))
  }

  async #sums(siteIds: readonly SiteId[], when: Sql) {
    const rows = await this.#tx.all<UsageRow & { counted: number }>(
      sql`SELECT site_id, sum(access_count) AS access_count, sum(hit_count) AS hit_count,
                 sum(CASE WHEN hit_count IS NULL THEN 0 ELSE access_count END) AS counted,
                 sum(bytes_sent) AS bytes_sent, sum(cache_miss_bytes_sent) AS cache_miss_bytes_sent
          FROM site_usage WHERE site_id IN ${list(siteIds)} AND ${when}
          GROUP BY site_id`,
    )
    return new Map(rows.map((row) => [row.site_id, { ...toUsage(row), countedHits: row.counted }]))
  }
}

/** `20260401`, in Japan. */
export function dayOf(date: Date): string {
  return japanPlain(date).slice(0, 10).replaceAll('-', '')
}

function toUsage(row: UsageRow): Usage {
  return {
    accessCount: row.access_count,
    bytesSent: row.bytes_sent,
    cacheMissBytesSent: row.cache_miss_bytes_sent,
    hitCount: row.hit_count ?? undefined,
  }
}
