import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { SiteId } from './site-rules.ts'

export interface Purge {
  readonly id: number
  readonly siteId: SiteId
  /** Undefined: everything of the site. */
  readonly url: string | undefined
  readonly at: Date
}

/** What has to leave the caches, in order, for whoever keeps one. */
export class PurgeStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async add(siteId: SiteId, url: string | undefined, now: Date): Promise<void> {
    const id = await this.#tx.next('purge')
    await this.#tx.run(
      sql`INSERT INTO site_purge (id, site_id, url, at) VALUES (${id}, ${siteId}, ${url ?? null}, ${now})`,
    )
  }

  async listAfter(id: number, most: number): Promise<Purge[]> {
    const rows = await this.#tx.all<{
      id: number
      site_id: SiteId
      url: string | null
      at: number
    }>(sql`SELECT id, site_id, url, at FROM site_purge WHERE id > ${id} ORDER BY id LIMIT ${most}`)
    return rows.map((row) => ({
      id: row.id,
      siteId: row.site_id,
      url: row.url ?? undefined,
      at: new Date(row.at),
    }))
  }
}
