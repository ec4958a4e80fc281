/** What sites have delivered by hour, for charts. */
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { SiteId } from './site-rules.ts'
import type { Delivered, HourOfSite } from './usage-rules.ts'

export class HourStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async add(siteId: SiteId, hour: Date, delivered: Delivered): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO site_hour
            (site_id, hour, access_count, hit_count, bytes_sent, cache_miss_bytes_sent)
          VALUES (${siteId}, ${hour}, ${delivered.accessCount}, ${delivered.hitCount},
                  ${delivered.bytesSent}, ${delivered.cacheMissBytesSent})
          ON CONFLICT (site_id, hour) DO UPDATE
          SET access_count = site_hour.access_count + excluded.access_count,
              hit_count = site_hour.hit_count + excluded.hit_count,
              bytes_sent = site_hour.bytes_sent + excluded.bytes_sent,
              cache_miss_bytes_sent = site_hour.cache_miss_bytes_sent + excluded.cache_miss_bytes_sent`,
    )
  }

  /** Hours without any delivery are not among them. */
  async since(siteId: SiteId, first: Date): Promise<HourOfSite[]> {
    const rows = await this.#tx.all<{
      hour: number
      access_count: number
      hit_count: number
      bytes_sent: number
      cache_miss_bytes_sent: number
    }>(
      sql`SELECT hour, access_count, hit_count, bytes_sent, cache_miss_bytes_sent FROM site_hour
          WHERE site_id = ${siteId} AND hour >= ${first} ORDER BY hour`,
    )
    return rows.map((row) => ({
      hour: new Date(row.hour),
      accessCount: row.access_count,
      hitCount: row.hit_count,
      bytesSent: row.bytes_sent,
      cacheMissBytesSent: row.cache_miss_bytes_sent,
    }))
  }
}
